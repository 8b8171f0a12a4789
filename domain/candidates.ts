import { normaliseReference } from './bank-reference';
import type { DepositStatus } from './deposit';
import { LIMITS } from './limits';
import type { Money } from './money';
import { last4Of, nameTokens, sameName } from './payer';
import { normaliseMemo, REMARK_LENGTH } from './remark';

/** An unmatched bank credit, as far as it may identify its deposit. */
export interface UnclaimedTransfer {
  readonly accountId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly bankTime: Date;
  readonly memo: string;
  readonly bankReference: string | null;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
}

/** A deposit that the bank credit may pay. */
export interface PossibleDeposit {
  readonly id: string;
  readonly accountId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly status: DepositStatus;
  readonly expectedRemark: string | null;
  readonly payerName: string | null;
  readonly payerAccountLast4: string | null;
  /** The bank's reference in the payer's claim, normalised; null without a claim. */
  readonly claimedReference: string | null;
  readonly createdAt: Date;
  readonly expireAt: Date;
}

/** What supports a deposit as a candidate, and its weight. */
export const CANDIDATE_REASONS = {
  /** The memo contains its remark. */
  REMARK: 50,
  /** The memo contains its remark with one or two characters wrong. */
  REMARK_ALIKE: 40,
  /** The amount is exactly the one to be paid. */
  AMOUNT: 30,
  /** The amount is within two percent of the one to be paid. */
  AMOUNT_NEAR: 10,
  /** The payer's account ends with the announced digits. */
  PAYER_ACCOUNT: 15,
  /** The payer has the announced name. */
  PAYER_NAME: 15,
  /** The bank booked the credit while the deposit could be paid. */
  IN_TIME: 10,
  /**
   * The payer claims this bank credit: its reference equals the one in the claim. Anybody may claim, so it has no
   * weight.
   */
  CLAIMED_REFERENCE: 0,
  /** The payer claims to have paid the deposit. */
  CLAIMED: 0,
} as const;
/** One of CANDIDATE_REASONS. */
export type CandidateReason = keyof typeof CANDIDATE_REASONS;

/** A deposit with the reasons that support it. */
export interface Candidate<Deposit extends PossibleDeposit = PossibleDeposit> {
  readonly deposit: Deposit;
  /** The heaviest first. */
  readonly reasons: readonly CandidateReason[];
  /** The sum of the reasons' weights: a rank, not a probability. */
  readonly score: number;
}

/** Below this only the time, or a roughly right amount, supports the deposit. */
const LEAST_SCORE = 25;
/** How far an amount may be off to be near, as a share of the amount to be paid: bank fees, typing errors. */
const NEAR_SHARE = 0.02;
/** How many characters of a remark may be wrong, missing or too many. */
const REMARK_ERRORS = 2;

/**
 * The deposits that an unmatched bank credit may pay, the likeliest first. Advice for an operator, not a decision.
 * Closed deposits are included, because money may come late, and an operator decides what happens to it.
 */
export function rankCandidates<Deposit extends PossibleDeposit>(
  transfer: UnclaimedTransfer,
  deposits: readonly Deposit[],
  leastScore = LEAST_SCORE,
): Candidate<Deposit>[] {
  const memo = normaliseMemo(transfer.memo);
  const tokens = nameTokens(transfer.payerName);
  return deposits
    .map((deposit) => candidateOf(transfer, deposit, memo, tokens))
    .filter((candidate) => candidate.score >= leastScore || isClaimed(candidate))
    .sort(
      (a, b) =>
        b.score - a.score ||
        Number(hasRemark(b)) - Number(hasRemark(a)) ||
        Number(isClaimed(b)) - Number(isClaimed(a)) ||
        Number(isOpen(b.deposit)) - Number(isOpen(a.deposit)) ||
        distance(transfer, a.deposit) - distance(transfer, b.deposit) ||
        (a.deposit.id < b.deposit.id ? -1 : 1),
    );
}

function candidateOf<Deposit extends PossibleDeposit>(
  transfer: UnclaimedTransfer,
  deposit: Deposit,
  memo: string,
  payer: ReadonlySet<string>,
): Candidate<Deposit> {
  const supports: Record<CandidateReason, boolean> = {
    ...remarkReasons(memo, deposit.expectedRemark),
    ...amountReasons(transfer, deposit),
    PAYER_ACCOUNT: endsAs(transfer.payerAccount, deposit.payerAccountLast4),
    PAYER_NAME: sameName(payer, nameTokens(deposit.payerName)),
    ...claimReasons(transfer, deposit),
    IN_TIME: inTime(transfer, deposit),
  };
  const reasons = (Object.keys(CANDIDATE_REASONS) as CandidateReason[]).filter((reason) => supports[reason]);
  reasons.sort((a, b) => CANDIDATE_REASONS[b] - CANDIDATE_REASONS[a]);
  const score = reasons.reduce((sum, reason) => sum + CANDIDATE_REASONS[reason], 0);
  return { deposit, reasons, score };
}

/** A claim decides only between equals. */
const isClaimed = ({ reasons }: Candidate): boolean => reasons.includes('CLAIMED_REFERENCE');

const hasRemark = ({ reasons }: Candidate): boolean => reasons.includes('REMARK') || reasons.includes('REMARK_ALIKE');

const isOpen = ({ status }: PossibleDeposit): boolean => status === 'PENDING';

const distance = ({ bankTime }: UnclaimedTransfer, { createdAt }: PossibleDeposit): number =>
  Math.abs(bankTime.getTime() - createdAt.getTime());

function remarkReasons(memo: string, remark: string | null): Record<'REMARK' | 'REMARK_ALIKE', boolean> {
  const named = remark !== null && memo.includes(remark);
  return {
    REMARK: named,
    REMARK_ALIKE: !named && remark !== null && errorsIn(memo, remark) <= REMARK_ERRORS,
  };
}

/** Amounts in different currencies are not comparable. */
function amountReasons(
  { amount, currencyCode }: UnclaimedTransfer,
  deposit: PossibleDeposit,
): Record<'AMOUNT' | 'AMOUNT_NEAR', boolean> {
  const same = currencyCode === deposit.currencyCode;
  const exact = amount.equals(deposit.amount);
  const off = amount.minus(deposit.amount).abs();
  return {
    AMOUNT: same && exact,
    AMOUNT_NEAR: same && !exact && off.lte(deposit.amount.times(NEAR_SHARE)),
  };
}

function claimReasons(
  { bankReference }: UnclaimedTransfer,
  { claimedReference }: PossibleDeposit,
): Record<'CLAIMED' | 'CLAIMED_REFERENCE', boolean> {
  const named = claimedReference !== null && claimedReference === normaliseReference(bankReference ?? '');
  return { CLAIMED: claimedReference !== null, CLAIMED_REFERENCE: named };
}

function inTime({ bankTime }: UnclaimedTransfer, { createdAt, expireAt }: PossibleDeposit): boolean {
  const skew = LIMITS.bankClockSkewSeconds * 1000;
  return bankTime.getTime() >= createdAt.getTime() - skew && bankTime <= expireAt;
}

const endsAs = (account: string | null, last4: string | null): boolean => last4 !== null && last4Of(account) === last4;

/**
 * The edit distance between a remark and the most similar part of a text: characters that are wrong, missing or too
 * many. Sellers' algorithm: one column of the table at a time, and a match may begin anywhere.
 */
export function errorsIn(text: string, remark: string): number {
  let column = Array.from({ length: remark.length + 1 }, (_, i) => i);
  let least = remark.length;
  for (const character of text) {
    let diagonal = 0;
    const next = [0];
    for (let i = 1; i <= remark.length; i++) {
      const above = column[i] ?? REMARK_LENGTH;
      const cost = diagonal + (remark.charAt(i - 1) === character ? 0 : 1);
      next.push(Math.min(cost, above + 1, (next[i - 1] ?? 0) + 1));
      diagonal = above;
    }
    column = next;
    least = Math.min(least, column[remark.length] ?? least);
  }
  return least;
}
