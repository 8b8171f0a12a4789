import { type Day, dayAfter, dayBefore, dayOf, momentOf } from './zone';

/*
 * On which days a settlement plan settles. Pure: a plan's days, a calendar and a zone in, days and moments out.
 */

/** When a plan settles: by days, or as soon as the balance reaches its threshold. */
export const PLAN_TRIGGERS = ['EVERY_DAY', 'WEEKDAYS', 'MONTH_DAYS', 'THRESHOLD'] as const;
/** One of PLAN_TRIGGERS. */
export type PlanTrigger = (typeof PLAN_TRIGGERS)[number];

/** Where a date goes that is no business day: to the next one, or to the one before. */
export const DAY_OFF_SHIFTS = ['NEXT', 'PREVIOUS'] as const;
/** One of DAY_OFF_SHIFTS. */
export type DayOffShift = (typeof DAY_OFF_SHIFTS)[number];

/** The days that are no business days. */
export interface Calendar {
  /** Days of the week that are off, 1 Monday to 7 Sunday. */
  readonly daysOff: readonly number[];
  readonly holidays: ReadonlySet<Day>;
}

/** The days of a plan. */
export interface PlanDays {
  readonly trigger: PlanTrigger;
  /** Of WEEKDAYS: 1 Monday to 7 Sunday. */
  readonly weekdays: readonly number[];
  /** Of MONTH_DAYS: 1 to 31; a day that a month lacks is its last. */
  readonly monthDays: readonly number[];
  /** `HH:MM` of the merchant's zone; null for a THRESHOLD, which may be reached at any time. */
  readonly time: string | null;
  readonly shift: DayOffShift;
}

/** A date on which a plan settles. */
export interface PlanDate {
  readonly day: Day;
  readonly at: Date;
  /** The dates of the plan that fall on this day, itself included where it is one. */
  readonly dates: readonly Day[];
}

/** A date further than this from every business day is dropped. */
export const MOST_DAYS_OFF = 31;
/** Days that are looked through for dates. */
const HORIZON = 800;

/** 1 Monday to 7 Sunday. */
const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** Whether banks work on a day; without a calendar they always do. */
export const isBusinessDay = (calendar: Calendar | null, day: Day): boolean =>
  calendar === null || !(calendar.daysOff.includes(weekdayOf(day)) || calendar.holidays.has(day));

/** Whether a day is a date of the plan before any shift. */
function isDate({ trigger, weekdays, monthDays }: PlanDays, day: Day): boolean {
  switch (trigger) {
    case 'EVERY_DAY':
    case 'THRESHOLD':
      return true;
    case 'WEEKDAYS':
      return weekdays.includes(weekdayOf(day));
    case 'MONTH_DAYS': {
      const number = Number(day.slice(8));
      const isLast = dayAfter(day).slice(8) === '01';
      return monthDays.some((one) => one === number || (isLast && one > number));
    }
  }
}

/**
 * The dates of a plan that fall on a day: the day itself, and those of the days off beside it, as far as these reach.
 * @returns by day; none where the plan does not settle on it
 */
export function datesOn(plan: PlanDays, calendar: Calendar | null, day: Day): readonly Day[] {
  if (!isBusinessDay(calendar, day)) return [];
  const dates = isDate(plan, day) ? [day] : [];
  // A threshold waits for no date: on a day off it is not looked at.
  if (plan.trigger === 'THRESHOLD') return dates;
  const step = plan.shift === 'NEXT' ? dayBefore : dayAfter;
  let other = step(day);
  for (let far = 1; far <= MOST_DAYS_OFF && !isBusinessDay(calendar, other); far++) {
    if (isDate(plan, other)) dates.push(other);
    other = step(other);
  }
  return dates.sort();
}

/** When a plan settles on a day of the zone. */
const momentOn = ({ time }: PlanDays, zone: string, day: Day): Date => momentOf(zone, day, `${time ?? '00:00'}:00`);

/** The next dates of a plan from a moment on, that moment included. A THRESHOLD has none. */
export function nextDates(
  plan: PlanDays,
  calendar: Calendar | null,
  zone: string,
  from: Date,
  count: number,
): readonly PlanDate[] {
  if (plan.trigger === 'THRESHOLD') return [];
  const found: PlanDate[] = [];
  let day = dayOf(zone, from);
  for (let looked = 0; looked < HORIZON && found.length < count; looked++, day = dayAfter(day)) {
    const dates = datesOn(plan, calendar, day);
    if (dates.length === 0) continue;
    const at = momentOn(plan, zone, day);
    if (at >= from) found.push({ day, at, dates });
  }
  return found;
}

/** What is due now. */
export interface DueDate extends PlanDate {
  /** The earlier dates that were missed and that this one includes. */
  readonly missed: number;
}

/**
 * The date of a plan that is due: the latest that has come. Those before it that were missed are settled with it, once.
 * Of a THRESHOLD it is today, where today is a business day.
 * @param since when the plan began; no date from before is due
 * @param after the day that was settled last, or skipped; null: none was
 */
export function dueDate(
  plan: PlanDays,
  calendar: Calendar | null,
  zone: string,
  { since, after, now }: { readonly since: Date; readonly after: Day | null; readonly now: Date },
): DueDate | null {
  const today = dayOf(zone, now);
  if (plan.trigger === 'THRESHOLD') {
    const dates = after !== null && today <= after ? [] : datesOn(plan, calendar, today);
    return dates.length === 0 ? null : { day: today, at: now, dates, missed: 0 };
  }
  let due: PlanDate | null = null;
  let missed = 0;
  const first = dayOf(zone, since);
  let day = today;
  for (let looked = 0; looked < HORIZON; looked++, day = dayBefore(day)) {
    if (day < first || (after !== null && day <= after)) break;
    const dates = datesOn(plan, calendar, day);
    if (dates.length === 0) continue;
    const at = momentOn(plan, zone, day);
    if (at < since || at > now) continue;
    if (due === null) due = { day, at, dates };
    else missed++;
  }
  return due && { ...due, missed };
}
