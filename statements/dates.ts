import { type Day, isDay } from '../domain/zone';
import { Unreadable } from './amounts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What each token reads. Digits may lack the leading zero. */
const TOKENS = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MMM: '(?<name>[A-Za-z]{3,9})\\.?',
  MM: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
} as const;

/** Reads dates of one format. */
export type DateReader = (text: string) => { readonly day: Day; readonly time: string | null };

const two = (digits: string): string => digits.padStart(2, '0');

/** @param format of YYYY, YY, MM, MMM, DD, HH, mm, ss and signs between; @param yearsAhead 543 in Thailand */
export function dateReader(format: string, yearsAhead = 0): DateReader {
  const pattern = format
    .split(/(YYYY|YY|MMM|MM|DD|HH|mm|ss)/)
    .map((part) =>
      part in TOKENS
        ? TOKENS[part as keyof typeof TOKENS]
        : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  const form = new RegExp(`^${pattern}$`);
  return (text) => {
    const wrong = (): Unreadable =>
      new Unreadable(
        `the date ${JSON.stringify(text.slice(0, 40))} does not have the format ${format}`,
      );
    const found = form.exec(text.trim())?.groups;
    if (!found) throw wrong();
    const { year, short, name, month, day = '', hour, minute = '00', second = '00' } = found;
    const written = Number(year ?? `20${short ?? ''}`);
    // A two-digit year is ahead by whole centuries too.
    const ours =
      year === undefined && yearsAhead !== 0
        ? 2000 + mod(written - 2000 - yearsAhead, 100)
        : written - yearsAhead;
    const named = name === undefined ? 0 : MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
    const said = `${String(ours).padStart(4, '0')}-${two(month ?? String(named))}-${two(day)}`;
    if (!isDay(said)) throw wrong();
    if (hour === undefined) return { day: said, time: null };
    const time = `${two(hour)}:${minute}:${second}`;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw wrong();
    return { day: said, time };
  };
}

const mod = (value: number, by: number): number => ((value % by) + by) % by;

/** A time in its own column, `HH:mm` or `HH:mm:ss`. @throws Unreadable */
export function timeOf(text: string): string | null {
  const said = text.trim();
  if (said === '') return null;
  const found = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?$/.exec(said);
  const [, hour = '', minute = '', second = '00'] = found ?? [];
  if (!found || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new Unreadable(`the time ${JSON.stringify(said.slice(0, 40))} cannot be read`);
  return `${two(hour)}:${minute}:${second}`;
}
