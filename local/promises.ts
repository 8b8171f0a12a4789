/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const come = (): void => {
      resolve();
    };
    if (signal.aborted) come();
    else signal.addEventListener('abort', come, { once: true });
  });

/**
 * Like Promise.all, but waits for the others after a failure: everything that starts must be known, so that it can be
 * stopped.
 */
export async function allSettledOrThrow<const T extends readonly Promise<unknown>[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return await Promise.all<T>(work);
}
