import fc from 'fast-check';
import type { RoutingRule } from '../../domain/routing-rules';
import { seededDraw } from '../../domain/seeded-draw';
import { type Candidate, candidatesOf, firstWay, planWays } from '../../domain/way';
import { groupOf, plainRule, type ShortTarget } from '../support/routing-rules';

const candidate = (id: string, other: Partial<Candidate> = {}): Candidate => ({
  id,
  kind: 'ACCOUNT',
  poolIds: [],
  isMerchants: true,
  first: false,
  priority: 0,
  weight: 1,
  refusal: null,
  ...other,
});
const channel = (id: string, other: Partial<Candidate> = {}): Candidate =>
  candidate(id, { kind: 'CHANNEL', priority: 5, ...other });
const idsOf = (plan: ReturnType<typeof planWays>): string[] => plan.ways.map((way) => way.candidate.id);

const PICKS = 10_000;
/** Each target's share of the first places. */
function shares(plan: (seed: string) => string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (let n = 0; n < PICKS; n++) {
    const first = plan(`0190aaaa-0000-7000-8000-${String(n).padStart(12, '0')}`) ?? 'none';
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return new Map([...counts].map(([id, count]) => [id, count / PICKS]));
}
const isNear = (share: number | undefined, expected: number): boolean => Math.abs((share ?? 0) - expected) < 0.02;

describe('the targets of an order without a rule', () => {
  it('are channels that go first, then accounts, then other channels by priority', () => {
    const plan = planWays(
      null,
      [
        channel('late', { priority: 9 }),
        channel('soon', { priority: 1 }),
        candidate('account'),
        channel('first', { first: true }),
        candidate('paused', { refusal: 'NOT_ACTIVE' }),
        candidate('foreign', { isMerchants: false }),
      ],
      [],
      'order',
    );
    expect(idsOf(plan)).toEqual(['first', 'account', 'soon', 'late']);
    expect(plan.ways.map((way) => way.behindAccounts)).toEqual([false, false, true, true]);
    expect(plan.refused.map(({ candidate: { id }, reason }) => [id, reason])).toEqual([
      ['paused', 'NOT_ACTIVE'],
      ['foreign', 'NOT_IN_POOL'],
    ]);
  });

  it('begin with each account equally often, within two percentage points', () => {
    const four = ['a', 'b', 'c', 'd'].map((id) => candidate(id));
    const found = shares((seed) => idsOf(planWays(null, four, [], seed))[0]);
    for (const { id } of four) expect([id, isNear(found.get(id), 0.25)]).toEqual([id, true]);
  });
});

describe('the targets of an order by a rule', () => {
  it('begin with each target in proportion to its weight, within two percentage points', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 5 }), (weights) => {
        const targets = weights.map((weight, n): ShortTarget => ['ACCOUNT', `a${n}`, weight]);
        const all = weights.map((_weight, n) => candidate(`a${n}`));
        const rule = plainRule('weights', targets);
        const found = shares((seed) => idsOf(planWays(rule, all, [], seed))[0]);
        const sum = weights.reduce((one, other) => one + other, 0);
        for (const [n, weight] of weights.entries())
          expect([weights, n, isNear(found.get(`a${n}`), weight / sum)]).toEqual([weights, n, true]);
      }),
      { numRuns: 3, seed: 18 },
    );
  });

  const anyCandidate = fc.record({
    id: fc.constantFrom(...Array.from({ length: 12 }, (_none, n) => `c${n}`)),
    kind: fc.constantFrom('ACCOUNT' as const, 'CHANNEL' as const),
    poolIds: fc.subarray(['p', 'q']),
    isMerchants: fc.boolean(),
    first: fc.boolean(),
    priority: fc.integer({ min: 0, max: 2 }),
    weight: fc.integer({ min: 1, max: 3 }),
    refusal: fc.constantFrom(null, null, 'DOWN'),
  });
  const anyTarget = fc.oneof(
    fc.constantFrom<ShortTarget>(['POOL', null], ['POOL', 'p'], ['POOL', 'q']),
    fc
      .tuple(fc.constantFrom('ACCOUNT' as const, 'CHANNEL' as const), fc.nat({ max: 11 }))
      .map(([kind, n]): ShortTarget => [kind, `c${n}`]),
  );
  const anyGroups = fc.array(
    fc.uniqueArray(anyTarget, { minLength: 1, maxLength: 4, selector: (target) => target.join() }),
    { minLength: 1, maxLength: 3 },
  );

  it('are those that the rule names and that accept it, in group order, the payer’s own first, repeatably', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyCandidate, { maxLength: 12, selector: ({ id }) => id }),
        anyGroups,
        fc.boolean(),
        fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 3 }),
        fc.uuid(),
        (candidates, groups, stickyPayer, paid, seed) => {
          const past = paid.map((n) => `c${n}`);
          const rule = { ...plainRule('any', []), stickyPayer, groups: groups.map(groupOf) };
          const plan = planWays(rule, candidates, past, seed);
          // Calculated again: the first group that names each.
          const groupOfId = (one: (typeof candidates)[number]): number =>
            groups.findIndex((targets) =>
              targets.some(([kind, id]) =>
                kind === 'POOL'
                  ? id === null
                    ? one.isMerchants
                    : one.poolIds.includes(id)
                  : kind === one.kind && id === one.id,
              ),
            ) + 1;
          const named = candidates.filter((one) => groupOfId(one) > 0);
          expect(idsOf(plan).sort()).toEqual(
            named
              .filter(({ refusal }) => refusal === null)
              .map(({ id }) => id)
              .sort(),
          );
          expect(plan.refused.map(({ candidate: { id } }) => id).sort()).toEqual(
            named
              .filter(({ refusal }) => refusal !== null)
              .map(({ id }) => id)
              .sort(),
          );
          const before = plan.ways.filter(({ sticky }) => sticky);
          const others = plan.ways.slice(before.length);
          expect(others.every(({ sticky }) => !sticky)).toBe(true);
          expect(before.map((way) => way.candidate.id)).toEqual(
            stickyPayer ? past.filter((id) => idsOf(plan).includes(id)) : [],
          );
          const order = others.map((way) => way.group ?? 0);
          expect(order).toEqual([...order].sort((a, b) => a - b));
          for (const { candidate: one, group } of plan.ways) expect(group).toBe(groupOfId(one as never));
          // The same for each call; without one of them, the others keep their order.
          expect(idsOf(planWays(rule, [...candidates].reverse(), past, seed))).toEqual(idsOf(plan));
          const without = candidates.filter(({ id }) => id !== plan.ways[0]?.candidate.id);
          expect(idsOf(planWays(rule, without, past, seed))).toEqual(idsOf(plan).slice(1));
        },
      ),
      { numRuns: 200, seed: 18 },
    );
  });

  /** The simple way: draws and sorts all targets of the rule, then moves those that the payer used to the front. */
  function byHand(
    { groups, stickyPayer }: RoutingRule,
    candidates: readonly Candidate[],
    past: readonly string[],
    seed: string,
  ): string[] {
    const draw = seededDraw(seed);
    const byPlace = <One>(list: readonly One[], placeOf: (one: One) => number): One[] =>
      [...list].sort((one, other) => placeOf(other) - placeOf(one));
    const step = ({ kind, first }: Candidate): number => (kind === 'ACCOUNT' ? 1 : first ? 0 : 2);
    const listed = groups.flatMap(({ targets }) =>
      byPlace(targets, ({ kind, id, weight }) => draw(`${kind}:${id ?? ''}`) ** (1 / weight)).flatMap((target) => {
        const here = candidates.filter((one) =>
          target.kind !== 'POOL'
            ? one.kind === target.kind && one.id === target.id
            : target.id === null
              ? one.isMerchants
              : one.poolIds.includes(target.id),
        );
        return byPlace(here, ({ id, weight }) => draw(id) ** (1 / weight)).sort(
          (one, other) => step(one) - step(other) || one.priority - other.priority,
        );
      }),
    );
    const ids = [...new Set(listed.map(({ id }) => id))];
    const known = stickyPayer ? [...new Set(past)].filter((id) => ids.includes(id)) : [];
    return [...known, ...ids.filter((id) => !known.includes(id))];
  }

  it('are tried in the order of a full sort, also when only the first is needed', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyCandidate, { maxLength: 12, selector: ({ id }) => id }),
        anyGroups,
        fc.boolean(),
        fc.array(fc.nat({ max: 11 }), { maxLength: 4 }),
        fc.uuid(),
        (candidates, groups, stickyPayer, paid, seed) => {
          const past = paid.map((n) => `c${n}`);
          const plain = { ...plainRule('any', []), groups: groups.map(groupOf) };
          const rule = { ...plain, stickyPayer };
          const takes = new Set(candidates.filter(({ refusal }) => refusal === null).map(({ id }) => id));
          const expected = byHand(rule, candidates, past, seed).filter((id) => takes.has(id));
          expect(idsOf(planWays(rule, candidates, past, seed))).toEqual(expected);
          for (const asked of [rule, null]) {
            const first = firstWay(
              ...([asked, candidatesOf(candidates), past, seed] as const),
              ({ refusal }) => refusal,
            );
            const plan = planWays(asked, candidates, past, seed);
            expect(first?.id).toBe(plan.ways[0]?.candidate.id);
          }
        },
      ),
      { numRuns: 400, seed: 19 },
    );
  });

  it('use a pool as without rules', () => {
    const all = [
      channel('last', { poolIds: ['p'] }),
      channel('first', { poolIds: ['p'], first: true }),
      candidate('account', { poolIds: ['p'], isMerchants: false }),
      candidate('elsewhere'),
    ];
    const pool = plainRule('pool', [['POOL', 'p']]);
    expect(idsOf(planWays(pool, all, [], 'order'))).toEqual(['first', 'account', 'last']);
    const own = plainRule('own', [['POOL', null]]);
    expect(idsOf(planWays(own, all, [], 'order'))).toEqual(['first', 'elsewhere', 'last']);
  });

  it('are none if the rule refuses, or if no named target accepts the order', () => {
    const refusing = { ...plainRule('no', []), refuses: true };
    expect(planWays(refusing, [candidate('a')], [], 'order')).toEqual({ ways: [], refused: [] });
    const other = plainRule('other', [['ACCOUNT', 'b']]);
    expect(planWays(other, [candidate('a')], [], 'order')).toEqual({ ways: [], refused: [] });
  });
});
