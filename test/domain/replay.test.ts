import fc from 'fast-check';
import { planDeposit } from '../../domain/deposit-way';
import { money, type Money, ZERO } from '../../domain/money';
import { type DayLimits, NO_DAY_LIMITS } from '../../domain/received-limits';
import { DepositReplay, type PastOrder, type ReplayedAccount, type ReplayedChannel } from '../../domain/replay';
import { ruleFor, type RoutingRule, type RuleSet, tierOf } from '../../domain/routing-rules';
import { groupOf, plainRule, type ShortTarget } from '../support/routing-rules';

/*
 * A simple model of a day of orders: it reads all earlier orders again for each order. The replay, which keeps running
 * sums, must find the routes that were taken, and by other rules the routes that the model finds.
 */

const START = Date.UTC(2026, 2, 3, 17);
const MINUTE = 60_000;
const ZONE = 'Asia/Bangkok';

/** The outcome of an order, in minutes after it was created. */
interface Fate {
  readonly minute: number;
  readonly amount: number;
  readonly merchant: string;
  readonly payer: string | null;
  readonly lives: number;
  readonly ending: 'paid' | 'ended' | 'open';
  readonly paid: number;
}
const anyFate: fc.Arbitrary<Fate> = fc.record({
  minute: fc.integer({ min: 0, max: 1439 }),
  amount: fc.integer({ min: 1, max: 60 }),
  merchant: fc.constantFrom('m1', 'm2'),
  payer: fc.option(fc.constantFrom('p', 'q', 'r')),
  lives: fc.integer({ min: 1, max: 400 }),
  ending: fc.constantFrom('paid' as const, 'ended' as const, 'open' as const),
  paid: fc.integer({ min: 1, max: 90 }),
});

const none = { maxDailyAmount: null, maxMonthlyAmount: null };
const account = (id: string, limits: Partial<ReplayedAccount>): ReplayedAccount => ({
  id,
  status: 'ACTIVE',
  minAmount: null,
  maxAmount: null,
  ...none,
  maxDailyCount: null,
  maxMonthlyCount: null,
  maxBalance: null,
  poolIds: [],
  passedOver: null,
  timeZone: ZONE,
  maxOpenDeposits: 1_000,
  received: [],
  ...limits,
});
const channel = (id: string, priority: number, limits: Partial<DayLimits> = {}): ReplayedChannel => ({
  depositLimits: { ...NO_DAY_LIMITS, ...limits },
  timeZone: ZONE,
  received: [],
  id,
  enabled: true,
  depositCurrencies: ['THB'],
  depositMin: null,
  depositMax: null,
  depositsFirst: false,
  walletKind: null,
  boundAccountId: null,
  poolKeys: [],
  mockAmounts: null,
  health: 'UP',
  passedOver: null,
  priority,
  weight: 1,
});
const anyAccounts = fc
  .record({
    daily: fc.integer({ min: 20, max: 200 }),
    monthly: fc.integer({ min: 40, max: 400 }),
    count: fc.integer({ min: 1, max: 8 }),
    most: fc.integer({ min: 1, max: 4 }),
    before: fc.integer({ min: 0, max: 60 }),
  })
  .map(({ daily, monthly, count, most, before }) => [
    account('a', {
      maxDailyAmount: money(String(daily)),
      maxMonthlyAmount: money(String(monthly)),
    }),
    account('b', {
      maxDailyCount: count,
      maxOpenDeposits: most,
      received: [{ day: '2026-03-02', amount: money(String(before + 1)), count: 1 }],
    }),
    account('c', {
      maxMonthlyAmount: money(String(monthly)),
      received: [{ day: '2026-03-02', amount: money(String(before + 1)), count: 1 }],
    }),
  ]);
const channels = [channel('x', 1, { maxDailyAmount: money('90'), maxMonthlyCount: 9 }), channel('y', 2)];

const anyTargets = fc.uniqueArray(
  fc.constantFrom<ShortTarget>(
    ...(['a', 'b', 'c'].map((id) => ['ACCOUNT', id, 2]) as ShortTarget[]),
    ...([
      ['CHANNEL', 'x'],
      ['CHANNEL', 'y'],
      ['POOL', null],
    ] as ShortTarget[]),
  ),
  { minLength: 1, maxLength: 3, selector: (target) => target.join() },
);
const anyRules: fc.Arbitrary<RuleSet> = fc
  .array(
    fc.record({
      max: fc.option(fc.integer({ min: 1, max: 60 })),
      tiers: fc.subarray(['NEW', 'KNOWN', 'TRUSTED'] as const, { maxLength: 2 }),
      stickyPayer: fc.boolean(),
      groups: fc.array(anyTargets, { minLength: 1, maxLength: 2 }),
      refuses: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 3 },
  )
  .map((rules) => ({
    id: null,
    version: null,
    rules: rules.map(({ max, tiers, stickyPayer, groups, refuses }, at): RoutingRule => ({
      ...plainRule(`rule ${at}`, []),
      maxAmount: max === null ? null : money(String(max)),
      payerTiers: tiers,
      ...(refuses ? { refuses } : { stickyPayer, groups: groups.map(groupOf) }),
    })),
  }));

interface Made {
  readonly fate: Fate;
  readonly at: number;
  readonly goes: string;
}
/** Bangkok is always seven hours ahead. */
const bangkokDay = (at: number): string => new Date(at + 7 * 60 * MINUTE).toISOString().slice(0, 10);

/** The platform's decision about an order, given all earlier ones. */
function byHand(
  fate: Fate,
  n: number,
  made: readonly Made[],
  accounts: readonly ReplayedAccount[],
  rules: RuleSet,
): { goes: string | null; refused: Map<string, string> } {
  const at = START + fate.minute * MINUTE;
  const endOf = (one: Made): number => one.at + one.fate.lives * MINUTE;
  const isOpen = (one: Made): boolean => one.fate.ending === 'open' || endOf(one) > at;
  const isPaid = (one: Made): boolean => one.fate.ending === 'paid' && endOf(one) <= at;
  const useOf = (one: Pick<ReplayedAccount, 'id' | 'received'>) => {
    const here = made.filter(({ goes }) => goes === one.id);
    const open = here.filter(isOpen);
    const day = bangkokDay(at);
    const received = [
      ...one.received.map((before) => ({ day: before.day, amount: before.amount.toNumber() })),
      ...here.filter(isPaid).map((paid) => ({
        day: bangkokDay(endOf(paid)),
        amount: paid.fate.paid,
      })),
    ];
    const sum = (list: readonly { amount: number }[]): Money =>
      money(String(list.reduce((total, { amount }) => total + amount, 0)));
    const shares = open.map((other) => ({ amount: other.fate.amount }));
    const today = [...received.filter((other) => other.day === day), ...shares];
    const month = [...received.filter((other) => other.day.slice(0, 7) === day.slice(0, 7)), ...shares];
    const use = {
      dayAmount: sum(today),
      dayCount: today.length,
      monthAmount: sum(month),
      monthCount: month.length,
      held: sum([]),
    };
    return { use, open: open.length };
  };
  const standing = accounts.map((one) => {
    const { use, open } = useOf(one);
    return { ...one, use, full: open >= one.maxOpenDeposits };
  });
  const ways = made
    .filter((one) => one.fate.merchant === fate.merchant && one.fate.payer === fate.payer && isPaid(one))
    .sort((one, other) => endOf(other) - endOf(one) || other.at - one.at)
    .map(({ goes }) => goes);
  const payer =
    fate.payer === null
      ? { tier: 'NEW' as const, ways: [] }
      : { tier: tierOf(ways.length), ways: [...new Set(ways.slice(0, 10))] };
  const asked = { merchantId: fate.merchant, amount: money(String(fate.amount)), walletKind: null };
  const found = ruleFor(rules, { ...asked, at: new Date(at), payer });
  const plan = planDeposit(
    ...([typeof found === 'string' ? null : found.rule, standing] as const),
    channels.map((one) => ({ ...one, use: useOf(one).use })),
    {
      id: idOf(n),
      currencyCode: 'THB',
      amount: asked.amount,
      poolId: null,
      walletChannelId: null,
      tried: [],
    },
    payer.ways,
  );
  const full = new Set(standing.filter((one) => one.full).map(({ id }) => id));
  const goes = plan.ways.find(({ candidate }) => !full.has(candidate.id))?.candidate.id ?? null;
  const refused = new Map(plan.refused.map(({ candidate, reason }) => [candidate.id, reason]));
  for (const { candidate } of plan.ways) if (full.has(candidate.id)) refused.set(candidate.id, 'TOO_MANY_OPEN');
  return { goes, refused };
}
const idOf = (n: number): string => `0190aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The outcomes by time. No two begin or end at the same time: the model has no order for them. */
const inTime = (fates: readonly Fate[]): Fate[] =>
  [...fates]
    .sort((one, other) => one.minute - other.minute)
    .map((fate, n) => ({
      ...fate,
      minute: fate.minute + n / 1_000,
      lives: fate.lives + n / 7_000,
    }));

function pastOf({ fate, at, goes }: Made, n: number, refused: Map<string, string>, rules: RuleSet): PastOrder {
  const end = new Date(at + fate.lives * MINUTE);
  const paid = fate.ending === 'paid';
  return {
    id: idOf(n),
    merchantId: fate.merchant,
    amount: money(String(fate.amount)),
    at: new Date(at),
    poolId: null,
    walletChannelId: null,
    walletKind: null,
    payer: fate.payer,
    went: goes,
    refused,
    rules,
    share: money(String(fate.amount)),
    releasedAt: fate.ending === 'open' ? null : end,
    completedAt: paid ? end : null,
    receipts: paid ? [{ at: end, bankTime: end, amount: money(String(fate.paid)) }] : [],
  };
}

/** The model's day by these rules: an order that nothing accepted leaves no row. */
function dayBy(fates: readonly Fate[], accounts: readonly ReplayedAccount[], rules: RuleSet): PastOrder[] {
  const made: Made[] = [];
  const past: PastOrder[] = [];
  for (const [n, fate] of fates.entries()) {
    const { goes, refused } = byHand(fate, n, made, accounts, rules);
    if (goes === null) continue;
    const one = { fate, at: START + fate.minute * MINUTE, goes };
    made.push(one);
    past.push(pastOf(one, n, refused, rules));
  }
  return past;
}

const before = (accounts: readonly ReplayedAccount[]) => ({
  currencyCode: 'THB',
  accounts,
  channels,
  open: [],
  receipts: [],
  health: [],
  pasts: new Map(),
});

describe('a replay of a day', () => {
  it('moves nothing by the live rules, with limits and payers carried through the day', () => {
    fc.assert(
      fc.property(fc.array(anyFate, { maxLength: 60 }).map(inTime), anyAccounts, anyRules, (fates, accounts, rules) => {
        const day = dayBy(fates, accounts, rules);
        for (const draft of [null, rules]) {
          const replay = new DepositReplay(before(accounts), draft);
          const found = day.map((order) => replay.next(order).goes);
          expect(found).toEqual(day.map(({ went }) => went));
        }
      }),
      { numRuns: 150, seed: 18 },
    );
  });

  it('finds the routes that other rules would have chosen for the same orders', () => {
    let moved = 0;
    fc.assert(
      fc.property(
        fc.array(anyFate, { maxLength: 40 }).map(inTime),
        anyAccounts,
        anyRules,
        anyRules,
        (fates, accounts, live, draft) => {
          const day = dayBy(fates, accounts, live);
          const replay = new DepositReplay(before(accounts), draft);
          const made: Made[] = [];
          for (const order of day) {
            const n = Number(order.id.slice(-12));
            const fate = fates[n];
            if (!fate) throw new Error('no fate');
            const { goes } = byHand(fate, n, made, accounts, draft);
            expect(replay.next(order).goes).toBe(goes);
            if (goes !== null) made.push({ fate, at: order.at.getTime(), goes });
            if (goes !== order.went) moved++;
          }
        },
      ),
      { numRuns: 100, seed: 19 },
    );
    expect(moved).toBeGreaterThan(100);
  });

  const order = (n: number, over: Partial<PastOrder> = {}): PastOrder => ({
    ...pastOf(
      {
        fate: {
          minute: n,
          amount: 10,
          merchant: 'm',
          payer: null,
          lives: 5,
          ending: 'open',
          paid: 0,
        },
        at: START + n * MINUTE,
        goes: 'a',
      },
      ...([n, new Map<string, string>(), { id: null, version: null, rules: [] }] as const),
    ),
    ...over,
  });

  it('prefers the health that orders recorded over the current health', () => {
    const paused = [account('a', {}), account('b', { status: 'PAUSED' })];
    const rule = plainRule('b first', [['ACCOUNT', 'b']]);
    const draft = {
      id: null,
      version: null,
      rules: [{ ...rule, groups: [...rule.groups, groupOf([['ACCOUNT', 'a']])] }],
    };
    const replay = new DepositReplay(before(paused), draft);
    const went = [
      // Without a record, the current health counts.
      replay.next(order(1)),
      // It got an order: it was active then, and for the next orders too.
      replay.next(order(2, { went: 'b' })),
      replay.next(order(3)),
      // An order was refused there: it was not active.
      replay.next(order(4, { refused: new Map([['b', 'NOT_ACTIVE']]) })),
      replay.next(order(5)),
    ];
    expect(went.map(({ goes }) => goes)).toEqual(['a', 'b', 'b', 'a', 'a']);
  });

  it('sends an order to the target that a rule names, also in a pool that the order did not use', () => {
    const pools = [account('a', {}), account('b', { poolIds: ['p'] })];
    const draft = { id: null, version: null, rules: [plainRule('b', [['ACCOUNT', 'b']])] };
    const replay = new DepositReplay(before(pools), draft);
    const found = order(1, { refused: new Map([['b', 'NOT_IN_POOL']]) });
    expect(replay.next(found).goes).toBe('b');
  });

  it('skips what was unhealthy at the time, although it is healthy now', () => {
    const both = [account('a', {}), account('b', { passedOver: 'AGENT_SILENT' })];
    const rule = plainRule('b first', [['ACCOUNT', 'b']]);
    const groups = [...rule.groups, groupOf([['ACCOUNT', 'a']])];
    const draft = { id: null, version: null, rules: [{ ...rule, groups }] };
    const note = (minute: number, cause: string, refusal: string | null) => ({
      id: 'b',
      cause,
      refusal,
      at: new Date(START + minute * MINUTE),
    });
    const health = [
      note(-1, 'AGENT', 'AGENT_SILENT'),
      note(2, 'OUTAGE', 'OUTAGE'),
      note(3, 'AGENT', null),
      note(5, 'OUTAGE', null),
    ];
    const replay = new DepositReplay({ ...before(both), health }, draft);
    const goes = [1, 2, 3, 4, 5, 6].map((n) => replay.next(order(n)).goes);
    expect(goes).toEqual(['a', 'a', 'a', 'a', 'b', 'b']);
  });

  it('counts earlier open orders against limits', () => {
    const limited = [account('a', { maxDailyAmount: money('25') }), account('b', {})];
    const draft = { id: null, version: null, rules: [plainRule('a', [['ACCOUNT', 'a']])] };
    const ended = new Date(START + 2.5 * MINUTE);
    const open = {
      merchantId: 'm',
      payer: null,
      went: 'a',
      share: money('10'),
      releasedAt: ended,
      completedAt: null,
      receipts: [],
    };
    const receipt = { at: ended, bankTime: ended, amount: money('6'), takerId: 'a' };
    const replay = new DepositReplay({ ...before(limited), open: [open], receipts: [receipt] }, draft);
    const goes = [1, 2, 3].map((n) => replay.next(order(n)).goes);
    // 10 are held; then 20; then 10 are released and 6 have arrived.
    expect(goes).toEqual(['a', null, null]);
    expect(replay.next(order(4, { share: money('9'), amount: money('9') })).goes).toBe('a');
    expect(ZERO.isZero()).toBe(true);
  });
});
