import { useEffect, useRef } from 'react';

/** How often a page looks again for what nobody announces, milliseconds. */
const EVERY_MS = 10_000;

/** Looks again now and then while the page is seen; at once when one comes back to it. */
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
