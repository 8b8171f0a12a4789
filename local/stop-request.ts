const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** npm passes Ctrl-C on to a process that the terminal has told already: that is one request, not two. */
const SAME_REQUEST_MS = 750;

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
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
