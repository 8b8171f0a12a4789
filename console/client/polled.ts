import { useEffect, useRef } from 'react';

/** How often a page polls data that has no subscription, milliseconds. */
const EVERY_MS = 10_000;

/** Polls while the page is visible, and at once when it becomes visible. */
export function usePolled(look: () => void, everyMs = EVERY_MS): void {
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    const lookIfSeen = (): void => {
      if (document.visibilityState === 'visible') latest.current();
    };
    const timer = setInterval(lookIfSeen, everyMs);
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [everyMs]);
}
