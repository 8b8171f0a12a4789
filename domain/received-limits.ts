import type { Money } from './money';

/*
 * Limits of what a managed account receives, or a channel in one of its currencies. Null is no limit.
 */

/**
 * What may be received on one day and in one month of a time zone, and how many payments. Open deposits count as what they
 * ask for; those that end without money do not; what came counts, for whatever deposit or none.
 */
export interface DayLimits {
  readonly maxDailyAmount: Money | null;
  readonly maxMonthlyAmount: Money | null;
  readonly maxDailyCount: number | null;
  readonly maxMonthlyCount: number | null;
}

/** None of them. */
export const NO_DAY_LIMITS: DayLimits = {
  maxDailyAmount: null,
  maxMonthlyAmount: null,
  maxDailyCount: null,
  maxMonthlyCount: null,
};

/** Those of an account, which may hold no more than so much. */
export interface ReceivedLimits extends DayLimits {
  /** What it may hold: what its book says, and what open deposits ask for. */
  readonly maxBalance: Money | null;
}

/** What counts against them on a day and in its month: what was received, and what open deposits ask for. */
export interface DayUse {
  readonly dayAmount: Money;
  readonly dayCount: number;
  readonly monthAmount: Money;
  readonly monthCount: number;
}

/** The same of an account. */
export interface ReceivedUse extends DayUse {
  /** What its book says, and what open deposits ask for; zero where it may hold any amount. */
  readonly held: Money;
}

/** Limits that a deposit may pass: of the amount and of the number, of a day and of a month. */
export const DAY_REFUSALS = ['DAILY_LIMIT', 'DAILY_COUNT', 'MONTHLY_LIMIT', 'MONTHLY_COUNT'] as const;
/** One of DAY_REFUSALS. */
export type DayRefusal = (typeof DAY_REFUSALS)[number];

/** The same, and of what an account holds. */
export const RECEIVED_REFUSALS = [...DAY_REFUSALS, 'BALANCE_LIMIT'] as const;
/** One of RECEIVED_REFUSALS. */
export type ReceivedRefusal = (typeof RECEIVED_REFUSALS)[number];

/** Whether there are limits of a day or a month: deposits are then accepted one at a time. */
export const countsDays = (limits: DayLimits): boolean =>
  limits.maxDailyAmount !== null ||
  limits.maxMonthlyAmount !== null ||
  limits.maxDailyCount !== null ||
  limits.maxMonthlyCount !== null;

/** Whether an account has limits of what it receives or holds. */
export const countsReceived = (limits: ReceivedLimits): boolean => countsDays(limits) || limits.maxBalance !== null;

const tooMuch = (used: Money, amount: Money, most: Money | null): boolean =>
  most !== null && used.plus(amount).gt(most);
const tooMany = (used: number, most: number | null): boolean => most !== null && used + 1 > most;

/** Which limit of a day or a month one more deposit would pass, or null. passed_limit says the same under a lock. */
export function dayRefusal(limits: DayLimits, use: DayUse, amount: Money): DayRefusal | null {
  if (tooMuch(use.dayAmount, amount, limits.maxDailyAmount)) return 'DAILY_LIMIT';
  if (tooMany(use.dayCount, limits.maxDailyCount)) return 'DAILY_COUNT';
  if (tooMuch(use.monthAmount, amount, limits.maxMonthlyAmount)) return 'MONTHLY_LIMIT';
  if (tooMany(use.monthCount, limits.maxMonthlyCount)) return 'MONTHLY_COUNT';
  return null;
}

/** Which limit of an account one more deposit would pass, or null. */
export const receivedRefusal = (limits: ReceivedLimits, use: ReceivedUse, amount: Money): ReceivedRefusal | null =>
  dayRefusal(limits, use, amount) ?? (tooMuch(use.held, amount, limits.maxBalance) ? 'BALANCE_LIMIT' : null);

/** Whether an amount may be a limit. @param decimals of its currency */
export const isLimit = (amount: Money, decimals: number): boolean => amount.gt(0) && amount.decimalPlaces() <= decimals;

/** What is wrong with an amount that may not be a limit. */
export const problemOfLimit = (decimals: number): string =>
  `a limit must be greater than 0, with at most ${decimals} decimal places`;

/** What is wrong with limits of a day or a month, or null. @param decimals of their currency */
export function problemOfDayLimits(limits: DayLimits, decimals: number): string | null {
  for (const amount of [limits.maxDailyAmount, limits.maxMonthlyAmount])
    if (amount && !isLimit(amount, decimals)) return problemOfLimit(decimals);
  for (const count of [limits.maxDailyCount, limits.maxMonthlyCount])
    if (count !== null && count < 1) return 'a number of payments must be at least 1';
  return null;
}
