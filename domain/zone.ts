/*
 * Days and times of a time zone, by the platform's own tables (Intl). A day is a text such as 2026-01-31: it belongs to
 * no zone until one is named.
 */

/** A calendar's day, `YYYY-MM-DD`. */
export type Day = string;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-CA-u-ca-gregory-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, format);
  return format;
}

/** Whether a text names a time zone, such as `Asia/Bangkok`. An offset names none: it has no summer. */
export function isZone(text: string): boolean {
  if (text !== 'UTC' && !/^[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/.test(text)) return false;
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

const MINUTE_MS = 60_000;
/** By zone the minute that was asked for last, and how far its clocks are ahead of UTC in it, milliseconds. */
const offsets = new Map<string, { readonly minute: number; readonly offset: number }>();

/**
 * What a clock of the zone shows at a moment, as if it were UTC, milliseconds. Intl takes long; clocks are changed between
 * minutes.
 */
function shownAt(zone: string, at: Date): number {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  const last = offsets.get(zone);
  if (last?.minute === minute) return at.getTime() + last.offset;
  const shown = readAt(zone, at);
  offsets.set(zone, { minute, offset: shown - at.getTime() });
  return shown;
}

function readAt(zone: string, at: Date): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) if (type !== 'literal') part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (at.getTime() % 1000);
}

/** The day of a moment in a zone. */
export const dayOf = (zone: string, at: Date): Day => new Date(shownAt(zone, at)).toISOString().slice(0, 10);

/** What a clock of a zone shows at a moment, `HH:MM`. */
export const timeOf = (zone: string, at: Date): string => new Date(shownAt(zone, at)).toISOString().slice(11, 16);

const DAY_MS = 86_400_000;

/**
 * The moment at which a clock of the zone shows a day and a time. Of an hour that is shown twice the first; an hour that
 * is skipped counts from the hour before.
 * @param time `HH:mm:ss`
 */
export function momentOf(zone: string, day: Day, time: string): Date {
  const shown = Date.parse(`${day}T${time}Z`);
  // By the offset of the day before, and by that of the day after.
  const [early, late] = [shown - DAY_MS, shown + DAY_MS].map(
    (near) => shown - (shownAt(zone, new Date(near)) - near),
  ) as [number, number];
  const shows = [early, late].filter((at) => shownAt(zone, new Date(at)) === shown);
  return new Date(shows.length > 0 ? Math.min(...shows) : early);
}

/**
 * The first moment of a day in a zone. Of a midnight that is shown twice the first; of one that is skipped the moment of the
 * change. The zone's offset of the day before or of the day after is the one that gives it.
 */
export function startOfDay(zone: string, day: Day): Date {
  const shown = Date.parse(`${day}T00:00:00Z`);
  const candidates = [shown - DAY_MS, shown + DAY_MS]
    .map((near) => shown - (shownAt(zone, new Date(near)) - near))
    .filter((at) => dayOf(zone, new Date(at)) >= day);
  return new Date(Math.min(...candidates));
}

/** The calendar's next day. */
export const dayAfter = (day: Day): Day => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** The calendar's day before. */
export const dayBefore = (day: Day): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);

/** The last whole second of a day in a zone. */
export const endOfDay = (zone: string, day: Day): Date => new Date(startOfDay(zone, dayAfter(day)).getTime() - 1_000);

/** Whether a text is a day of the calendar. */
export const isDay = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
};
