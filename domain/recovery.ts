import { type PayoutAttemptStatus, payoutReference } from './payout';

/**
 * Findings of a recovery. About a withdrawal for which every channel was queried: NOT_PAID, no channel has paid it or
 * will; AT_CHANNEL, one has, and the order follows its answers; UNEXPLAINED, one has, but the order cannot follow;
 * UNANSWERED, a channel did not answer. OPEN_RETURN: a return to a payer that people may have sent.
 * UNKNOWN_HERE: a channel lists a payout that the database does not have.
 * NO_LIST: a channel cannot list payouts. LOST_NUMBER: an order that was answered with 201 and lost, as an operator
 * knows from logs or a merchant.
 */
export const FINDING_KINDS = [
  'NOT_PAID',
  'AT_CHANNEL',
  'UNEXPLAINED',
  'UNANSWERED',
  'OPEN_RETURN',
  'UNKNOWN_HERE',
  'NO_LIST',
  'LOST_NUMBER',
] as const;
/** The findings that two people can explain: until then something is held, at least for the people who pay by hand. */
export const EXPLAINED_KINDS: ReadonlySet<FindingKind> = new Set([
  ...(['UNANSWERED', 'UNEXPLAINED', 'NOT_PAID', 'OPEN_RETURN'] as const),
]);
/** One of FINDING_KINDS. */
export type FindingKind = (typeof FINDING_KINDS)[number];

/** A channel as a reference names it. */
export interface ReferenceChannel {
  readonly id: string;
  readonly channelCode: string;
}

/** A reference that a channel may know, with what it was made of. */
export interface PossibleReference {
  readonly reference: string;
  readonly channelId: string;
  /** Of the attempt. */
  readonly number: number;
}

/** An attempt that the database knows. */
interface KnownAttempt {
  readonly number: number;
  readonly channelId: string | null;
  readonly reference: string;
  readonly status: PayoutAttemptStatus;
}

/**
 * How many attempts are allowed for that were made at channels that are not queried: a channel that was created in the
 * lost time, one without records, such as MOCK, or one that pays another currency now.
 */
export const ATTEMPTS_ELSEWHERE = 3;

/**
 * Every reference by which a channel may have been asked to pay a withdrawal, in the order of the attempts: those that are
 * known, and those of attempts that the database has lost. An attempt follows each refusal, and no channel gets a
 * withdrawal twice: so there are no more attempts than the known ones, one for each channel that had none, and those at
 * channels that are not queried. A channel whose attempt is only prepared counts as untried: it may have been prepared
 * since the restore, and the channel may have got another one in the lost time.
 * @param channels all that may have been tried, also disabled ones
 * @param epochs the epochs that may have been in force when an attempt was made
 */
export function referencesToAsk(
  orderNo: string,
  attempts: readonly KnownAttempt[],
  channels: readonly ReferenceChannel[],
  epochs: number,
): PossibleReference[] {
  const untried = channels.filter(({ id }) =>
    attempts.every(({ channelId, status }) => channelId !== id || status === 'PREPARED'),
  );
  const most = attempts.length + untried.length + ATTEMPTS_ELSEWHERE;
  const known = attempts.flatMap(({ number, channelId, reference }) =>
    channelId === null ? [] : [{ number, channelId, reference }],
  );
  // Also of the numbers that are known: here they may have been given again since the database was restored.
  const lost = Array.from({ length: most }, (_, n) => n + 1).flatMap((number) =>
    untried.flatMap(({ id: channelId, channelCode }) => [
      // As it was before references named the channel.
      { number, channelId, reference: `${orderNo}-${number}` },
      ...Array.from({ length: epochs }, (_, epoch) => ({
        number,
        channelId,
        reference: payoutReference({ orderNo, number, epoch, channelCode }),
      })),
    ]),
  );
  const isKnown = (one: PossibleReference): boolean =>
    known.some(({ reference, channelId }) => reference === one.reference && channelId === one.channelId);
  return [...known, ...lost.filter((one) => !isKnown(one))].sort((a, b) => a.number - b.number);
}

/** A recovery, as far as its questions go. */
interface AskedRecovery {
  readonly begunAt: Date;
  /** When the last round of questions that reached every withdrawal began. */
  readonly askedAt: Date | null;
}

/**
 * After so long no request is under way whose marker was raised before the recovery began: it leaves within 15 s of that
 * (temporal/activities/payouts.ts), and a channel's takes 60 s at most.
 */
export const REQUESTS_END_MS = 90_000;

/** Whether no request from before the recovery is under way any more. */
export const requestsHaveEnded = ({ begunAt }: Pick<AskedRecovery, 'begunAt'>, at: Date): boolean =>
  at.getTime() - begunAt.getTime() >= REQUESTS_END_MS;

/** Whether channels were asked for every withdrawal when nothing was on its way to them any more. */
export const isFullyAsked = (recovery: AskedRecovery): boolean =>
  recovery.askedAt !== null && requestsHaveEnded(recovery, recovery.askedAt);
