import type { Settings } from '../../domain/change-request';
import * as db from '../../db/settlements/calendars';
import { effect } from '../changes/change-effect';

/** A calendar as a proposal stores it. */
export type CalendarPayload = Readonly<{
  id: string;
  name: string;
  daysOff: readonly number[];
  holidays: readonly string[];
  holidayNames: readonly string[];
}>;

/** A calendar as an approver compares it. */
export const calendarFields = (calendar: Omit<CalendarPayload, 'id'>): Settings => ({
  name: calendar.name,
  daysOff: calendar.daysOff,
  holidays: calendar.holidays.map((day, at) => `${day} ${calendar.holidayNames[at] ?? ''}`),
});

/** Adds a calendar, or replaces its days. */
export const putCalendar = effect<CalendarPayload>({
  basis: async (tx, { id }) => {
    const calendar = await db.lockCalendar(tx, id);
    return calendar ? calendarFields(calendar) : {};
  },
  apply: async (tx, calendar, { now }) => {
    await db.putCalendar(tx, { ...calendar, createdAt: now, updatedAt: now });
  },
});
