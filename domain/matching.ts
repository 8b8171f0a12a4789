import type { DepositStatus } from './deposit';
import type { AccountMode } from './bank-account';
import { LIMITS } from './limits';
import type { Money } from './money';

/** A credit that a bank reported on one of our accounts. */
export interface IncomingTransfer {
  readonly accountId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly bankTime: Date;
}

/** The account it arrived on. */
export interface ReceivingAccount {
  readonly mode: AccountMode;
  readonly currencyCode: string;
  /** A paused account takes money, but nothing on it is matched without a person. */
  readonly paused: boolean;
}

/** A deposit that the transfer names: by a remark in its memo, or by its exact amount. */
export interface NamedDeposit {
  readonly id: string;
  readonly accountId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  /** As quoted at its creation. */
  readonly fee: Money;
  readonly status: DepositStatus;
  readonly createdAt: Date;
}

/** What else is known of the transfer that keeps it from being matched without a person. */
export interface Doubts {
  /** Its bank reference came before, with another amount or currency. */
  readonly referenceReused: boolean;
  /** The same account, amount and memo was told of at about the same time, in another way. */
  readonly nearDuplicate: boolean;
  /** The agent key that reported it is beyond its ceiling, per transfer or for the day. */
  readonly overAgentLimit: boolean;
  /** A person entered it, where it takes two: another one matches it. */
  readonly enteredByPerson: boolean;
}

/** Why a transfer waits for a person. */
export const UNMATCHED_REASONS = [
  'REFERENCE_REUSED',
  'NEAR_DUPLICATE',
  'ACCOUNT_PAUSED',
  'NO_REMARK',
  'NO_AMOUNT',
  'SEVERAL_REMARKS',
  'OTHER_ACCOUNT',
  'OTHER_CURRENCY',
  'ORDER_NOT_PENDING',
  'AMOUNT_DIFFERS',
  'TOO_EARLY',
  'OVER_AGENT_LIMIT',
  'ENTERED_BY_PERSON',
  'REOPENED',
] as const;
/** One of UNMATCHED_REASONS. */
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/** The deposit that a transfer pays and what it is charged, or why a person must look. */
export type MatchVerdict =
  | { readonly matched: true; readonly depositId: string; readonly fee: Money }
  | { readonly matched: false; readonly reason: UnmatchedReason };

const unmatched = (reason: UnmatchedReason): MatchVerdict => ({ matched: false, reason });

/**
 * The rule of automatic matching: the same account, the same currency, the exact amount, a bank time no earlier
 * than a minute before the order, and one order alone. Anything else waits for a person: to credit the wrong
 * merchant costs more than to ask.
 * @param named on an account of mode REMARK the deposits whose remark stands in the memo, whatever their account
 * or status; on one of mode FLOAT the deposit that the amount was last given to
 */
export function matchTransfer(
  transfer: IncomingTransfer,
  account: ReceivingAccount,
  named: readonly NamedDeposit[],
  doubts: Doubts,
): MatchVerdict {
  const [deposit, ...others] = named;
  if (doubts.referenceReused) return unmatched('REFERENCE_REUSED');
  if (doubts.nearDuplicate) return unmatched('NEAR_DUPLICATE');
  if (account.paused) return unmatched('ACCOUNT_PAUSED');
  if (doubts.overAgentLimit) return unmatched('OVER_AGENT_LIMIT');
  if (doubts.enteredByPerson) return unmatched('ENTERED_BY_PERSON');
  if (deposit === undefined) return unmatched(account.mode === 'FLOAT' ? 'NO_AMOUNT' : 'NO_REMARK');
  if (others.length > 0) return unmatched('SEVERAL_REMARKS');
  if (deposit.accountId !== transfer.accountId) return unmatched('OTHER_ACCOUNT');
  if (transfer.currencyCode !== account.currencyCode) return unmatched('OTHER_CURRENCY');
  if (transfer.currencyCode !== deposit.currencyCode) return unmatched('OTHER_CURRENCY');
  if (deposit.status !== 'PENDING') return unmatched('ORDER_NOT_PENDING');
  if (!deposit.amount.equals(transfer.amount)) return unmatched('AMOUNT_DIFFERS');
  const earliest = deposit.createdAt.getTime() - LIMITS.bankClockSkewSeconds * 1000;
  if (transfer.bankTime.getTime() < earliest) return unmatched('TOO_EARLY');
  return { matched: true, depositId: deposit.id, fee: deposit.fee };
}
