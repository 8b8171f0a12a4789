import type { TimeFormat } from './schema';

/** The parts that a pattern may have: those that every runtime's Intl gives, so that no library of times is needed. */
const PARTS = {
  yyyy: 'year',
  MM: 'month',
  dd: 'day',
  HH: 'hour',
  mm: 'minute',
  ss: 'second',
} as const;
const TOKEN = /yyyy|MM|dd|HH|mm|ss|SSS|XXX|'[^']*'/g;

const formatter = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

/** What is wrong with a format of times, or null. */
export function problemOfTime({ format, zone }: TimeFormat): string | null {
  if (['epoch_s', 'epoch_ms', 'rfc3339'].includes(format)) return null;
  if (/[A-Za-z]/.test(format.replace(TOKEN, '')))
    return "must be epoch_s, epoch_ms, rfc3339, or a pattern of yyyy MM dd HH mm ss SSS XXX and 'text'";
  try {
    formatter(zone ?? 'UTC');
    return null;
  } catch {
    return `there is no time zone ${zone ?? ''}`;
  }
}

/** A time as the provider writes it. */
export function writeTime(at: Date, { format, zone = 'UTC' }: TimeFormat): string {
  if (format === 'epoch_s') return Math.floor(at.getTime() / 1000).toString();
  if (format === 'epoch_ms') return at.getTime().toString();
  if (format === 'rfc3339') return at.toISOString();
  const parts = new Map(
    formatter(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return format.replace(TOKEN, (token) => {
    if (token.startsWith("'")) return token.slice(1, -1);
    if (token === 'SSS') return String(at.getUTCMilliseconds()).padStart(3, '0');
    // `GMT+07:00`; UTC itself is `GMT`.
    if (token === 'XXX') return parts.get('timeZoneName')?.slice(3) || '+00:00';
    return parts.get(PARTS[token as keyof typeof PARTS]) ?? '';
  });
}
