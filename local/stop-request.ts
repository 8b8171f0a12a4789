import { clearInterval, setInterval } from 'node:timers';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm forwards a Ctrl-C to a process that the terminal has already signalled: that counts as one request. */
const SAME_REQUEST_MS = 750;
const PARENT_CHECK_MS = 300;

/**
 * Watches for requests to stop.
 * @param onFirst called once
 * @param onSecond called at a later repetition
 * @returns a function that ends the watch
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

/** A signal to npm ends npm's shell and never arrives here: we only notice that our parent is gone. */
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
