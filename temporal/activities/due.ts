import { ApplicationFailure } from '@temporalio/activity';

/** How far Temporal's clock may be ahead of ours, milliseconds: more than synchronised clocks differ. */
export const CLOCK_TOLERANCE_MS = 1_000;

/**
 * Refuses to expire what has expired only by the clock of a workflow, which is Temporal's: the payer still has time by
 * ours.
 * @param at the workflow's time
 * @param ours our own
 * @throws a retryable failure, until it has expired by both
 */
export function refuseEarly(expireAt: Date, at: Date, ours: Date): void {
  const latest = new Date(ours.getTime() + CLOCK_TOLERANCE_MS);
  if (at <= latest || expireAt <= latest) return;
  throw ApplicationFailure.retryable(
    `by our clock it is at most ${latest.toISOString()}, not ${at.toISOString()}`,
    'NotYetDue',
  );
}
