import type { Money } from './money';
import { isLimit, problemOfDayLimits, problemOfLimit, type ReceivedLimits } from './received-limits';

/** REMARK: the payer names the order in the memo. FLOAT: the exact amount names it. */
export const ACCOUNT_MODES = ['REMARK', 'FLOAT'] as const;
/** How an account's bank credits find their deposit. */
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** A PAUSED account takes no new deposits, and only people match its bank credits. A DISABLED account is out of use. */
export const ACCOUNT_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
/** The status of an account. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The limits of an account. Amounts in its currency; null is no limit. */
export interface AccountLimits extends ReceivedLimits {
  /** Bounds of one deposit. */
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  /** Live PENDING deposits at once. */
  readonly maxOpenDeposits: number;
}

/** How an account of mode FLOAT keeps deposits of the same amount apart. */
export interface AmountFloat {
  /** The distance between two payable amounts. */
  readonly step: Money;
  /** How far above and below the requested amount a payable amount may lie. */
  readonly up: Money;
  readonly down: Money;
  /** How long after its deposit's expiry an amount stays reserved, minutes. */
  readonly quarantineMinutes: number;
}

/** The most payable amounts around one requested amount; it bounds the search. */
export const MOST_FLOAT_AMOUNTS = 2_000;

/** The error in limits, or null. @param decimals of the account's currency */
export function problemOfLimits(limits: AccountLimits, decimals: number): string | null {
  const { minAmount, maxAmount, maxBalance } = limits;
  for (const amount of [minAmount, maxAmount, maxBalance])
    if (amount && !isLimit(amount, decimals)) return problemOfLimit(decimals);
  if (minAmount && maxAmount && minAmount.gt(maxAmount)) return 'minAmount must not be above maxAmount';
  const problem = problemOfDayLimits(limits, decimals);
  if (problem) return problem;
  if (limits.maxOpenDeposits < 1) return 'maxOpenDeposits must be at least 1';
  return null;
}

/** The error in a float's settings, or null. @param decimals of the account's currency */
export function problemOfFloat(float: AmountFloat, decimals: number): string | null {
  const { step, up, down, quarantineMinutes } = float;
  if (!step.gt(0) || step.decimalPlaces() > decimals)
    return `step must be greater than 0, with at most ${decimals} decimal places`;
  if (up.isNegative() || down.isNegative()) return 'up and down must not be negative';
  if (up.plus(down).div(step).gte(MOST_FLOAT_AMOUNTS))
    return `at most ${MOST_FLOAT_AMOUNTS} amounts may lie between up and down`;
  if (quarantineMinutes < 0 || quarantineMinutes > 10_080) return 'quarantineMinutes must be 0-10080';
  return null;
}
