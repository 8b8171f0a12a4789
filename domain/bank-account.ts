import type { Money } from './money';

/** REMARK: the payer names the order in the memo. FLOAT: the exact amount names it. */
export const ACCOUNT_MODES = ['REMARK', 'FLOAT'] as const;
/** How transfers on an account find their order. */
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** PAUSED takes no new deposit, and what arrives is matched by people alone. DISABLED is out of use. */
export const ACCOUNT_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
/** Whether an account takes new deposits. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** What an account takes. Amounts in its currency; null is no limit. */
export interface AccountLimits {
  /** What one deposit may be. */
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  /** What the deposits of one UTC day may add up to; those that end without money do not count. */
  readonly maxDailyAmount: Money | null;
  /** Live PENDING deposits at once. */
  readonly maxOpenDeposits: number;
}

/** How an account of mode FLOAT tells deposits of the same amount apart. */
export interface AmountFloat {
  /** The distance between two amounts. */
  readonly step: Money;
  /** How far above and below the requested amount a payable one may lie. */
  readonly up: Money;
  readonly down: Money;
  /** An amount is given to no other deposit until this long after its deposit's expiry, minutes. */
  readonly quarantineMinutes: number;
}

/** As many amounts as one account tells apart around one requested amount: the search is bounded by it. */
export const MOST_FLOAT_AMOUNTS = 2_000;

/** What is wrong with limits, in words, or null. @param decimals of the account's currency */
export function problemOfLimits(limits: AccountLimits, decimals: number): string | null {
  const { minAmount, maxAmount, maxDailyAmount, maxOpenDeposits } = limits;
  for (const amount of [minAmount, maxAmount, maxDailyAmount])
    if (amount && (!amount.gt(0) || amount.decimalPlaces() > decimals))
      return `a limit must be greater than 0, with at most ${decimals} decimal places`;
  if (minAmount && maxAmount && minAmount.gt(maxAmount))
    return 'minAmount must not be above maxAmount';
  if (maxOpenDeposits < 1) return 'maxOpenDeposits must be at least 1';
  return null;
}

/** What is wrong with a float, in words, or null. @param decimals of the account's currency */
export function problemOfFloat(float: AmountFloat, decimals: number): string | null {
  const { step, up, down, quarantineMinutes } = float;
  if (!step.gt(0) || step.decimalPlaces() > decimals)
    return `step must be greater than 0, with at most ${decimals} decimal places`;
  if (up.isNegative() || down.isNegative()) return 'up and down must not be negative';
  if (up.plus(down).div(step).gte(MOST_FLOAT_AMOUNTS))
    return `at most ${MOST_FLOAT_AMOUNTS} amounts may lie between up and down`;
  if (quarantineMinutes < 0 || quarantineMinutes > 10_080)
    return 'quarantineMinutes must be 0-10080';
  return null;
}
