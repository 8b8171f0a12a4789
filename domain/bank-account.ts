import type { Money } from './money';

/** REMARK: the payer names the order in the memo. FLOAT: the exact amount names it. */
export const ACCOUNT_MODES = ['REMARK', 'FLOAT'] as const;
/** How an account's bank credits find their deposit. */
export type AccountMode = (typeof ACCOUNT_MODES)[number];

/** A PAUSED account takes no new deposits, and only people match its bank credits. A DISABLED account is out of use. */
export const ACCOUNT_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
/** Where an account stands. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** The limits of an account. Amounts in its currency; null is no limit. */
export interface AccountLimits {
  /** Bounds of one deposit. */
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  /**
   * What it may receive on one day and in one month of its zone, and how many bank credits. Open deposits count as what they
   * ask for; those that end without money do not; what came counts, for whatever deposit or none.
   */
  readonly maxDailyAmount: Money | null;
  readonly maxMonthlyAmount: Money | null;
  readonly maxDailyCount: number | null;
  readonly maxMonthlyCount: number | null;
  /** What it may hold: what its book says, and what open deposits ask for. */
  readonly maxBalance: Money | null;
  /** Live PENDING deposits at once. */
  readonly maxOpenDeposits: number;
}

/** Limits of what an account receives and holds. */
export type ReceivedLimits = Pick<
  AccountLimits,
  'maxDailyAmount' | 'maxMonthlyAmount' | 'maxDailyCount' | 'maxMonthlyCount' | 'maxBalance'
>;

/** What counts against them on a day and in its month: what was received, and what open deposits ask for. */
export interface ReceivedUse {
  readonly dayAmount: Money;
  readonly dayCount: number;
  readonly monthAmount: Money;
  readonly monthCount: number;
  /** What its book says, and what open deposits ask for; zero where it may hold any amount. */
  readonly held: Money;
}

/** Limits that a deposit may pass: of the amount and of the number, of a day and of a month, and of what is held. */
export const RECEIVED_REFUSALS = [
  'DAILY_LIMIT',
  'DAILY_COUNT',
  'MONTHLY_LIMIT',
  'MONTHLY_COUNT',
  'BALANCE_LIMIT',
] as const;
/** One of RECEIVED_REFUSALS. */
export type ReceivedRefusal = (typeof RECEIVED_REFUSALS)[number];

/** Whether an account has limits of what it receives or holds: its deposits are then accepted one at a time. */
export const countsReceived = (limits: ReceivedLimits): boolean =>
  limits.maxDailyAmount !== null ||
  limits.maxMonthlyAmount !== null ||
  limits.maxDailyCount !== null ||
  limits.maxMonthlyCount !== null ||
  limits.maxBalance !== null;

/** Which limit one more deposit would pass, or null. limit_refusal says the same under the account's lock. */
export function receivedRefusal(
  limits: ReceivedLimits,
  use: ReceivedUse,
  amount: Money,
): ReceivedRefusal | null {
  const tooMuch = (used: Money, most: Money | null) => most !== null && used.plus(amount).gt(most);
  const tooMany = (used: number, most: number | null) => most !== null && used + 1 > most;
  if (tooMuch(use.dayAmount, limits.maxDailyAmount)) return 'DAILY_LIMIT';
  if (tooMany(use.dayCount, limits.maxDailyCount)) return 'DAILY_COUNT';
  if (tooMuch(use.monthAmount, limits.maxMonthlyAmount)) return 'MONTHLY_LIMIT';
  if (tooMany(use.monthCount, limits.maxMonthlyCount)) return 'MONTHLY_COUNT';
  if (tooMuch(use.held, limits.maxBalance)) return 'BALANCE_LIMIT';
  return null;
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

/**
 * What is wrong with limits, or null.
 * @param decimals of the account's currency
 */
export function problemOfLimits(limits: AccountLimits, decimals: number): string | null {
  const { minAmount, maxAmount, maxDailyAmount, maxMonthlyAmount, maxBalance } = limits;
  for (const amount of [minAmount, maxAmount, maxDailyAmount, maxMonthlyAmount, maxBalance])
    if (amount && (!amount.gt(0) || amount.decimalPlaces() > decimals))
      return `a limit must be greater than 0, with at most ${decimals} decimal places`;
  if (minAmount && maxAmount && minAmount.gt(maxAmount))
    return 'minAmount must not be above maxAmount';
  for (const count of [limits.maxDailyCount, limits.maxMonthlyCount])
    if (count !== null && count < 1) return 'a number of bank credits must be at least 1';
  if (limits.maxOpenDeposits < 1) return 'maxOpenDeposits must be at least 1';
  return null;
}

/**
 * What is wrong with a float, or null.
 * @param decimals of the account's currency
 */
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
