import fc from 'fast-check';
import { money } from '../../domain/money';
import { type PastPayout, PayoutReplay, type ReplayedChannel } from '../../domain/payout-replay';
import { planPayout } from '../../domain/payout-way';
import type { HealthNote } from '../../domain/replay-standing';
import { ruleFor, type RoutingRule, type RuleSet, tierOf } from '../../domain/routing-rules';
import { groupOf, plainRule, type ShortTarget } from '../support/routing-rules';

/*
 * A simple model of a day of payouts: it reads all earlier payouts again for each payout. The replay must find the
 * routes that were taken, and by other rules the routes that the model finds.
 */

const START = Date.UTC(2026, 2, 3, 17);
const MINUTE = 60_000;
const IDS = ['a', 'b', 'c'] as const;

/** The outcome of a payout, in minutes after it was routed. */
interface Fate {
  readonly minute: number;
  readonly amount: number;
  readonly merchant: string;
  readonly bank: string;
  readonly payer: string;
  /** Channels that refuse it when they are asked. */
  readonly refusing: readonly string[];
  /** Null: the payout fails. */
  readonly lasts: number | null;
}
const anyFate: fc.Arbitrary<Fate> = fc.record({
  minute: fc.integer({ min: 0, max: 1439 }),
  amount: fc.integer({ min: 1, max: 60 }),
  merchant: fc.constantFrom('m1', 'm2'),
  bank: fc.constantFrom('KBANK', 'SCB'),
  payer: fc.constantFrom('p', 'q', 'r'),
  refusing: fc.subarray([...IDS], { maxLength: 2 }),
  lasts: fc.option(fc.integer({ min: 1, max: 400 })),
});
/** No two events are at the same time: the model has no order for them. */
const inTime = (fates: readonly Fate[]): Fate[] =>
  [...fates]
    .sort((one, other) => one.minute - other.minute)
    .map((fate, n) => ({ ...fate, minute: fate.minute + n / 1_000 }));

const channel = (id: string, over: Partial<ReplayedChannel> = {}): ReplayedChannel => ({
  id,
  enabled: true,
  currencies: ['THB'],
  minAmount: null,
  maxAmount: null,
  health: 'UP',
  passedOver: null,
  priority: 1,
  weight: 1,
  poolIds: [],
  banks: null,
  ...over,
});
const anyChannels = fc
  .tuple(fc.integer({ min: 10, max: 60 }), fc.boolean(), fc.subarray(['KBANK', 'SCB']))
  .map(([most, pooled, banks]) => [
    channel('a', { maxAmount: money(String(most)) }),
    channel('b', { priority: 2, banks: new Set(banks) }),
    channel('c', { priority: 2, weight: 2, poolIds: pooled ? ['pool'] : [] }),
  ]);
/** The merchants of a pool. */
const poolOf = (merchant: string): string | null => (merchant === 'm2' ? 'pool' : null);

/** Outages of channels, in minutes. */
const anyOutages = fc.array(
  fc.record({
    id: fc.constantFrom(...IDS),
    from: fc.integer({ min: 0, max: 1439 }),
    lasts: fc.integer({ min: 1, max: 600 }),
  }),
  { maxLength: 3 },
);
type Outages = typeof anyOutages extends fc.Arbitrary<infer Value> ? Value : never;
const notesOf = (outages: Outages): HealthNote[] =>
  outages.flatMap(({ id, from, lasts }, n) =>
    [from - 0.0005, from + lasts - 0.0005].map((minute, end) => ({
      id,
      cause: String(n),
      refusal: end === 0 ? 'OUTAGE' : null,
      at: new Date(START + minute * MINUTE),
    })),
  );

const anyTargets = fc.uniqueArray(
  fc.constantFrom<ShortTarget>(['CHANNEL', 'a'], ['CHANNEL', 'b', 3], ['CHANNEL', 'c'], ['POOL', null]),
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
  /** Null: a person paid it. */
  readonly goes: string | null;
}
interface Way {
  readonly goes: string | null;
  readonly refused: ReadonlyMap<string, string>;
}

/** The route of a payout, given all earlier ones. */
function byHand(
  { fate, id, tried }: { fate: Fate; id: string; tried: readonly string[] },
  made: readonly Made[],
  [channels, outages]: readonly [readonly ReplayedChannel[], Outages],
  rules: RuleSet,
): Way {
  const at = START + fate.minute * MINUTE;
  const endOf = (one: Made): number => (one.fate.lasts === null ? Infinity : one.at + one.fate.lasts * MINUTE);
  const ways = made
    .filter(
      (one) =>
        one.fate.merchant === fate.merchant &&
        one.fate.bank === fate.bank &&
        one.fate.payer === fate.payer &&
        endOf(one) <= at,
    )
    .sort((one, other) => endOf(other) - endOf(one) || other.at - one.at)
    .slice(0, 10)
    .map(({ goes }) => goes);
  const past = [...new Set(ways.filter((way) => way !== null))];
  const standing = channels.map(({ banks, ...one }) => ({
    ...one,
    bankCode: banks === null || banks.has(fate.bank) ? fate.bank : null,
    isMerchants: poolOf(fate.merchant) === null ? one.poolIds.length === 0 : one.poolIds.length > 0,
    balance: null,
    tried: tried.includes(one.id),
    passedOver: outages.some(
      ({ id: out, from, lasts }) => out === one.id && from <= fate.minute && fate.minute < from + lasts - 0.0005,
    )
      ? ('OUTAGE' as const)
      : null,
  }));
  const amount = money(String(fate.amount));
  const asked = { merchantId: fate.merchant, amount, walletKind: null, at: new Date(at) };
  const found = ruleFor(rules, { ...asked, payer: { tier: tierOf(ways.length), ways: past } });
  const rule = typeof found === 'string' ? null : found.rule;
  const plan = planPayout(rule, standing, { id, currencyCode: 'THB', amount }, past);
  return {
    goes: plan.ways[0]?.candidate.id ?? null,
    refused: new Map(plan.refused.map(({ candidate, reason }) => [candidate.id, reason])),
  };
}
const idOf = (n: number): string => `0190aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The model's day by these rules: each payout is sent until a channel accepts it, or a person gets it. */
function dayBy(
  fates: readonly Fate[],
  world: readonly [readonly ReplayedChannel[], Outages],
  rules: RuleSet,
): { past: PastPayout[]; tried: string[][] } {
  const made: Made[] = [];
  const past: PastPayout[] = [];
  const allTried: string[][] = [];
  for (const [n, fate] of fates.entries()) {
    const tried: string[] = [];
    const look = (): Way => byHand({ fate, id: idOf(n), tried }, made, world, rules);
    let way = look();
    while (way.goes !== null && fate.refusing.includes(way.goes)) {
      tried.push(way.goes);
      way = look();
    }
    const at = START + fate.minute * MINUTE;
    made.push({ fate, at, goes: way.goes });
    allTried.push(tried);
    past.push({
      id: idOf(n),
      merchantId: fate.merchant,
      amount: money(String(fate.amount)),
      at: new Date(at),
      poolId: poolOf(fate.merchant),
      walletKind: null,
      bankCode: fate.bank,
      payer: `${fate.bank} ${fate.payer}`,
      rules,
      went: way.goes,
      refused: way.refused,
      completedAt: fate.lasts === null ? null : new Date(at + fate.lasts * MINUTE),
    });
  }
  return { past, tried: allTried };
}
const before = (channels: readonly ReplayedChannel[], outages: Outages = []) => ({
  currencyCode: 'THB',
  channels,
  others: [],
  health: notesOf(outages),
});

describe('a replay of a day of payouts', () => {
  it('moves nothing by the live rules, through outages, refusals and earlier payments', () => {
    fc.assert(
      fc.property(
        fc.array(anyFate, { maxLength: 60 }).map(inTime),
        anyChannels,
        anyOutages,
        anyRules,
        (fates, channels, outages, rules) => {
          const { past } = dayBy(fates, [channels, outages], rules);
          for (const draft of [null, rules]) {
            const replay = new PayoutReplay(before(channels, outages), draft);
            expect(past.map((order) => replay.next(order).goes)).toEqual(past.map(({ went }) => went));
          }
        },
      ),
      { numRuns: 150, seed: 18 },
    );
  });

  it('finds the routes that other rules would have chosen for the same payouts', () => {
    let moved = 0;
    fc.assert(
      fc.property(
        fc.array(anyFate, { maxLength: 40 }).map(inTime),
        anyChannels,
        anyOutages,
        anyRules,
        anyRules,
        (fates, channels, outages, live, draft) => {
          const { past, tried } = dayBy(fates, [channels, outages], live);
          const replay = new PayoutReplay(before(channels, outages), draft);
          const made: Made[] = [];
          for (const [n, order] of past.entries()) {
            const fate = fates[n];
            if (!fate) throw new Error('no fate');
            const asked = { fate, id: order.id, tried: tried[n] ?? [] };
            const { goes } = byHand(asked, made, [channels, outages], draft);
            expect(replay.next(order).goes).toBe(goes);
            made.push({ fate, at: order.at.getTime(), goes });
            if (goes !== order.went) moved++;
          }
        },
      ),
      { numRuns: 100, seed: 19 },
    );
    expect(moved).toBeGreaterThan(100);
  });

  const order = (n: number, over: Partial<PastPayout> = {}): PastPayout => ({
    id: idOf(n),
    merchantId: 'm1',
    amount: money('10'),
    at: new Date(START + n * MINUTE),
    poolId: null,
    walletKind: null,
    bankCode: 'SCB',
    payer: 'SCB p',
    rules: null,
    went: 'b',
    refused: new Map<string, string>(),
    completedAt: null,
    ...over,
  });
  const draft = { id: null, version: null, rules: [plainRule('a', [['CHANNEL', 'a']])] };
  const both = [channel('a'), channel('b')];

  it('treats a balance as too low for an amount, from a refusal for that amount or less until a payment', () => {
    const replay = new PayoutReplay(before(both), draft);
    const low = new Map([['a', 'LOW_BALANCE']]);
    const goes = [
      replay.next(order(1)),
      replay.next(order(2, { refused: low })),
      replay.next(order(3)),
      replay.next(order(4, { amount: money('9') })),
      replay.next(order(5, { refused: low, amount: money('20') })),
      replay.next(order(6, { amount: money('12') })),
      replay.next(order(7, { went: 'a', amount: money('11') })),
      replay.next(order(8, { amount: money('50') })),
    ].map((one) => one.goes);
    expect(goes).toEqual(['a', null, null, 'a', null, null, 'a', 'a']);
  });

  it('counts a beneficiary as known by payouts of people and of other days', () => {
    const known = { ...plainRule('known', [['CHANNEL', 'a']]), payerTiers: ['KNOWN' as const] };
    const tiers = { id: null, version: null, rules: [known, plainRule('b', [['CHANNEL', 'b']])] };
    const paidAt = new Date(START + 2.5 * MINUTE);
    const others = [{ merchantId: 'm1', payer: 'SCB other', went: 'b', completedAt: paidAt }];
    const replay = new PayoutReplay({ ...before(both), others }, tiers);
    replay.learn(new Map([['m1 SCB before', ['people']]]));
    const goes = [
      replay.next(order(1, { went: null, completedAt: new Date(START + 3.5 * MINUTE) })),
      replay.next(order(2, { payer: 'SCB before' })),
      replay.next(order(3, { payer: 'SCB other' })),
      replay.next(order(3.2)),
      replay.next(order(4)),
    ].map((one) => one.goes);
    expect(goes).toEqual(['b', 'a', 'a', 'b', 'a']);
  });
});
