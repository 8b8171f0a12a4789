import type { CandidateReason, PossibleDeposit, UnclaimedTransfer } from './candidates';
import { LIMITS } from './limits';
import type { UnmatchedReason } from './matching';
import { currencyDecimals, type Money } from './money';
import { namesAgree } from './payer';

/** Why a bank credit waits for a person, as a clause. */
export const UNMATCHED_MEANS: Readonly<Record<UnmatchedReason, string>> = {
  REFERENCE_REUSED: 'its bank reference came before with another amount',
  NEAR_DUPLICATE: 'it may have been reported twice',
  BALANCE_DIFFERS: "the balance after it does not follow from its account's",
  ACCOUNT_PAUSED: 'its account is paused',
  NO_REMARK: 'its memo names no order',
  NO_AMOUNT: 'no order of its account has this amount',
  SEVERAL_REMARKS: 'its memo names several orders',
  OTHER_ACCOUNT: 'it came on another account',
  OTHER_CURRENCY: 'it came in another currency',
  ORDER_NOT_PENDING: 'its order was paid or closed before',
  AMOUNT_DIFFERS: 'its amount differs',
  AMOUNT_SHARED: "another payer's order had this amount recently, and the payer is not known",
  NO_BALANCE: 'its account requires the balance after it, which was not reported',
  TOO_EARLY: 'it was booked before its order existed',
  OVER_AGENT_LIMIT: "it exceeds its agent's limit",
  ENTERED_BY_PERSON: 'a person entered it, and another person must match it',
  PAYER_DENIED: 'its payer is on the denylist',
  PAYER_WAITS: 'a rule about its payer makes it wait',
  PAYER_DIFFERS: 'its payer is not the one that the merchant announced',
  REOPENED: 'its order was cancelled after the match',
};

/** An amount for people: 124,999.00, with the decimals of its currency, or more if it has more. */
export function figureOf(amount: Money, currencyCode: string): string {
  const decimals = Math.max(currencyDecimals(currencyCode) ?? 2, amount.decimalPlaces());
  const [whole = '', fraction] = amount.toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A duration for people: 2 h, 3 min. */
export function spanOf(ms: number): string {
  const span = SPANS.find(([, size]) => ms >= size) ?? (['s', 1_000] as const);
  return `${Math.floor(ms / span[1])} ${span[0]}`;
}

function amountWords(credit: UnclaimedTransfer, deposit: PossibleDeposit): string | null {
  const { currencyCode, amount } = credit;
  if (currencyCode !== deposit.currencyCode) return `in ${currencyCode}, not ${deposit.currencyCode}`;
  if (amount.equals(deposit.amount)) return null;
  const off = figureOf(amount.minus(deposit.amount).abs(), currencyCode);
  return amount.lt(deposit.amount) ? `${off} short` : `${off} too much`;
}

function timeWords({ bankTime }: UnclaimedTransfer, deposit: PossibleDeposit): string | null {
  const early = deposit.createdAt.getTime() - bankTime.getTime();
  if (early > LIMITS.bankClockSkewSeconds * 1000) return `booked ${spanOf(early)} before the order`;
  const late = bankTime.getTime() - deposit.expireAt.getTime();
  return late > 0 ? `booked ${spanOf(late)} after it expired` : null;
}

/**
 * How a bank credit differs from the exact payment of a deposit, as texts, the most important first. Empty if it does
 * not differ.
 * @param reasons what supports the deposit (rankCandidates)
 * @param shown a payer's name as the reader may see it
 */
export function differencesOf(
  credit: UnclaimedTransfer,
  deposit: PossibleDeposit,
  reasons: readonly CandidateReason[],
  shown: (name: string) => string = (name) => name,
): string[] {
  const { payerName: sender } = credit;
  const { payerName: announced, status, expectedRemark } = deposit;
  const remark = reasons.includes('REMARK_ALIKE')
    ? 'its remark is mistyped'
    : expectedRemark !== null && !reasons.includes('REMARK') && 'without its remark';
  return [
    amountWords(credit, deposit),
    credit.accountId !== deposit.accountId && 'on another account',
    timeWords(credit, deposit),
    remark,
    sender !== null && announced !== null && !namesAgree(sender, announced)
      ? `from ${shown(sender)}, not ${shown(announced)}`
      : null,
    status !== 'PENDING' && `the order is ${status.toLowerCase()}`,
  ].filter((words): words is string => typeof words === 'string');
}

/** The strongest reason why a credit may pay an order, as text. */
function byWhat(reasons: readonly CandidateReason[], whose: string): string {
  if (reasons.includes('REMARK')) return `with ${whose} remark`;
  if (reasons.includes('REMARK_ALIKE')) return `with nearly ${whose} remark`;
  if (reasons.includes('AMOUNT')) return `with ${whose} exact amount`;
  if (reasons.includes('CLAIMED_REFERENCE')) return `under the reference that ${whose} payer claims`;
  if (reasons.includes('PAYER_ACCOUNT') || reasons.includes('PAYER_NAME')) return `from ${whose} payer`;
  return `near ${whose} amount`;
}

/**
 * One sentence about a bank credit and an order that it may pay: "124,999.00 THB came at … with this order's remark:
 * 1.00 short." Times are ISO 8601 in UTC.
 */
export function creditSentence(
  credit: UnclaimedTransfer & { readonly unmatchedReason: UnmatchedReason | null },
  {
    reasons,
    differences,
    whose,
    how = byWhat(reasons, whose),
  }: {
    readonly reasons: readonly CandidateReason[];
    readonly differences: readonly string[];
    /** The order, in the genitive. */
    readonly whose: string;
    /** Why it belongs to the order, if the reasons do not show it. */
    readonly how?: string | undefined;
  },
): string {
  const { amount, currencyCode, bankTime, unmatchedReason } = credit;
  const came = `${figureOf(amount, currencyCode)} ${currencyCode} came at ${bankTime.toISOString()}`;
  const why =
    differences.length > 0
      ? differences.join(', ')
      : unmatchedReason && `waits for a person: ${UNMATCHED_MEANS[unmatchedReason]}`;
  return `${came} ${how}${why ? `: ${why}` : ''}.`;
}

/** One sentence about a bank credit that seems to pay no order. */
export const orphanSentence = ({ amount, currencyCode, bankTime }: UnclaimedTransfer, why: UnmatchedReason): string =>
  `${figureOf(amount, currencyCode)} ${currencyCode} came at ${bankTime.toISOString()}, and no order fits: ${UNMATCHED_MEANS[why]}.`;
