import { withBoundedCost } from '../../domain/channel-cost';
import { money } from '../../domain/money';

describe("a channel's charge", () => {
  const paid = { kind: 'COMPLETED', channelOrderNo: '1' };
  const bounded = (cost: string | null) =>
    withBoundedCost({ ...paid, cost: cost === null ? null : money(cost) }, money('10'), money('15'));

  it('counts up to the amount of the order and the agreed charge together', () => {
    for (const cost of [null, '0', '15', '25'])
      expect(bounded(cost)).toEqual({ ...paid, cost: cost === null ? null : money(cost) });
  });

  it('is reported and not booked beyond that', () => {
    expect(bounded('25.0001')).toEqual({ ...paid, cost: null, excessiveCost: money('25.0001') });
  });

  it('is none in other answers', () => {
    const other = { kind: 'REFUSED', reason: 'no' };
    expect(withBoundedCost(other, money('10'), money('0'))).toBe(other);
  });
});
