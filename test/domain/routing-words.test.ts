import { money } from '../../domain/money';
import { type RouteNames, wordsOfRefusal, wordsOfRule } from '../../domain/routing-words';
import { groupOf, plainRule } from '../support/routing-rules';

const names: RouteNames = {
  target: ({ kind, id }) => (id === null ? 'the pool of the merchant' : `${kind} ${id}`),
  merchant: (id) => id.toUpperCase(),
};

describe('the text of a routing rule', () => {
  it('describes its orders and its targets', () => {
    const rule = {
      ...plainRule('night', []),
      minAmount: money('10'),
      maxAmount: money('20'),
      merchantIds: ['acme', 'bolt'],
      payerTiers: ['KNOWN', 'TRUSTED'] as const,
      stickyPayer: true,
      hours: { from: '22:00', to: '06:00', timeZone: 'Asia/Bangkok' },
      groups: [
        groupOf([
          ['POOL', 'p', 3],
          ['CHANNEL', 'c'],
        ]),
        groupOf([['POOL', null]]),
      ],
    };
    expect(wordsOfRule(rule, 'DEPOSIT', names, 2)).toBe(
      'night: from 10.00 to 20.00, of ACME or BOLT, by payers who are KNOWN or TRUSTED, between 22:00 and 06:00 in Asia/Bangkok → where the payer paid before, else POOL p (weight 3) or CHANNEL c (weight 1), else the pool of the merchant',
    );
  });

  it.each([
    ['DEPOSIT', 'no: all → refused'],
    ['PAYOUT', 'no: all → to no channel: they are paid by hand'],
  ] as const)('explains the refusal of a %s', (kind, words) => {
    const rule = { ...plainRule('no', []), refuses: true };
    expect(wordsOfRule(rule, kind, names, 2)).toBe(words);
  });

  it('explains why a target refuses an order, also for an unknown reason', () => {
    expect(wordsOfRefusal('DAILY_LIMIT')).toBe('would exceed its amount of a day');
    expect(wordsOfRefusal('NEW_REASON')).toBe('new reason');
  });
});
