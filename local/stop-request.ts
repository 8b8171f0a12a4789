import { clearInterval, setInterval } from 'node:timers';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm passes Ctrl-C on to a process that the terminal has told already: that is one request, not two. */
const SAME_REQUEST_MS = 750;
const PARENT_CHECK_MS = 300;

/**
 * Watches for a person's wish to stop.
 * @param onFirst once
 * @param onSecond when it is asked again, later
 * @returns stops watching
 */
export function watchStopRequests(onFirst: () => void, onSecond: () => void): () => void {
  let first: number | undefined;
  const onSignal = (): void => {
    const now = Date.now();
    if (first === undefined) {
      first = now;
      onFirst();
    } else if (now - first > SAME_REQUEST_MS) onSecond();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const unwatchParent = watchParent(() => {
    if (first === undefined) onSignal();
  });
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    unwatchParent();
  };
}

/** A signal to npm itself ends npm's shell and never comes here: all we see is that our parent is gone. */
function watchParent(onGone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) onGone();
  }, PARENT_CHECK_MS);
  return () => {
    clearInterval(timer);
  };
}
