import { currencyDecimals, type Money } from './money';

/** Why a date of a settlement plan passed without a settlement. */
export const SETTLEMENT_SKIPS = [
  'NO_BALANCE',
  'BELOW_MINIMUM',
  'OWES_US',
  'MERCHANT_DISABLED',
  'ACCOUNT_DISABLED',
  'ACCOUNT_COOLING',
  'BANK_UNKNOWN',
] as const;
/** One of SETTLEMENT_SKIPS. */
export type SettlementSkip = (typeof SETTLEMENT_SKIPS)[number];

/** The facts that a date of a plan depends on. */
export interface PlanCase {
  readonly currencyCode: string;
  /** What stays in the balance. */
  readonly keep: Money;
  readonly minimum: Money;
  readonly threshold: Money | null;
  readonly available: Money;
  /** What the merchant owes us. */
  readonly receivable: Money;
  readonly merchantEnabled: boolean;
  readonly accountDisabled: boolean;
  readonly accountUsableAt: Date;
  /** Whether its bank is in the directory and takes payments. */
  readonly bankKnown: boolean;
  readonly now: Date;
}

/** What a date of a plan comes to: an amount to settle, a reason to skip it, or null where its threshold is not reached. */
export function settlementDue(plan: PlanCase): Money | SettlementSkip | null {
  const { available, keep, minimum, threshold, currencyCode, now } = plan;
  if (threshold !== null && available.lt(threshold)) return null;
  if (!plan.merchantEnabled) return 'MERCHANT_DISABLED';
  if (plan.accountDisabled) return 'ACCOUNT_DISABLED';
  if (plan.accountUsableAt > now) return 'ACCOUNT_COOLING';
  if (!plan.bankKnown) return 'BANK_UNKNOWN';
  if (plan.receivable.gt(0)) return 'OWES_US';
  // Never rounded up: no more is taken than is there.
  const amount = available.minus(keep).toDecimalPlaces(currencyDecimals(currencyCode) ?? 0, 1);
  if (amount.lte(0)) return 'NO_BALANCE';
  return amount.lt(minimum) ? 'BELOW_MINIMUM' : amount;
}

/** The settlement of a plan's date among those of its merchant; nobody else may use such a reference. */
export const planReference = (currencyCode: string, day: string): string => `${PLAN_REFERENCES}${currencyCode}:${day}`;

/** How references of plans begin. */
export const PLAN_REFERENCES = 'plan:';
