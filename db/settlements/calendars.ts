import type { Calendar } from '../../domain/settlement-dates';
import type { Database, Transaction } from '../client';
import { columnsOf, type RowOf } from '../rows';
import type { calendars } from '../schema/settlement-plans';

/** A named list of days on which banks do not work. */
export type CalendarRow = RowOf<typeof calendars>;

/** A calendar in the form that the rules of dates need. */
export const calendarOf = (row: Pick<CalendarRow, 'daysOff' | 'holidays'>): Calendar => ({
  daysOff: row.daysOff,
  holidays: new Set(row.holidays),
});

/** All calendars, by name. */
export const findCalendars = async ({ sql }: Database): Promise<CalendarRow[]> =>
  await sql<CalendarRow[]>`select * from calendars order by name, id`;

/** Several by their ids. */
export const findCalendarsById = async ({ sql }: Database, ids: readonly string[]): Promise<CalendarRow[]> =>
  await sql<CalendarRow[]>`select * from calendars where id = any(${ids as string[]})`;

/** A calendar, its row locked. */
export async function lockCalendar(tx: Transaction, id: string): Promise<CalendarRow | undefined> {
  const [row] = await tx<CalendarRow[]>`
    select * from calendars where id = ${id} for no key update`;
  return row;
}

/** Adds a calendar, or replaces the days of the one with its id. A name that is taken violates calendars_name_unique. */
export async function putCalendar(tx: Transaction, row: CalendarRow): Promise<void> {
  await tx`
    insert into calendars
    select * from jsonb_populate_record(null::calendars, ${tx.json(columnsOf(row))}::jsonb)
    on conflict (id) do update set name = excluded.name, days_off = excluded.days_off, holidays = excluded.holidays,
      holiday_names = excluded.holiday_names, updated_at = excluded.updated_at`;
}
