import fc from 'fast-check';
import { money } from '../../domain/money';
import { planRoute, type RoutableAccount, routingRefusal } from '../../domain/routing';

const open: RoutableAccount = {
  id: 'a',
  status: 'ACTIVE',
  minAmount: null,
  maxAmount: null,
  ...{ maxDailyAmount: null, maxMonthlyAmount: null, maxDailyCount: null, maxMonthlyCount: null },
  maxBalance: null,
  use: {
    dayAmount: money('0'),
    dayCount: 0,
    monthAmount: money('0'),
    monthCount: 0,
    held: money('0'),
  },
  poolIds: [],
  passedOver: null,
};
const hundred = money('100');
const used = {
  dayAmount: money('200'),
  dayCount: 2,
  monthAmount: money('500'),
  monthCount: 5,
  held: money('900'),
};

describe('an account takes a deposit of 100', () => {
  it.each<[string, Partial<RoutableAccount>]>([
    ['without limits', {}],
    ['at its minimum', { minAmount: money('100.00') }],
    ['at its maximum', { maxAmount: money('100.00') }],
    ['up to its day', { maxDailyAmount: money('300'), use: used }],
    ['up to its month', { maxMonthlyAmount: money('600'), use: used }],
    ['up to its balance', { maxBalance: money('1000'), use: used }],
    ['as the last of its day and month', { maxDailyCount: 3, maxMonthlyCount: 6, use: used }],
  ])('%s', (_what, limits) => {
    expect(routingRefusal({ ...open, ...limits }, hundred)).toBeNull();
  });

  it.each<[string, Partial<RoutableAccount>]>([
    ['NOT_ACTIVE', { status: 'PAUSED' }],
    ['OUTAGE', { passedOver: 'OUTAGE' }],
    ['AGENT_SILENT', { passedOver: 'AGENT_SILENT' }],
    ['BELOW_MINIMUM', { minAmount: money('100.0001') }],
    ['ABOVE_MAXIMUM', { maxAmount: money('99.99') }],
    ['DAILY_LIMIT', { maxDailyAmount: money('299.99'), use: used }],
    ['DAILY_COUNT', { maxDailyCount: 2, use: used }],
    ['MONTHLY_LIMIT', { maxMonthlyAmount: money('599.99'), use: used }],
    ['MONTHLY_COUNT', { maxMonthlyCount: 5, use: used }],
    ['BALANCE_LIMIT', { maxBalance: money('999.99'), use: used }],
  ])('but not where %s', (reason, limits) => {
    expect(routingRefusal({ ...open, ...limits }, hundred)).toBe(reason);
  });
});

describe('the choice among accounts', () => {
  const three = ['a', 'b', 'c'].map((id) => ({ ...open, id }));

  it('asks every eligible account, the refused ones none, and says why', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ id: fc.uuid(), active: fc.boolean() }), {
          selector: ({ id }) => id,
        }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (made, draws) => {
          const accounts = made.map(({ id, active }) => ({
            ...open,
            id,
            status: active ? ('ACTIVE' as const) : ('PAUSED' as const),
          }));
          const plan = planRoute(accounts, hundred, () => Number(draws.next().value));
          const ids = (active: boolean): string[] =>
            made.filter((account) => account.active === active).map(({ id }) => id);
          expect(plan.eligible.map(({ id }) => id).sort()).toEqual(ids(true).sort());
          expect(plan.refused).toEqual(
            ids(false).map((accountId) => ({ accountId, reason: 'NOT_ACTIVE' })),
          );
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });

  it('is even: each draw has its own order, and all six orders come up equally often', () => {
    const orders = new Map<string, number>();
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 2; j++) {
        const draws = [(i + 0.5) / 3, (j + 0.5) / 2, 0.5];
        const { eligible } = planRoute(three, hundred, () => draws.shift() ?? 0);
        const order = eligible.map(({ id }) => id).join('');
        orders.set(order, (orders.get(order) ?? 0) + 1);
      }
    expect([...orders.keys()].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
  });

  it('is none where none is eligible', () => {
    expect(planRoute([], hundred, () => 0.5)).toEqual({ eligible: [], refused: [] });
  });
});
