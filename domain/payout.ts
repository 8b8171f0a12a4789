import type { Money } from './money';
import type { WithdrawalStatus } from './withdrawal';

/** Where a try at paying by a channel stands. UNKNOWN: sent, and nothing clear came back. */
export const CHANNEL_ATTEMPT_STATUSES = [
  'PREPARED',
  'SENT',
  'UNKNOWN',
  'SUCCEEDED',
  'REFUSED',
  'FAILED',
] as const;
/** One of CHANNEL_ATTEMPT_STATUSES. */
export type ChannelAttemptStatus = (typeof CHANNEL_ATTEMPT_STATUSES)[number];

/** Where any try stands, by a channel or by a person. */
export const PAYOUT_ATTEMPT_STATUSES = [
  ...CHANNEL_ATTEMPT_STATUSES,
  'OPEN',
  'CLAIMED',
  'SENDING',
  'COMPLETED',
  'CANCELLED',
] as const;
/** One of PAYOUT_ATTEMPT_STATUSES. */
export type PayoutAttemptStatus = (typeof PAYOUT_ATTEMPT_STATUSES)[number];

/**
 * What a channel says of a payout. REFUSED is definite: nothing happened and nothing will. FAILED may still turn out
 * to have been paid. RETURNED: it was paid, and the bank gave it back. UNKNOWN is everything that is none of these:
 * no answer, a fault of the channel's, an answer that does not fit.
 */
export type PayoutAnswer =
  | { readonly kind: 'ACCEPTED'; readonly channelOrderNo: string }
  | {
      readonly kind: 'COMPLETED';
      readonly channelOrderNo: string;
      readonly bankReference: string | null;
      /** What the channel charged, in the payout's currency; null where it does not say. */
      readonly cost: Money | null;
    }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | { readonly kind: 'FAILED'; readonly reason: string; readonly channelOrderNo: string | null }
  | { readonly kind: 'RETURNED'; readonly reason: string; readonly channelOrderNo: string }
  | { readonly kind: 'UNKNOWN'; readonly reason: string };

/** What a try at a payout is judged by. */
export interface AttemptCase {
  /** When the request was about to be sent. */
  readonly sentAt: Date;
  /** When the channel last said that it has it. */
  readonly answeredAt: Date | null;
  /** When it first reported the failure that it reports now. */
  readonly failureReportedAt: Date | null;
  /** When it first told of a success. */
  readonly successReportedAt: Date | null;
  /** A reported failure is final after this; seconds. */
  readonly failureFinalDelaySeconds: number;
  /** Without a clear answer for so long a person decides; seconds. */
  readonly answerWithinSeconds: number;
}

/**
 * What follows from an answer. PAID, REFUSED and FAILED are final. WAIT: ask again, or listen; with `until` the time
 * before which asking again decides nothing. INTERVENE: a person decides, and news still counts.
 */
export type PayoutVerdict =
  | { readonly kind: 'PAID' }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | { readonly kind: 'FAILED'; readonly reason: string }
  | { readonly kind: 'WAIT'; readonly until: Date | null; readonly reason: string }
  | { readonly kind: 'INTERVENE'; readonly reason: string };

/** A channel that has a payout and neither pays nor fails it gets a person's attention after this, seconds. */
export const ACCEPTED_AT_MOST_SECONDS = 3 * 86_400;

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

/** Waits while that makes sense, then asks for a person. */
function waitOrIntervene(attempt: AttemptCase, reason: string, now: Date): PayoutVerdict {
  const heardAt = attempt.answeredAt ?? attempt.sentAt;
  const late = after(heardAt, attempt.answerWithinSeconds).getTime() <= now.getTime();
  return late ? { kind: 'INTERVENE', reason } : { kind: 'WAIT', until: null, reason };
}

/**
 * What an answer means for a try at a payout. Only a success and a refusal are believed at once: a failure
 * is final when a query finds it again after the channel's delay, and never if the channel has also told of a success
 * (docs/channels.md).
 */
export function verdictOnAnswer(
  attempt: AttemptCase,
  answer: PayoutAnswer,
  now: Date,
): PayoutVerdict {
  switch (answer.kind) {
    case 'COMPLETED':
    case 'RETURNED':
      return { kind: 'PAID' };
    case 'ACCEPTED': {
      const stuck = after(attempt.sentAt, ACCEPTED_AT_MOST_SECONDS).getTime() <= now.getTime();
      return stuck
        ? { kind: 'INTERVENE', reason: 'the channel has had it for days' }
        : { kind: 'WAIT', until: null, reason: 'the channel has it' };
    }
    case 'REFUSED':
    case 'FAILED': {
      const { successReportedAt, failureReportedAt, failureFinalDelaySeconds } = attempt;
      if (successReportedAt !== null)
        return waitOrIntervene(attempt, `told of a success, and of this: ${answer.reason}`, now);
      if (answer.kind === 'REFUSED') return { kind: 'REFUSED', reason: answer.reason };
      const reportedAt = failureReportedAt ?? now;
      const finalAt = after(reportedAt, failureFinalDelaySeconds);
      return failureReportedAt !== null && finalAt.getTime() <= now.getTime()
        ? { kind: 'FAILED', reason: answer.reason }
        : { kind: 'WAIT', until: finalAt, reason: `failed, not final yet: ${answer.reason}` };
    }
    case 'UNKNOWN':
      return waitOrIntervene(attempt, answer.reason, now);
  }
}

/**
 * A channel that failed a payout for good is asked so long after the failure whether that still stands, seconds: it
 * may have paid in silence.
 */
export const RECHECK_AFTER_SECONDS = [600, 3_600, 6 * 3_600, 86_400, 3 * 86_400] as const;

/** When a payout that failed now is asked for again. */
export const firstRecheck = (failedAt: Date): Date => after(failedAt, RECHECK_AFTER_SECONDS[0]);

/** The idempotency reference by which a payer knows a try: `W20260102K3XQ7ZP0M4TB-1`. */
export const payoutReference = (orderNo: string, number: number): string => `${orderNo}-${number}`;

/** What follows where a channel told something that does not fit how a try ended, and was asked again. */
export type Aftermath =
  | { readonly kind: 'NOTHING' }
  /** It paid after all. `charged`: the merchant got its money back before, and pays as far as it can. */
  | { readonly kind: 'PAID_AFTER_ALL'; readonly charged: boolean }
  | { readonly kind: 'RETURNED'; readonly reason: string }
  | { readonly kind: 'CONTRADICTED'; readonly reason: string }
  | { readonly kind: 'ASK_AGAIN'; readonly reason: string };

/** What an answer about a try that has ended means. A final order stays final: only the ledger follows. */
export function aftermathOf(
  ended: 'SUCCEEDED' | 'REFUSED' | 'FAILED',
  order: WithdrawalStatus,
  answer: PayoutAnswer,
): Aftermath {
  if (answer.kind === 'UNKNOWN') return { kind: 'ASK_AGAIN', reason: answer.reason };
  if (ended === 'SUCCEEDED') {
    if (answer.kind === 'COMPLETED') return { kind: 'NOTHING' };
    if (answer.kind === 'RETURNED') return { kind: 'RETURNED', reason: answer.reason };
    return { kind: 'CONTRADICTED', reason: `it was paid, and now the channel says ${answer.kind}` };
  }
  switch (answer.kind) {
    case 'FAILED':
    case 'REFUSED':
      return { kind: 'NOTHING' };
    case 'COMPLETED':
      return { kind: 'PAID_AFTER_ALL', charged: order === 'FAILED' || order === 'CANCELLED' };
    case 'ACCEPTED':
      return { kind: 'ASK_AGAIN', reason: 'the channel has it again' };
    case 'RETURNED':
      return { kind: 'CONTRADICTED', reason: 'it was not paid, and now the channel says RETURNED' };
  }
}
