import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Waits for something to become true. @returns whether it did, in time */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
