const sameDay = (a: Date, b: Date): boolean => a.toDateString() === b.toDateString();

const timeOfDay = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
});

/** A time in the operator's own zone, as short as is clear: today without its day, this year without its year. */
export function formatTime(iso: string, now: Date): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const time = timeOfDay.format(at);
  if (sameDay(at, now)) return time;
  const day = (at.getFullYear() === now.getFullYear() ? dayAndMonth : dayMonthYear).format(at);
  return `${day}, ${time}`;
}

/** The same time in UTC, to the millisecond. */
export const formatUtc = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${at.toISOString().replace('T', ' ').replace('Z', '')} UTC`;
};

const SPANS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** How long ago or until: "in 12 min", "3 h ago", "now". */
export function formatDistance(iso: string, now: Date): string {
  const distance = new Date(iso).getTime() - now.getTime();
  const length = Math.abs(distance);
  const span = SPANS.find(([, size]) => length >= size);
  if (!span) return 'now';
  const text = `${Math.floor(length / span[1])} ${span[0]}`;
  return distance > 0 ? `in ${text}` : `${text} ago`;
}
