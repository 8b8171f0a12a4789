import fc from 'fast-check';
import { payoutRefusal } from '../../domain/channel';
import { type PayoutToRoute, planPayout, type PooledChannel } from '../../domain/payout-way';
import { money } from '../../domain/money';

const order = {
  id: '019aac51-0000-7000-8000-000000000001',
  currencyCode: 'THB',
  amount: money('100'),
};
const channel = (over: Partial<PooledChannel> = {}): PooledChannel => ({
  id: 'a',
  enabled: true,
  currencies: ['THB', 'VND'],
  minAmount: money('10'),
  maxAmount: money('1000'),
  health: 'UP',
  passedOver: null,
  priority: 10,
  weight: 1,
  bankCode: '004',
  balance: null,
  tried: false,
  poolIds: [],
  isMerchants: true,
  ...over,
});

/** Without a routing rule. */
const wayOf = (channels: readonly PooledChannel[], one: PayoutToRoute): PooledChannel[] =>
  planPayout(null, channels, one, []).ways.map(({ candidate }) => candidate.channel);

describe('the channel of a payout', () => {
  it.each<[string, Partial<PooledChannel>, string | null]>([
    ['an open channel', {}, null],
    ['a channel of unknown health', { health: 'UNKNOWN' }, null],
    ['a channel with exactly enough balance', { balance: money('100') }, null],
    ['an amount at the limits', { minAmount: money('100'), maxAmount: money('100') }, null],
    ['a disabled channel', { enabled: false }, 'DISABLED'],
    ['another currency', { currencies: ['VND'] }, 'OTHER_CURRENCY'],
    ['an amount below the minimum', { minAmount: money('100.01') }, 'BELOW_MINIMUM'],
    ['an amount above the maximum', { maxAmount: money('99.99') }, 'ABOVE_MAXIMUM'],
    ['a bank that it does not serve', { bankCode: null }, 'BANK_NOT_SERVED'],
    ['a channel that is down', { health: 'DOWN' }, 'DOWN'],
    ['an open breaker', { passedOver: 'UNHEALTHY' }, 'UNHEALTHY'],
    ['an outage', { passedOver: 'OUTAGE' }, 'OUTAGE'],
    ['a balance that is too low', { balance: money('99.99') }, 'LOW_BALANCE'],
    ['a channel that was tried before', { tried: true }, 'TRIED_BEFORE'],
  ])('%s', (_what, over, refusal) => {
    expect(payoutRefusal(channel(over), order)).toBe(refusal);
  });

  it('is chosen by priority; channels that may not pay are left out', () => {
    const channels = [
      channel({ id: 'third', priority: 30 }),
      channel({ id: 'down', priority: 0, health: 'DOWN' }),
      channel({ id: 'first', priority: 1 }),
      channel({ id: 'second', priority: 20 }),
    ];
    expect(wayOf(channels, order).map(({ id }) => id)).toEqual(['first', 'second', 'third']);
  });

  /** Order numbers as the platform assigns them: those of one minute differ in few digits. */
  const orders = Array.from({ length: 8_000 }, (_, n) => ({
    ...order,
    id: `019aac51-${(0x1000 + n).toString(16)}-7000-8000-00000000${(n * 7 + 1).toString(16).padStart(4, '0')}`,
  }));

  it('is drawn by weight among equals, also if one of three is out', () => {
    const [one, two, five] = [1, 2, 5].map((weight) => channel({ id: `channel-${weight}`, weight }));
    const firsts = (channels: readonly (PooledChannel | undefined)[]) => {
      const counts: Record<string, number> = {};
      for (const each of orders) {
        const [first] = wayOf(channels as PooledChannel[], each);
        counts[first?.id ?? ''] = (counts[first?.id ?? ''] ?? 0) + 1;
      }
      return counts;
    };
    const all = firsts([one, two, five]);
    // Four standard deviations of a fair draw are 106, 155 and 173.
    expect(Math.abs((all['channel-1'] ?? 0) - 1_000)).toBeLessThan(106);
    expect(Math.abs((all['channel-2'] ?? 0) - 2_000)).toBeLessThan(155);
    expect(Math.abs((all['channel-5'] ?? 0) - 5_000)).toBeLessThan(173);
    const fewer = firsts([one, two]);
    expect(Math.abs((fewer['channel-1'] ?? 0) - 8_000 / 3)).toBeLessThan(169);
  });

  it('is the same for the same order, although channels are listed differently, join or leave', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uniqueArray(fc.tuple(fc.uuid(), fc.integer({ min: 1, max: 1_000 })), {
          minLength: 2,
          maxLength: 6,
          selector: ([id]) => id,
        }),
        fc.nat(),
        (id, some, out) => {
          const channels = some.map(([channelId, weight]) => channel({ id: channelId, weight }));
          const way = wayOf(channels, { ...order, id }).map((each) => each.id);
          expect(wayOf([...channels].reverse(), { ...order, id }).map((c) => c.id)).toEqual(way);
          const leaves = channels[out % channels.length]?.id;
          const rest = channels.filter((each) => each.id !== leaves);
          expect(wayOf(rest, { ...order, id }).map((each) => each.id)).toEqual(way.filter((each) => each !== leaves));
        },
      ),
      { seed: 7 },
    );
  });
});
