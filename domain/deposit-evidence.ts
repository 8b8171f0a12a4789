import {
  type Candidate,
  CANDIDATE_REASONS,
  type PossibleDeposit,
  rankCandidates,
  type UnclaimedTransfer,
} from './candidates';
import type { DepositAttemptStatus } from './channel-deposit';
import { creditSentence, differencesOf } from './credit-words';
import type { UnmatchedReason } from './matching';
import type { Money } from './money';
import { remarksIn } from './remark';

/** Why a deposit is not credited, or that it is; the first that applies. */
export const DEPOSIT_ANSWERS = {
  CREDITED: 'The money is in the balance of the merchant.',
  CREDIT_FOLLOWS: 'The money is there and is about to be credited.',
  MONEY_WAITS: 'A bank credit that waits for an operator names it.',
  MONEY_NEAR: 'A bank credit that waits for an operator may be for it.',
  CLAIMED: 'The payer claims to have paid, and no such bank credit is known.',
  AT_CHANNEL: 'Its channel has reported its state.',
  ACCOUNT_SILENT: 'Nothing was reported on its account since it was created.',
  NOTHING: 'Nothing has come for it.',
} as const;
/** One of DEPOSIT_ANSWERS. */
export type DepositAnswer = keyof typeof DEPOSIT_ANSWERS;

/** A bank credit that waits for a person. */
export interface WaitingCredit extends UnclaimedTransfer {
  readonly id: string;
  readonly unmatchedReason: UnmatchedReason | null;
  /** It was matched to this deposit before. */
  readonly wasMatched?: boolean;
}

/** The evidence of why a deposit is not credited. */
export interface EvidenceFacts<Credit extends WaitingCredit = WaitingCredit> {
  readonly deposit: PossibleDeposit & {
    readonly matchedAt: Date | null;
    readonly completedAt: Date | null;
  };
  /** Waiting bank credits that may pay it. */
  readonly credits: readonly Credit[];
  /** The payer's claim, with the bank's reference as the payer wrote it. */
  readonly claim: { readonly reference: string; readonly at: Date } | null;
  /** The state of its managed account; null without one. */
  readonly account: { readonly lastReportAt: Date | null; readonly paused: boolean } | null;
  /** A payer's name as the reader may see it; the name itself by default. */
  readonly shownName?: (name: string) => string;
  /** Its newest attempt at a channel; null without one. */
  readonly channel: {
    readonly name: string;
    readonly status: DepositAttemptStatus;
    readonly since: Date;
    readonly lastError: string | null;
  } | null;
}

/** A bank credit that may pay a deposit. */
export interface CreditForDeposit<Credit extends WaitingCredit = WaitingCredit> extends Pick<
  Candidate,
  'reasons' | 'score'
> {
  readonly transfer: Credit;
  /** How it differs from the exact payment of the deposit, as text. */
  readonly differences: readonly string[];
  /** The received amount less the amount to be paid; null in another currency. */
  readonly amountDifference: Money | null;
  readonly sentence: string;
}

/** Why a deposit is not credited. */
export interface DepositEvidence<Credit extends WaitingCredit = WaitingCredit> {
  readonly answer: DepositAnswer;
  /** For people. Times are ISO 8601 in UTC. */
  readonly sentence: string;
  /** The likeliest first. */
  readonly credits: readonly CreditForDeposit<Credit>[];
  readonly lastReportAt: Date | null;
}

/** The most credits that are shown with an order. */
const SHOWN = 10;
/** How far an amount may be off to be shown: an operator who searches a payment wants to see near ones. */
const LEAST_SCORE = CANDIDATE_REASONS.AMOUNT_NEAR + CANDIDATE_REASONS.IN_TIME;

/** Its memo has a remark that is not this order's. */
function namesAnother({ memo }: WaitingCredit, { expectedRemark }: PossibleDeposit): boolean {
  const remarks = remarksIn(memo);
  return remarks.length > 0 && !remarks.includes(expectedRemark ?? '');
}

/**
 * Whether a credit identifies a deposit: by its remark, by an earlier match, or by the exact amount if that
 * distinguishes payers.
 */
const names = (
  { transfer, reasons }: Pick<CreditForDeposit, 'transfer' | 'reasons'>,
  { expectedRemark, accountId }: PossibleDeposit,
): boolean =>
  reasons.includes('REMARK') ||
  transfer.wasMatched === true ||
  (expectedRemark === null &&
    transfer.accountId === accountId &&
    reasons.includes('AMOUNT') &&
    reasons.includes('IN_TIME'));

/** The waiting credits that may pay a deposit, the likeliest first. */
export function creditsFor<Credit extends WaitingCredit>(
  deposit: PossibleDeposit,
  credits: readonly Credit[],
  shownName?: (name: string) => string,
): CreditForDeposit<Credit>[] {
  return credits
    .flatMap((transfer): CreditForDeposit<Credit>[] => {
      const once = transfer.wasMatched === true;
      const [ranked] = namesAnother(transfer, deposit) ? [] : rankCandidates(transfer, [deposit], LEAST_SCORE);
      if (!ranked && !once) return [];
      const { reasons, score } = ranked ?? { reasons: [], score: 0 };
      const differences = differencesOf(transfer, deposit, reasons, shownName);
      const same = transfer.currencyCode === deposit.currencyCode;
      const how = once ? 'and was matched to this order' : undefined;
      return [
        {
          transfer,
          reasons,
          score,
          differences,
          amountDifference: same ? transfer.amount.minus(deposit.amount) : null,
          sentence: creditSentence(transfer, { reasons, differences, whose: "this order's", how }),
        },
      ];
    })
    .sort(
      (a, b) =>
        b.score - a.score ||
        Number(names(b, deposit)) - Number(names(a, deposit)) ||
        a.transfer.bankTime.getTime() - b.transfer.bankTime.getTime() ||
        (a.transfer.id < b.transfer.id ? -1 : 1),
    )
    .slice(0, SHOWN);
}

function channelSentence({ name, status, since, lastError }: NonNullable<EvidenceFacts['channel']>): string {
  const at = since.toISOString();
  const why = lastError === null ? '' : ` (${lastError})`;
  switch (status) {
    case 'PREPARED':
      return `Channel ${name} has not been asked yet.`;
    case 'SENT':
      return `Channel ${name} was asked and has not answered clearly since ${at}${why}.`;
    case 'OPEN':
      return `Channel ${name} has it open and reports no money; it last said so at ${at}${why}.`;
    case 'PAID':
      return `Channel ${name} reports the money since ${at}.`;
    case 'REFUSED':
      return `Channel ${name} refused it at ${at}${why}.`;
    case 'FAILED':
      return `Channel ${name} reported its failure at ${at}${why}.`;
  }
}

function accountSentence({ lastReportAt, paused }: NonNullable<EvidenceFacts['account']>, createdAt: Date): string {
  const silent = lastReportAt === null || lastReportAt < createdAt;
  const report =
    lastReportAt === null
      ? 'Nothing was ever reported on its account.'
      : silent
        ? `Nothing was reported on its account since ${lastReportAt.toISOString()}, before the order.`
        : `The last report on its account came at ${lastReportAt.toISOString()}.`;
  return paused ? `${report} The account is paused: operators match what comes.` : report;
}

/** Why a deposit is not credited: credits that may pay it, its payer's claim, missing reports. */
export function evidenceOf<Credit extends WaitingCredit>({
  deposit,
  credits: waiting,
  claim,
  account,
  channel,
  shownName,
}: EvidenceFacts<Credit>): DepositEvidence<Credit> {
  const { status, matchedAt, completedAt, createdAt } = deposit;
  const credits = creditsFor(deposit, waiting, shownName);
  const lastReportAt = account?.lastReportAt ?? null;
  const [first, ...others] = credits;
  const said = (answer: DepositAnswer, ...sentences: readonly (string | false | null)[]) => ({
    answer,
    sentence: sentences.filter(Boolean).join(' '),
    credits,
    lastReportAt,
  });
  const more =
    others.length > 0 && `${others.length} more ${others.length === 1 ? 'credit' : 'credits'} may be for it.`;
  const claimed =
    claim && `The payer claims to have paid under the reference ${claim.reference} at ${claim.at.toISOString()}`;

  if (status === 'COMPLETED')
    return said('CREDITED', `Credited at ${(completedAt ?? createdAt).toISOString()}.`, first?.sentence ?? null);
  if (status === 'MATCHED')
    return said(
      'CREDIT_FOLLOWS',
      `The money is there since ${(matchedAt ?? createdAt).toISOString()}, and the credit follows.`,
      first?.sentence ?? null,
    );
  if (first)
    return said(names(first, deposit) ? 'MONEY_WAITS' : 'MONEY_NEAR', first.sentence, more, claimed && `${claimed}.`);
  const nothing =
    status === 'PENDING' ? 'Nothing has come for it.' : `Nothing has come for it; it is ${status.toLowerCase()}.`;
  const bank = account && accountSentence(account, createdAt);
  if (claimed) return said('CLAIMED', `${claimed}: no such credit is known.`, bank);
  if (channel) return said('AT_CHANNEL', channelSentence(channel), bank);
  if (account && (lastReportAt === null || lastReportAt < createdAt)) return said('ACCOUNT_SILENT', nothing, bank);
  return said('NOTHING', nothing, bank);
}
