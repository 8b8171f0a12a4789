import { LIMITS } from '../limits';
import type { UnmatchedReason } from '../matching';
import type { Money } from '../money';
import { namesAgree } from '../payer';
import type { PayerDoubt } from '../payer-rules';

/** Why a match by hand needs two people, as shown to the approver. */
export const HAND_MATCH_FINDINGS = {
  OTHER_ACCOUNT: 'the order is to be paid to another account',
  AMOUNT_DIFFERS: 'the amount is not the one to be paid',
  TOO_EARLY: 'the bank booked it before the order existed',
  OTHER_MERCHANT: 'the memo names an order of another merchant',
  OTHER_ORDER: 'the memo names another order',
  NOTHING_NAMES_IT: 'neither the remark nor the payer given at creation identifies this order',
  REFERENCE_REUSED: 'the bank reference came before with another amount',
  NEAR_DUPLICATE: 'another source reported nearly the same transfer',
  BALANCE_DIFFERS: "the balance after it contradicts its account's",
  OVER_AGENT_LIMIT: 'it exceeds a ceiling of the agent that reported it',
  ENTERED_BY_PERSON: 'a person entered it, and neither an agent nor a statement has reported it',
  PAYER_DENIED: 'its payer is on the denylist',
  PAYER_WAITS: 'a rule about its payer makes it wait for a person',
  PAYER_DIFFERS: 'its payer is not the one that the merchant announced',
  OVER_CEILING: "it exceeds the day's amount that one person may match alone",
} as const;
/** One of HAND_MATCH_FINDINGS. */
export type HandMatchFinding = keyof typeof HAND_MATCH_FINDINGS;

/** An order that a memo or an exact amount identifies. */
export interface NamedOrder {
  readonly id: string;
  readonly merchantId: string;
}

/** The facts about a match that an operator proposes. */
export interface HandMatch {
  readonly transfer: {
    readonly accountId: string;
    readonly amount: Money;
    readonly bankTime: Date;
    readonly payerName: string | null;
    readonly unmatchedReason: UnmatchedReason | null;
    /** Whether an operator entered it and no other source has reported it. */
    readonly provisional: boolean;
  };
  readonly deposit: {
    readonly id: string;
    readonly merchantId: string;
    readonly accountId: string | null;
    readonly amount: Money;
    readonly createdAt: Date;
    /** As the merchant announced at the order's creation. */
    readonly payerName: string | null;
  };
  /** The orders that the memo's remarks or the exact amount identify. */
  readonly named: readonly NamedOrder[];
  /** What the automatic rule finds about its payer; null: nothing. */
  readonly payerDoubt: PayerDoubt | null;
}

const DOUBTS: ReadonlySet<string> = new Set([
  'REFERENCE_REUSED',
  'NEAR_DUPLICATE',
  'BALANCE_DIFFERS',
  'OVER_AGENT_LIMIT',
]);

/** What identifies the order: a remark, or the payer's name given before the bank booked the credit. */
function namingFindings({ transfer, deposit, named }: HandMatch): HandMatchFinding[] {
  if (named.length > 0) {
    if (named.some(({ merchantId }) => merchantId !== deposit.merchantId)) return ['OTHER_MERCHANT'];
    return named.length === 1 && named[0]?.id === deposit.id ? [] : ['OTHER_ORDER'];
  }
  const said =
    deposit.createdAt.getTime() <= transfer.bankTime.getTime() && namesAgree(transfer.payerName, deposit.payerName);
  return said ? [] : ['NOTHING_NAMES_IT'];
}

/**
 * Why one person may not make this match alone: a match by one person must fulfil the automatic rule (account, exact
 * amount, time, remark, payer). A payer's claim has no weight here. @returns an empty list if one person is enough
 */
export function findingsOfHandMatch(match: HandMatch): HandMatchFinding[] {
  const { transfer, deposit } = match;
  const { unmatchedReason } = transfer;
  const earliest = deposit.createdAt.getTime() - LIMITS.bankClockSkewSeconds * 1000;
  return [
    ...(transfer.accountId === deposit.accountId ? [] : (['OTHER_ACCOUNT'] as const)),
    ...(transfer.amount.equals(deposit.amount) ? [] : (['AMOUNT_DIFFERS'] as const)),
    ...(transfer.bankTime.getTime() >= earliest ? [] : (['TOO_EARLY'] as const)),
    ...namingFindings(match),
    ...(unmatchedReason !== null && DOUBTS.has(unmatchedReason) ? [unmatchedReason as HandMatchFinding] : []),
    ...(transfer.provisional ? (['ENTERED_BY_PERSON'] as const) : []),
    ...(match.payerDoubt === null ? [] : [match.payerDoubt]),
  ];
}
