import { type Day, isDay } from '../domain/zone';
import { Unreadable } from './amounts';

/** The beginnings of months' names, in English, German and Thai. */
const MONTHS = [
  ...[
    ['jan', 'มค', 'มกร'],
    ['feb', 'กพ', 'กุม'],
    ['mar', 'mär', 'mrz', 'มีค', 'มีน'],
  ],
  ...[
    ['apr', 'เมย', 'เมษ'],
    ['may', 'mai', 'พค', 'พฤษภ'],
    ['jun', 'มิย', 'มิถ'],
  ],
  ...[
    ['jul', 'กค', 'กรก'],
    ['aug', 'สค', 'สิง'],
    ['sep', 'กย', 'กัน'],
  ],
  ...[
    ['oct', 'okt', 'ตค', 'ตุล'],
    ['nov', 'พย', 'พฤศ'],
    ['dec', 'dez', 'ธค', 'ธัน'],
  ],
];

/** The number of a month by its name; 0: unknown. */
function monthOf(name: string): number {
  const bare = name.normalize('NFC').toLowerCase().replaceAll('.', '');
  return MONTHS.findIndex((names) => names.some((one) => bare.startsWith(one))) + 1;
}

/** What each token reads. Digits may lack the leading zero. */
const TOKENS = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MMM: '(?<name>\\p{L}[\\p{L}\\p{M}.]{1,11})',
  MM: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
} as const;

/** Half of the day: AM, p.m. In a format an A next to the time: other letters may stand there as they are. */
const HALF = '(?<half>[AaPp])\\.?[Mm]\\.?';

const SPLIT =
  /(YYYY|YY|MMM|MM|DD|HH|hh|mm|ss|(?<=(?:HH|hh|mm|ss) ?)(?:AM|[Aa])(?![A-Za-z])|(?<![A-Za-z])A(?= ?(?:HH|hh)))/;

/** An hour of the clock of 24; null: there is none such. */
function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null;
  const isPm = half.toLowerCase() === 'p';
  // Some banks write 23:30 PM.
  if (hour > 12) return isPm && hour <= 23 ? hour : null;
  return hour === 0 ? (isPm ? null : 0) : (hour % 12) + (isPm ? 12 : 0);
}

/** Reads dates of one format. */
export type DateReader = (text: string) => { readonly day: Day; readonly time: string | null };

const two = (digits: string): string => digits.padStart(2, '0');

/** @param format of YYYY, YY, MM, MMM, DD, HH or hh, mm, ss, A beside the time for AM or PM, and signs between; @param yearsAhead 543 in Thailand */
export function dateReader(format: string, yearsAhead = 0): DateReader {
  const pattern = format
    .split(SPLIT)
    .map((part) =>
      /^(?:AM|[Aa])$/.test(part)
        ? HALF
        : part in TOKENS
          ? TOKENS[part as keyof typeof TOKENS]
          : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  const form = new RegExp(`^${pattern}$`, 'u');
  return (text) => {
    const wrong = (): Unreadable =>
      new Unreadable(`the date ${JSON.stringify(text.slice(0, 40))} does not have the format ${format}`);
    const found = form.exec(text.trim())?.groups;
    if (!found) throw wrong();
    const { year, short, name, month, day = '', hour, half, minute = '00', second = '00' } = found;
    const written = Number(year ?? `20${short ?? ''}`);
    // A two-digit year is ahead by whole centuries too.
    const ours =
      year === undefined && yearsAhead !== 0 ? 2000 + mod(written - 2000 - yearsAhead, 100) : written - yearsAhead;
    const named = name === undefined ? 0 : monthOf(name);
    const said = `${String(ours).padStart(4, '0')}-${two(month ?? String(named))}-${two(day)}`;
    if (!isDay(said)) throw wrong();
    if (hour === undefined) return { day: said, time: null };
    const full = hourOf(Number(hour), half);
    if (full === null || Number(minute) > 59 || Number(second) > 59) throw wrong();
    return { day: said, time: `${two(String(full))}:${minute}:${second}` };
  };
}

const mod = (value: number, by: number): number => ((value % by) + by) % by;

/** A time in its own column, `HH:mm` or `HH:mm:ss`, perhaps with AM or PM. @throws Unreadable */
export function timeOf(text: string): string | null {
  const said = text.trim();
  if (said === '') return null;
  const found = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s*([AaPp])\.?[Mm]\.?)?$/.exec(said);
  const [, hour = '', minute = '', second = '00', half] = found ?? [];
  const full = found && hourOf(Number(hour), half);
  if (full === null || Number(minute) > 59 || Number(second) > 59)
    throw new Unreadable(`the time ${JSON.stringify(said.slice(0, 40))} cannot be read`);
  return `${two(String(full))}:${minute}:${second}`;
}
