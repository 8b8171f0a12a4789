import { type Money, money } from './money';
import { timeOf } from './zone';

/*
 * Decides whether a withdrawal needs people, and how many. Pure: facts in, verdict out. Its reasons are stored with the
 * order and shown to the operators who decide.
 */

/** A span of the day: `HH:MM`, the end excluded; may pass midnight. */
export type QuietHours = Readonly<{
  from: string;
  to: string;
  /** Whose clock is read; absent: the merchant's. */
  timeZone?: string;
}>;

/** When the withdrawals of a merchant in one currency need people. Null means that the rule is off. */
export interface ReviewRules {
  /** Withdrawals up to this amount need no person, unless another rule applies. Null: every withdrawal needs one. */
  readonly autoApproveUpTo: Money | null;
  /** The same for a beneficiary on the allowlist. */
  readonly allowlistedUpTo: Money | null;
  /** Above this amount two people are needed. */
  readonly twoPeopleAbove: Money | null;
  /** All withdrawals of the merchant on one day of its zone, this one included. */
  readonly merchantDayOrders: number | null;
  readonly merchantDayAmount: Money | null;
  /** The withdrawals to one beneficiary on one day of the merchant's zone. */
  readonly beneficiaryDayOrders: number | null;
  readonly beneficiaryDayAmount: Money | null;
  /** Whether a beneficiary that this merchant has never paid needs a person. */
  readonly newBeneficiary: boolean;
  /** Between these times of day a person is needed. */
  readonly quietHours: QuietHours | null;
  /** How soon people should decide, minutes. */
  readonly decideWithinMinutes: number;
}

/** The rules where none are set: every withdrawal needs a person. */
export const DEFAULT_RULES: ReviewRules = {
  autoApproveUpTo: null,
  allowlistedUpTo: null,
  twoPeopleAbove: null,
  merchantDayOrders: null,
  merchantDayAmount: null,
  beneficiaryDayOrders: null,
  beneficiaryDayAmount: null,
  newBeneficiary: true,
  quietHours: null,
  decideWithinMinutes: 60,
};

/** Why a withdrawal needs people, or needs none. */
export const REVIEW_REASONS = [
  'DENYLISTED',
  'ABOVE_TWO_PEOPLE',
  'ABOVE_AUTO_APPROVAL',
  'MERCHANT_DAY_ORDERS',
  'MERCHANT_DAY_AMOUNT',
  'BENEFICIARY_DAY_ORDERS',
  'BENEFICIARY_DAY_AMOUNT',
  'NEW_BENEFICIARY',
  'QUIET_HOURS',
  'COOLING',
  'DAY_AMOUNT_PASSED',
  'ALLOWLISTED',
] as const;
/** One of REVIEW_REASONS. */
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** A number of orders and their sum. */
export interface DayCount {
  readonly orders: number;
  readonly amount: Money;
}

/** The facts of a review. */
export interface ReviewCase {
  readonly amount: Money;
  readonly now: Date;
  readonly rules: ReviewRules;
  /** The merchant's zone. */
  readonly zone: string;
  /** This day of its zone before this withdrawal. */
  readonly merchantDay: DayCount;
  readonly beneficiaryDay: DayCount;
  readonly listed: 'ALLOW' | 'DENY' | null;
  /** Whether the merchant has paid this beneficiary before. */
  readonly known: boolean;
  /** Whether an api key of the merchant or where its callbacks go changed within the cooling period. */
  readonly cooling: boolean;
}

/** How many people must approve, and why. */
export interface Review {
  readonly people: 0 | 1 | 2;
  readonly reasons: readonly ReviewReason[];
}

const minutesOf = (time: string): number => {
  const [hours = '0', minutes = '0'] = time.split(':');
  return parseInt(hours, 10) * 60 + parseInt(minutes, 10);
};

/** Whether a moment is within quiet hours. @param zone the merchant's, where the hours name none */
export function isQuiet(hours: QuietHours | null, now: Date, zone: string): boolean {
  if (hours === null) return false;
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  const at = minutesOf(timeOf(hours.timeZone ?? zone, now));
  return from <= to ? at >= from && at < to : at >= from || at < to;
}

const above = (amount: Money, limit: Money | null): boolean => limit !== null && amount.gt(limit);

/** Reviews a withdrawal. A denylisted beneficiary needs the most people; no rule refuses by itself. */
export function review(order: ReviewCase): Review {
  const { amount, now, rules, merchantDay, beneficiaryDay, listed } = order;
  const allowed = listed === 'ALLOW';
  const auto = allowed ? (rules.allowlistedUpTo ?? rules.autoApproveUpTo) : rules.autoApproveUpTo;
  const tooMany = (day: DayCount, most: number | null): boolean => most !== null && day.orders + 1 > most;
  const tooMuch = (day: DayCount, most: Money | null): boolean => above(day.amount.plus(amount), most);
  const findings: readonly [ReviewReason, boolean][] = [
    ['DENYLISTED', listed === 'DENY'],
    ['ABOVE_TWO_PEOPLE', above(amount, rules.twoPeopleAbove)],
    ['ABOVE_AUTO_APPROVAL', auto === null || amount.gt(auto)],
    ['MERCHANT_DAY_ORDERS', tooMany(merchantDay, rules.merchantDayOrders)],
    ['MERCHANT_DAY_AMOUNT', tooMuch(merchantDay, rules.merchantDayAmount)],
    ['BENEFICIARY_DAY_ORDERS', !allowed && tooMany(beneficiaryDay, rules.beneficiaryDayOrders)],
    ['BENEFICIARY_DAY_AMOUNT', !allowed && tooMuch(beneficiaryDay, rules.beneficiaryDayAmount)],
    ['NEW_BENEFICIARY', !allowed && rules.newBeneficiary && !order.known],
    ['QUIET_HOURS', isQuiet(rules.quietHours, now, order.zone)],
    ['COOLING', order.cooling],
  ];
  const reasons = findings.filter(([, found]) => found).map(([reason]) => reason);
  const two = reasons.includes('DENYLISTED') || reasons.includes('ABOVE_TWO_PEOPLE');
  return {
    people: two ? 2 : reasons.length > 0 ? 1 : 0,
    reasons: allowed ? [...reasons, 'ALLOWLISTED'] : reasons,
  };
}

/** Rules as they are stored: plain decimals. */
export type KeptRules = Readonly<{
  [Key in keyof ReviewRules]: ReviewRules[Key] extends Money | null ? string | null : ReviewRules[Key];
}>;

const AMOUNTS = [
  'autoApproveUpTo',
  'allowlistedUpTo',
  'twoPeopleAbove',
  'merchantDayAmount',
  'beneficiaryDayAmount',
] as const;

/** Rules from their stored form. */
export const readRules = (kept: KeptRules): ReviewRules => ({
  ...kept,
  ...(Object.fromEntries(AMOUNTS.map((field) => [field, kept[field] === null ? null : money(kept[field])])) as Pick<
    ReviewRules,
    (typeof AMOUNTS)[number]
  >),
});

/** Rules in their stored form. */
export const keepRules = (rules: ReviewRules): KeptRules => ({
  ...rules,
  ...(Object.fromEntries(AMOUNTS.map((field) => [field, rules[field]?.toFixed() ?? null])) as Pick<
    KeptRules,
    (typeof AMOUNTS)[number]
  >),
});
