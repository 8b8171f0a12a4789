import { decimalsOf, formatMoney, isZero, plainMoney } from '../../format/money';
import type {
  DayOffShift,
  SettlementDaysInput,
  SettlementPlanInput,
  SettlementPlanRowFragment,
  SettlementPlanTrigger,
} from '../../generated/operations';

/** A settlement plan, as its form holds it: texts, "" is none. */
export interface PlanDraft {
  readonly currencyCode: string;
  readonly accountId: string | null;
  readonly trigger: SettlementPlanTrigger;
  readonly weekdays: readonly string[];
  /** Numbers, separated by commas or spaces. */
  readonly monthDays: string;
  readonly time: string;
  readonly threshold: string;
  readonly calendarId: string | null;
  readonly shift: DayOffShift;
  readonly keep: string;
  readonly minimum: string;
  readonly approvedUpTo: string;
}

/** The days of the week, from Monday on. */
export const WEEKDAY_WORDS = [
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
] as const;

/** When a plan settles. */
export const TRIGGER_WORDS: Readonly<Record<SettlementPlanTrigger, string>> = {
  EVERY_DAY: 'Every day',
  WEEKDAYS: 'On days of the week',
  MONTH_DAYS: 'On days of the month',
  THRESHOLD: 'As soon as an amount is available',
};

/** How a date on a day off is moved. */
export const SHIFT_WORDS: Readonly<Record<DayOffShift, string>> = {
  NEXT: 'The next business day',
  PREVIOUS: 'The business day before',
};

/** The possible times: quarters of an hour. */
export const TIMES: readonly string[] = Array.from(
  { length: 96 },
  (_, n) => `${String(n >> 2).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`,
);

/** A new plan. */
export const newPlan = (currencyCode: string): PlanDraft => ({
  currencyCode,
  accountId: null,
  trigger: 'EVERY_DAY',
  weekdays: [],
  monthDays: '',
  time: '09:00',
  threshold: '',
  calendarId: null,
  shift: 'NEXT',
  keep: '',
  minimum: '',
  approvedUpTo: '',
});

/** The next version of a plan. */
export function draftOfPlan(row: SettlementPlanRowFragment): PlanDraft {
  const plain = (amount: string | null): string =>
    amount === null || isZero(amount) ? '' : plainMoney(amount, decimalsOf(row.currencyCode));
  return {
    currencyCode: row.currencyCode,
    accountId: row.account.id,
    trigger: row.trigger,
    weekdays: row.weekdays.map(String),
    monthDays: row.monthDays.join(', '),
    time: row.time ?? '09:00',
    threshold: plain(row.threshold),
    shift: row.shift,
    calendarId: row.calendar?.id ?? null,
    keep: plain(row.keep),
    minimum: plain(row.minimum),
    approvedUpTo: row.approvedUpTo === null ? '' : plain(row.approvedUpTo) || '0',
  };
}

/** The days of a draft; null while they are incomplete. */
export function daysOfDraft(draft: PlanDraft): SettlementDaysInput | null {
  const { trigger, calendarId, shift } = draft;
  const monthDays = draft.monthDays.split(/[\s,]+/).filter((one) => one !== '');
  if (trigger === 'WEEKDAYS' && draft.weekdays.length === 0) return null;
  if (trigger === 'MONTH_DAYS') {
    if (monthDays.length === 0 || new Set(monthDays).size !== monthDays.length) return null;
    if (!monthDays.every((one) => /^([1-9]|[12]\d|3[01])$/.test(one))) return null;
  }
  return {
    trigger,
    calendarId,
    shift,
    weekdays: trigger === 'WEEKDAYS' ? draft.weekdays.map(Number) : null,
    monthDays: trigger === 'MONTH_DAYS' ? monthDays.map(Number) : null,
    time: trigger === 'THRESHOLD' ? null : draft.time,
  };
}

const AMOUNT = /^\d+(\.\d{1,4})?$/;
const AMOUNTS = ['keep', 'minimum', 'approvedUpTo'] as const;

/** The plan of a draft; null while it is incomplete. */
export function inputOfDraft(merchantId: string, draft: PlanDraft): SettlementPlanInput | null {
  const days = daysOfDraft(draft);
  const { currencyCode, accountId, threshold, trigger } = draft;
  const wrong = AMOUNTS.some((name) => draft[name] !== '' && !AMOUNT.test(draft[name]));
  if (days === null || accountId === null || wrong) return null;
  if (trigger === 'THRESHOLD' && !AMOUNT.test(threshold)) return null;
  return {
    merchantId,
    currencyCode,
    days,
    settlementAccountId: accountId,
    threshold: trigger === 'THRESHOLD' ? threshold : null,
    keep: draft.keep || null,
    minimum: draft.minimum || null,
    approvedUpTo: draft.approvedUpTo || null,
  };
}

/** When a plan settles, as text: "Monday and Friday at 09:00". */
export function whenOf(plan: SettlementPlanRowFragment): string {
  const { trigger, time, threshold, currencyCode } = plan;
  if (trigger === 'THRESHOLD') return `At ${formatMoney(threshold ?? '0', decimalsOf(currencyCode))} ${currencyCode}`;
  const days = {
    EVERY_DAY: 'Every day',
    WEEKDAYS: plan.weekdays.map((day) => WEEKDAY_WORDS[day - 1] ?? '').join(', '),
    MONTH_DAYS: `Day ${plan.monthDays.join(', ')} of the month`,
  }[trigger];
  return `${days} at ${time ?? ''}`;
}

/** What a plan settles, as text: "what is above 1,000.00, from 500.00 on". */
export function amountsOf({ keep, minimum, currencyCode }: SettlementPlanRowFragment): string {
  const shown = (amount: string): string => formatMoney(amount, decimalsOf(currencyCode));
  const what = isZero(keep) ? 'all' : `what is above ${shown(keep)}`;
  return isZero(minimum) ? what : `${what}, from ${shown(minimum)} on`;
}
