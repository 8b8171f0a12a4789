import { useEffect, useState, type ReactNode } from 'react';
import { formatDistance, formatTime, formatUtc } from '../format/time';

/** The current time, updated every second or slower. */
export function useNow(everyMs = 30_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(new Date());
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}

/** A time in the operator's zone; in UTC when hovered. */
export function Time({ at, distance = false }: { at: string; distance?: boolean }): ReactNode {
  const now = useNow(distance ? 1_000 : 60_000);
  return (
    <time dateTime={at} title={formatUtc(at)} className="time">
      {formatTime(at, now)}
      {distance && <span className="dim"> · {formatDistance(at, now)}</span>}
    </time>
  );
}
