import fc from 'fast-check';
import { ACCOUNT_STATUSES } from '../../domain/bank-account';
import type { Settings } from '../../domain/change-request';
import { closesAccount, closesAccountLimits, closesMerchant } from '../../domain/closing';
import { Decimal } from '../../domain/money';

const merchant = fc.record(
  {
    enabled: fc.boolean(),
    canDeposit: fc.boolean(),
    canWithdraw: fc.boolean(),
    allowInsecureCallbacks: fc.boolean(),
    maxOpenDeposits: fc.integer({ min: 1, max: 9 }),
    'currencyEnabled.THB': fc.boolean(),
    'depositFee.THB': fc.constantFrom('1', '2'),
    callbackHosts: fc.constantFrom<string[] | null>(null, ['a.example'], ['a.example', 'b.example']),
    defaultCallbackUrl: fc.constantFrom(null, 'https://a.example/'),
  },
  { requiredKeys: [] },
);
const account = fc.record(
  {
    name: fc.constantFrom('x', 'y'),
    minAmount: fc.option(fc.constantFrom('5', '10', '100')),
    maxAmount: fc.option(fc.constantFrom('5', '10', '100')),
    maxDailyAmount: fc.option(fc.constantFrom('5', '10', '100')),
    maxMonthlyAmount: fc.option(fc.constantFrom('5', '10', '100')),
    maxDailyCount: fc.option(fc.integer({ min: 1, max: 9 })),
    maxMonthlyCount: fc.option(fc.integer({ min: 1, max: 9 })),
    maxBalance: fc.option(fc.constantFrom('5', '10', '100')),
    maxOpenDeposits: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: [] },
);

/** Whether a deposit of this amount passes limits. */
const passes = (limits: Settings, amount: number): boolean =>
  !(limits['minAmount'] && new Decimal(limits['minAmount'] as string).gt(amount)) &&
  !(limits['maxAmount'] && new Decimal(limits['maxAmount'] as string).lt(amount));

const changed = (before: Settings, after: Settings): [Settings, Settings] => {
  const fields = Object.keys(after).filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
  const of = (state: Settings): Settings => Object.fromEntries(fields.map((field) => [field, state[field] ?? null]));
  return [of(before), of(after)];
};

describe('a change that only closes', () => {
  it('enables nothing, raises no limit, and changes only switches and limits', () => {
    fc.assert(
      fc.property(merchant, merchant, (a, b) => {
        const [before, after] = changed(a, b);
        if (!closesMerchant(before, after)) return;
        expect(Object.keys(after).length).toBeGreaterThan(0);
        for (const [field, value] of Object.entries(after)) {
          if (field === 'maxOpenDeposits') expect(value).toBeLessThan(Number(before[field] ?? Infinity));
          else expect([field, value]).toEqual([field, false]);
        }
      }),
      { numRuns: 2_000, seed: 16 },
    );
  });

  it('lets no deposit pass an account that did not pass before', () => {
    fc.assert(
      fc.property(account, account, fc.integer({ min: 1, max: 200 }), (a, b, amount) => {
        const [before, after] = changed(a, b);
        if (!closesAccountLimits(before, after)) return;
        const full = { ...(a as Settings), ...after };
        if (passes(full, amount)) expect(passes(a as Settings, amount)).toBe(true);
        expect(Object.keys(after)).not.toContain('name');
      }),
      { numRuns: 2_000, seed: 16 },
    );
  });

  it('may switch one setting off, but not another on with it', () => {
    expect(closesMerchant({ enabled: true }, { enabled: false })).toBe(true);
    expect(closesMerchant({ enabled: true, canWithdraw: false }, { enabled: false, canWithdraw: true })).toBe(false);
    expect(closesMerchant({}, {})).toBe(false);
    expect(closesAccountLimits({ maxAmount: null }, { maxAmount: '10' })).toBe(true);
    expect(closesAccountLimits({ maxAmount: '10' }, { maxAmount: null })).toBe(false);
    expect(closesAccountLimits({ maxAmount: '9' }, { maxAmount: '10' })).toBe(false);
  });

  it('may move an account only away from ACTIVE', () => {
    for (const from of ACCOUNT_STATUSES)
      for (const to of ACCOUNT_STATUSES)
        expect([from, to, closesAccount(from, to)]).toEqual([
          from,
          to,
          ['ACTIVE>PAUSED', 'ACTIVE>DISABLED', 'PAUSED>DISABLED'].includes(`${from}>${to}`),
        ]);
  });
});
