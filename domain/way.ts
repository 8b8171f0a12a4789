import type { RouteGroup, RouteTarget, RoutingRule } from './routing-rules';
import { seededDraw } from './seeded-draw';

/*
 * The ways that an order may go, in the order in which they are tried. Everything that is drawn is drawn from the order's
 * id and the name of what is drawn for: an order always goes the same way, and the place of two beside each other does not
 * depend on a third.
 */

/** An account or a channel, as far as its place among others needs it. */
export interface UnaskedCandidate {
  readonly id: string;
  readonly kind: 'ACCOUNT' | 'CHANNEL';
  /** The pools of the order's currency that it is in. */
  readonly poolIds: readonly string[];
  /** Whether the order's merchant uses it without a rule: it is in its pool, or is its wallet. */
  readonly isMerchants: boolean;
  /** A channel that comes before accounts. */
  readonly first: boolean;
  /** The lowest is asked first; accounts have none. */
  readonly priority: number;
  /** Its share among equals. */
  readonly weight: number;
}

/** The same, and whether it takes a certain order. */
export interface Candidate extends UnaskedCandidate {
  /** Why it does not take the order; null: it does. */
  readonly refusal: string | null;
}

/** Where an order may go. */
export interface Way<One extends Candidate> {
  readonly candidate: One;
  /** Of the rule, from 1; null without one. */
  readonly group: number | null;
  /** The payer paid there before. */
  readonly sticky: boolean;
  /** Accounts come before it, or may have been added before it: what is remembered of them may be old. */
  readonly behindAccounts: boolean;
}

/** The ways that an order may go, and what does not take it. */
export interface WayPlan<One extends Candidate> {
  readonly ways: readonly Way<One>[];
  readonly refused: readonly { readonly candidate: One; readonly reason: string }[];
}

type Draw = (name: string) => number;

/** The largest draw ^ (1 / weight) falls on each with the probability of its share. */
const placeOf = (draw: Draw, name: string, weight: number): number => draw(name) ** (1 / weight);

const stepOf = ({ kind, first }: UnaskedCandidate): number => (kind === 'ACCOUNT' ? 1 : first ? 0 : 2);

/**
 * What is asked in turn without a rule: channels that go before accounts, accounts, other channels; channels by priority;
 * equals by chance and weight.
 */
export function inTurn<One extends UnaskedCandidate>(candidates: readonly One[], draw: Draw): readonly One[] {
  if (candidates.length < 2) return candidates;
  return candidates
    .map((candidate) => ({
      candidate,
      step: stepOf(candidate),
      priority: candidate.priority,
      place: placeOf(draw, candidate.id, candidate.weight),
    }))
    .sort((a, b) => a.step - b.step || a.priority - b.priority || b.place - a.place)
    .map(({ candidate }) => candidate);
}

/** What may take an order, in a list and by id. */
export interface Candidates<One extends UnaskedCandidate> {
  readonly all: readonly One[];
  readonly byId: ReadonlyMap<string, One>;
}

/** Candidates by id. */
export const candidatesOf = <One extends UnaskedCandidate>(all: readonly One[]): Candidates<One> => ({
  all,
  byId: new Map(all.map((candidate) => [candidate.id, candidate])),
});

/** Whether a target of a rule is, or contains, a candidate. */
function contains({ kind, id }: RouteTarget, candidate: UnaskedCandidate): boolean {
  if (kind === 'POOL') return id === null ? candidate.isMerchants : candidate.poolIds.includes(id);
  return kind === candidate.kind && id === candidate.id;
}

/** A candidate in its turn. */
interface Turn<One> {
  readonly candidate: One;
  readonly group: number | null;
  readonly sticky: boolean;
  /** Whether accounts that are not known yet may come before it. */
  readonly lastInPool: boolean;
}

const isLast = ({ kind, first }: UnaskedCandidate): boolean => kind === 'CHANNEL' && !first;

/** What a target is or contains, in turn. */
function inTarget<One extends UnaskedCandidate>(
  target: RouteTarget,
  { all, byId }: Candidates<One>,
  draw: Draw,
): readonly One[] {
  if (target.kind === 'POOL')
    return inTurn(
      all.filter((candidate) => contains(target, candidate)),
      draw,
    );
  const named = byId.get(target.id ?? '');
  return named && contains(target, named) ? [named] : [];
}

/** The targets of a group by chance and weight. */
const inGroup = ({ targets }: RouteGroup, draw: Draw): RouteTarget[] =>
  targets
    .map((target) => ({
      target,
      place: placeOf(draw, `${target.kind}:${target.id ?? ''}`, target.weight),
    }))
    .sort((a, b) => b.place - a.place)
    .map(({ target }) => target);

/** The candidates that a rule names in turn, each once. What comes after the one that takes the order is never drawn for. */
function* inRule<One extends UnaskedCandidate>(
  rule: RoutingRule,
  candidates: Candidates<One>,
  past: readonly string[],
  draw: Draw,
): Generator<Turn<One>, void> {
  if (rule.refuses) return;
  const had = new Set<string>();
  for (const id of rule.stickyPayer ? past : []) {
    const candidate = candidates.byId.get(id);
    if (!candidate || had.has(id)) continue;
    const group = rule.groups.findIndex(({ targets }) => targets.some((target) => contains(target, candidate)));
    if (group === -1) continue;
    had.add(id);
    yield { candidate, group: group + 1, sticky: true, lastInPool: false };
  }
  for (const [index, group] of rule.groups.entries())
    for (const target of inGroup(group, draw))
      for (const candidate of inTarget(target, candidates, draw)) {
        if (had.has(candidate.id)) continue;
        had.add(candidate.id);
        const lastInPool = target.kind === 'POOL' && isLast(candidate);
        yield { candidate, group: index + 1, sticky: false, lastInPool };
      }
}

/**
 * Plans the ways of an order.
 * @param rule null: as without rules, and only what the merchant uses
 * @param past ids of the accounts and channels that its payer paid at, the latest first
 * @param seed the order's id
 */
export function planWays<One extends Candidate>(
  rule: RoutingRule | null,
  candidates: readonly One[],
  past: readonly string[],
  seed: string,
): WayPlan<One> {
  const draw = seededDraw(seed);
  if (rule === null) return withoutRule(candidates, draw);
  const ways: Way<One>[] = [];
  const refused: { candidate: One; reason: string }[] = [];
  let accounts = false;
  for (const { candidate, group, sticky, lastInPool } of inRule(rule, candidatesOf(candidates), past, draw)) {
    const reason = candidate.refusal;
    if (reason === null) ways.push({ candidate, group, sticky, behindAccounts: accounts || lastInPool });
    else refused.push({ candidate, reason });
    accounts ||= candidate.kind === 'ACCOUNT';
  }
  return { ways, refused };
}

/**
 * The first of planWays alone. Refusals are asked for in turn, until one takes the order: each may take long to find.
 */
export function firstWay<One extends UnaskedCandidate>(
  rule: RoutingRule | null,
  candidates: Candidates<One>,
  past: readonly string[],
  seed: string,
  refusalOf: (candidate: One) => string | null,
): One | null {
  const draw = seededDraw(seed);
  if (rule) {
    for (const { candidate } of inRule(rule, candidates, past, draw))
      if (refusalOf(candidate) === null) return candidate;
    return null;
  }
  const own = candidates.all.filter(({ isMerchants }) => isMerchants);
  return inTurn(own, draw).find((candidate) => refusalOf(candidate) === null) ?? null;
}

/** Only what takes the order is drawn for: most accounts may be of other merchants. */
function withoutRule<One extends Candidate>(candidates: readonly One[], draw: Draw): WayPlan<One> {
  const eligible: One[] = [];
  const refused: { candidate: One; reason: string }[] = [];
  for (const candidate of candidates) {
    const reason = candidate.isMerchants ? candidate.refusal : 'NOT_IN_POOL';
    if (reason === null) eligible.push(candidate);
    else refused.push({ candidate, reason });
  }
  const ways = inTurn(eligible, draw).map((candidate) => ({
    candidate,
    group: null,
    sticky: false,
    behindAccounts: isLast(candidate),
  }));
  return { ways, refused };
}
