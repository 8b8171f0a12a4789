import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any awaited step takes on a busy machine: success ends the wait at once. */
const PATIENCE_MS = 90_000;
const POLL_MS = 25;

/**
 * Polls until there is a result.
 * @param what names the awaited condition in the failure's message
 * @param look returns undefined or false: not yet
 * @throws if there is none in time
 */
export async function until<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await sleep(POLL_MS);
  }
}

/** Repeats an expectation until it holds. @throws its last error, if it never does */
export async function eventually(expectation: () => Promise<void> | void): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;)
    try {
      await expectation();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
}
