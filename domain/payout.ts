import type { Money } from './money';
import type { WithdrawalStatus } from './withdrawal';

/** The status of an attempt by a channel. UNKNOWN: sent, without a clear answer. */
export const CHANNEL_ATTEMPT_STATUSES = ['PREPARED', 'SENT', 'UNKNOWN', 'SUCCEEDED', 'REFUSED', 'FAILED'] as const;
/** One of CHANNEL_ATTEMPT_STATUSES. */
export type ChannelAttemptStatus = (typeof CHANNEL_ATTEMPT_STATUSES)[number];

/** The status of any payout attempt, by a channel or by a person. */
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
 * A channel's answer about a payout. REFUSED is definite: nothing was paid and nothing will be. FAILED may still turn
 * out to have been paid. RETURNED: it was paid, and the bank returned it. UNKNOWN is everything else: no answer, a
 * fault of the channel, an answer that does not fit.
 */
export type PayoutAnswer =
  | { readonly kind: 'ACCEPTED'; readonly channelOrderNo: string }
  | {
      readonly kind: 'COMPLETED';
      readonly channelOrderNo: string;
      readonly bankReference: string | null;
      /** The channel's charge, in the payout's currency; null where it does not say. */
      readonly cost: Money | null;
      /** A charge beyond a bound: it is reported, and not booked (channel-cost.ts, and the bound of its mapping). */
      readonly excessiveCost?: Money;
    }
  /** `unsent`: we refused it ourselves, before any byte of a request left (reasons begin with NOT_SENT). */
  | { readonly kind: 'REFUSED'; readonly reason: string; readonly unsent?: true }
  | { readonly kind: 'FAILED'; readonly reason: string; readonly channelOrderNo: string | null }
  | { readonly kind: 'RETURNED'; readonly reason: string; readonly channelOrderNo: string }
  | { readonly kind: 'UNKNOWN'; readonly reason: string };

/**
 * How the reason of a refusal begins that is our own: the request would not have said what was asked. It tells nothing
 * about the channel, so its breaker does not count it (db/functions/health.sql has the same words).
 */
export const NOT_SENT = 'not sent: ';

/** The facts by which an attempt is judged. */
export interface AttemptCase {
  /** When the request was about to be sent. */
  readonly sentAt: Date;
  /** When the channel last acknowledged that it has the payout. */
  readonly answeredAt: Date | null;
  /** When the channel first reported the present failure. */
  readonly failureReportedAt: Date | null;
  /** When the channel first reported a success. */
  readonly successReportedAt: Date | null;
  /** How long after its report a failure becomes final, seconds. */
  readonly failureFinalDelaySeconds: number;
  /** How long to wait for a clear answer before a person decides, seconds. */
  readonly answerWithinSeconds: number;
}

/**
 * What follows from an answer. PAID, REFUSED and FAILED are final. WAIT: ask again or listen; asking before `until`
 * decides nothing. INTERVENE: a person decides, and later answers still count.
 */
export type PayoutVerdict =
  | { readonly kind: 'PAID' }
  | { readonly kind: 'REFUSED'; readonly reason: string }
  | { readonly kind: 'FAILED'; readonly reason: string }
  | { readonly kind: 'WAIT'; readonly until: Date | null; readonly reason: string }
  | { readonly kind: 'INTERVENE'; readonly reason: string };

/** A person looks at a payout that a channel neither pays nor fails for this long, seconds. */
export const ACCEPTED_AT_MOST_SECONDS = 3 * 86_400;

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);

/** Waits for an answer, and asks for a person once that has taken too long. */
function waitOrIntervene(attempt: AttemptCase, reason: string, now: Date): PayoutVerdict {
  const heardAt = attempt.answeredAt ?? attempt.sentAt;
  const late = after(heardAt, attempt.answerWithinSeconds).getTime() <= now.getTime();
  return late ? { kind: 'INTERVENE', reason } : { kind: 'WAIT', until: null, reason };
}

/**
 * What an answer means for an attempt. Only a success and a refusal are believed at once. A failure is final when a
 * query finds it again after the channel's delay, and never if the channel has also reported a success
 * (docs/channels.md).
 */
export function verdictOnAnswer(attempt: AttemptCase, answer: PayoutAnswer, now: Date): PayoutVerdict {
  switch (answer.kind) {
    case 'COMPLETED':
    case 'RETURNED':
      return { kind: 'PAID' };
    case 'ACCEPTED': {
      const stuck = after(attempt.sentAt, ACCEPTED_AT_MOST_SECONDS).getTime() <= now.getTime();
      return stuck
        ? { kind: 'INTERVENE', reason: 'the channel has had the payout for days' }
        : { kind: 'WAIT', until: null, reason: 'the channel has the payout' };
    }
    case 'REFUSED':
    case 'FAILED': {
      const { successReportedAt, failureReportedAt, failureFinalDelaySeconds } = attempt;
      if (successReportedAt !== null)
        return waitOrIntervene(attempt, `the channel reported a success before: ${answer.reason}`, now);
      if (answer.kind === 'REFUSED') return { kind: 'REFUSED', reason: answer.reason };
      const reportedAt = failureReportedAt ?? now;
      const finalAt = after(reportedAt, failureFinalDelaySeconds);
      return failureReportedAt !== null && finalAt.getTime() <= now.getTime()
        ? { kind: 'FAILED', reason: answer.reason }
        : { kind: 'WAIT', until: finalAt, reason: `failed, not yet final: ${answer.reason}` };
    }
    case 'UNKNOWN':
      return waitOrIntervene(attempt, answer.reason, now);
  }
}

/**
 * How long after a final failure the channel is asked again whether the failure stands, seconds: it may have paid
 * without a report.
 */
export const RECHECK_AFTER_SECONDS = [600, 3_600, 6 * 3_600, 86_400, 3 * 86_400] as const;

/** When to ask again about a payout that failed now. */
export const firstRecheck = (failedAt: Date): Date => after(failedAt, RECHECK_AFTER_SECONDS[0]);

/** What the reference of a channel's attempt follows from, so that each that may have been used can be asked for. */
export interface ReferenceParts {
  readonly orderNo: string;
  /** Of the attempt: 1, 2, 3 … of its withdrawal. */
  readonly number: number;
  /** How often the platform's database was restored to an earlier state before. */
  readonly epoch: number;
  readonly channelCode: string;
}

/**
 * The idempotency reference by which a channel knows an attempt: `W20260102K3XQ7ZP0M4TB-1-0-fastpay`. The database
 * makes it (`payout_reference`); it names the channel and the epoch, so that no two attempts ever have the same, in
 * whatever copy of the database they were made.
 */
export const payoutReference = ({ orderNo, number, epoch, channelCode }: ReferenceParts): string =>
  `${orderNo}-${number}-${epoch}-${channelCode}`;

/** What follows when a channel reports something that contradicts how an attempt ended, and was asked again. */
export type Aftermath =
  | { readonly kind: 'NOTHING' }
  /**
   * The channel paid after all. `charged`: the merchant got its money back before, and pays as far as its balance goes.
   */
  | { readonly kind: 'PAID_AFTER_ALL'; readonly charged: boolean }
  | { readonly kind: 'RETURNED'; readonly reason: string }
  | { readonly kind: 'CONTRADICTED'; readonly reason: string }
  | { readonly kind: 'ASK_AGAIN'; readonly reason: string };

/** What an answer about an ended attempt means. A final order stays final: only the ledger follows. */
export function aftermathOf(
  ended: 'SUCCEEDED' | 'REFUSED' | 'FAILED',
  order: WithdrawalStatus,
  answer: PayoutAnswer,
): Aftermath {
  if (answer.kind === 'UNKNOWN') return { kind: 'ASK_AGAIN', reason: answer.reason };
  if (ended === 'SUCCEEDED') {
    if (answer.kind === 'COMPLETED') return { kind: 'NOTHING' };
    if (answer.kind === 'RETURNED') return { kind: 'RETURNED', reason: answer.reason };
    return {
      kind: 'CONTRADICTED',
      reason: `the payout was paid, and now the channel reports ${answer.kind}`,
    };
  }
  switch (answer.kind) {
    case 'FAILED':
    case 'REFUSED':
      return { kind: 'NOTHING' };
    case 'COMPLETED':
      return { kind: 'PAID_AFTER_ALL', charged: order === 'FAILED' || order === 'CANCELLED' };
    case 'ACCEPTED':
      return { kind: 'ASK_AGAIN', reason: 'the channel has accepted the payout again' };
    case 'RETURNED':
      return {
        kind: 'CONTRADICTED',
        reason: 'the payout was not paid, but now the channel reports RETURNED',
      };
  }
}
