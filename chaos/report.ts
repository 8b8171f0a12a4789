import { type Failpoint, FAILPOINTS } from '../runtime/failpoints';
import type { FailpointFolder } from '../local/failpoint-folder';
import { slowestMs, type Timed } from './gateways';
import type { Member } from './member';
import { type Books, eventOf, mostOfAnArming, type Verdict } from './verdict';

/** Only the first entries of each list are shown. */
const SHOWN = 10;

/** What was found wrong, one line each. */
export function findings(verdict: Verdict, breaches: readonly string[]): string[] {
  const lists = { ...verdict, breach: breaches };
  return Object.entries(lists).flatMap(([kind, list]: [string, readonly string[]]) => [
    ...list.slice(0, SHOWN).map((text) => `${kind}: ${text}`),
    ...(list.length > SHOWN ? [`${kind}: and ${list.length - SHOWN} more`] : []),
  ]);
}

/** Steps that no process reached: they prove nothing. */
export const neverPassed = (failpoints: FailpointFolder): Failpoint[] =>
  (Object.keys(FAILPOINTS) as (keyof typeof FAILPOINTS)[]).filter((step) => failpoints.passes(step) === 0);

/** A summary in one line: it shows that the faults took effect. */
export function details(
  books: Books,
  answers: readonly Timed[],
  members: readonly Member[],
  failpoints: FailpointFolder,
): string {
  const steps = Object.keys(FAILPOINTS).length;
  const kills = members.filter(({ kills }) => kills > 0).map((m) => `${m.name} ${m.kills}`);
  const slowest = slowestMs(answers);
  return [
    `paid=${books.payments.length}`,
    `kills=${kills.length === 0 ? '0' : kills.join('+')}`,
    `steps=${steps - neverPassed(failpoints).length}/${steps}`,
    `answers=${countsOf(answers.map(({ status }) => (status === 0 ? 'none' : String(status))))}`,
    `slowest=${(slowest / 1000).toFixed(1)}s`,
    `callbacks=${countsOf(books.ledger.notifications.map(({ status }) => status))}`,
    ...callbackDetails(books),
  ].join(' ');
}

/** Callbacks that came more than once: merchants deduplicate, so these are no doubles. */
function callbackDetails({ arrivals, rearmed, ledger }: Books): string[] {
  const came = ledger.notifications.map(({ orderNo, type }) => {
    const got = arrivals.filter((a) => a.orderNo === orderNo && a.event === eventOf(type));
    return {
      again: got.length > 1,
      most: mostOfAnArming(got, rearmed.get(`${orderNo} ${eventOf(type)}`) ?? []),
    };
  });
  return [
    `came-again=${came.filter(({ again }) => again).length}`,
    `most-attempts=${Math.max(0, ...came.map(({ most }) => most))}`,
    `rearmed=${rearmed.size}`,
  ];
}

function countsOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name}:${count}`)
    .join(',');
}
