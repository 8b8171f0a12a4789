import fc from 'fast-check';
import { money } from '../../domain/money';
import { checkRules } from '../../domain/routing-check';
import {
  keepRule,
  PAYER_TIERS,
  type PayerTier,
  readRule,
  ruleFor,
  type RoutingRule,
  tierOf,
} from '../../domain/routing-rules';
import { plainRule } from '../support/routing-rules';

/** A rule in integers, as the oracle reads it. */
interface PlainRule {
  readonly min: number | null;
  readonly max: number | null;
  readonly merchants: readonly string[];
  readonly tiers: readonly PayerTier[];
  /** Minutes of the day in Bangkok, which is always 7 hours ahead. */
  readonly from: number | null;
  readonly minutes: number;
}

const amounts = fc.integer({ min: 1, max: 9 });
const merchants = ['m1', 'm2', 'm3'] as const;
const anyRule: fc.Arbitrary<PlainRule> = fc.record({
  min: fc.option(amounts),
  max: fc.option(amounts),
  merchants: fc.subarray([...merchants], { maxLength: 2 }),
  tiers: fc.subarray([...PAYER_TIERS], { maxLength: 2 }),
  from: fc.option(fc.integer({ min: 0, max: 1439 })),
  minutes: fc.integer({ min: 1, max: 1439 }),
});
const anyOrder = fc.record({
  amount: amounts,
  merchant: fc.constantFrom(...merchants),
  tier: fc.constantFrom(...PAYER_TIERS),
  minute: fc.integer({ min: 0, max: 1439 }),
});

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const ruleOf = (plain: PlainRule, name: string): RoutingRule => ({
  ...plainRule(name, []),
  minAmount: plain.min === null ? null : money(String(plain.min)),
  maxAmount: plain.max === null ? null : money(String(plain.max)),
  merchantIds: plain.merchants,
  payerTiers: plain.tiers,
  hours:
    plain.from === null
      ? null
      : {
          from: clock(plain.from),
          to: clock((plain.from + plain.minutes) % 1440),
          timeZone: 'Asia/Bangkok',
        },
});

/** The position of the first rule that fits, from 1; 0: none. */
const expected = (
  rules: readonly PlainRule[],
  order: { amount: number; merchant: string; tier: PayerTier; minute: number },
): number =>
  rules.findIndex((rule) => {
    const bangkok = (order.minute + 7 * 60) % 1440;
    const since = (bangkok - (rule.from ?? 0) + 1440) % 1440;
    return (
      order.amount >= (rule.min ?? 0) &&
      order.amount <= (rule.max ?? Infinity) &&
      (rule.merchants.length === 0 || rule.merchants.includes(order.merchant)) &&
      (rule.tiers.length === 0 || rule.tiers.includes(order.tier)) &&
      (rule.from === null || since < rule.minutes)
    );
  }) + 1;

describe('the rule for an order', () => {
  it('is the first that fits, and requires the payer only if the payer decides', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 6 }), anyOrder, (plain, order) => {
        const rules = plain.map((rule, at) => ruleOf(rule, `rule ${at}`));
        const asked = {
          merchantId: order.merchant,
          amount: money(String(order.amount)),
          walletKind: null,
          at: new Date(Date.UTC(2026, 2, 3, 0, order.minute)),
        };
        const found = ruleFor({ rules }, { ...asked, payer: { tier: order.tier, ways: [] } });
        const place = typeof found === 'string' ? 0 : found.place;
        expect(place).toBe(expected(plain, order));
        // Without the payer: either the payer makes no difference, or the payer is required.
        const blind = ruleFor({ rules }, { ...asked, payer: undefined });
        const places = PAYER_TIERS.map((tier) => expected(plain, { ...order, tier }));
        if (blind === 'ASKS_PAYER') expect(plain.some(({ tiers }) => tiers.length > 0)).toBe(true);
        else expect(new Set([...places, typeof blind === 'string' ? 0 : blind.place]).size).toBe(1);
      }),
      { numRuns: 500, seed: 18 },
    );
  });

  it('requires the payer for a sticky rule, but not for a refusal', () => {
    const order = {
      merchantId: 'm',
      amount: money('5'),
      walletKind: null,
      payer: undefined,
      at: new Date(0),
    };
    const sticky = { ...plainRule('sticky', [['ACCOUNT', 'a']]), stickyPayer: true };
    expect(ruleFor({ rules: [sticky] }, order)).toBe('ASKS_PAYER');
    const refusing = { ...plainRule('no', []), refuses: true };
    expect(ruleFor({ rules: [refusing, sticky] }, order)).toMatchObject({ place: 1 });
    expect(ruleFor({ rules: [] }, order)).toBe('NONE');
  });

  it('fits orders by wallet', () => {
    const wallet = { ...plainRule('wallet', []), walletKinds: ['BKASH' as const] };
    const order = { merchantId: 'm', amount: money('5'), at: new Date(0), payer: undefined };
    expect(ruleFor({ rules: [wallet] }, { ...order, walletKind: 'BKASH' })).toMatchObject({
      place: 1,
    });
    for (const walletKind of [null, 'NAGAD'] as const)
      expect(ruleFor({ rules: [wallet] }, { ...order, walletKind })).toBe('NONE');
  });

  it('fits tiers by the number of completed orders', () => {
    expect([0, 1, 9, 10, 11].map(tierOf)).toEqual(['NEW', 'KNOWN', 'KNOWN', 'TRUSTED', 'TRUSTED']);
  });
});

describe('a list of rules', () => {
  it('is the same after it is stored and read back', () => {
    fc.assert(
      fc.property(anyRule, (plain) => {
        const rule = ruleOf(plain, 'kept');
        const kept = JSON.parse(JSON.stringify(keepRule(rule))) as ReturnType<typeof keepRule>;
        expect(keepRule(readRule(kept))).toEqual(keepRule(rule));
        expect(readRule(kept).minAmount?.toFixed()).toBe(rule.minAmount?.toFixed());
      }),
      { numRuns: 100, seed: 18 },
    );
  });

  const good = plainRule('good', [['ACCOUNT', 'a']]);
  it.each<[string, RoutingRule[], string]>([
    ['two equal names', [good, good], 'different names'],
    ['no name', [{ ...good, name: ' ' }], '1-64 characters'],
    ['no group', [{ ...good, groups: [] }], 'must be 1-10'],
    ['an empty group', [{ ...good, groups: [{ targets: [] }] }], 'must be 1-50'],
    ['a refusal with groups', [{ ...good, refuses: true }], 'cannot be combined with groups'],
    ['a minimum above the maximum', [{ ...good, minAmount: money('2'), maxAmount: money('1') }], 'not be above'],
    ['an amount of zero', [{ ...good, minAmount: money('0') }], 'above 0'],
    ['more decimals than the currency', [{ ...good, maxAmount: money('1.005') }], 'at most 2'],
    ['a wallet of another currency', [{ ...good, walletKinds: ['BKASH'] }], 'BDT alone'],
    ['an invalid time of day', [{ ...good, hours: { from: '24:00', to: '25:00', timeZone: 'UTC' } }], 'HH:MM'],
    ['empty hours', [{ ...good, hours: { from: '10:00', to: '10:00', timeZone: 'UTC' } }], 'not begin and end'],
    ['no weight', [{ ...good, groups: [{ targets: [{ kind: 'ACCOUNT', id: 'a', weight: 0 }] }] }], '1-1000'],
    [
      'an account without id',
      [{ ...good, groups: [{ targets: [{ kind: 'ACCOUNT', id: null, weight: 1 }] }] }],
      'only a pool',
    ],
    [
      'a target named twice',
      [
        plainRule('twice', [
          ['ACCOUNT', 'a'],
          ['ACCOUNT', 'a'],
        ]),
      ],
      'contain one twice',
    ],
  ])('is refused with %s', (_what, rules, problem) => {
    expect(() => {
      checkRules(rules, 'DEPOSIT', 'THB', 2);
    }).toThrow(problem);
  });

  it('may name an account for deposits, but not for payouts', () => {
    expect(() => {
      checkRules([good], 'DEPOSIT', 'THB', 2);
    }).not.toThrow();
    expect(() => {
      checkRules([good], 'PAYOUT', 'THB', 2);
    }).toThrow('operators choose');
  });
});
