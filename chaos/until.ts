import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/** Waits for something to become true. @returns whether it did, in time */
export async function until(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Waits until nothing is left, or until the backlog has not shrunk for a while: then it is stuck. */
export async function untilNone(count: () => Promise<number>, withinMs: number): Promise<void> {
  let least = Infinity;
  const isLess = async (): Promise<boolean> => {
    const left = await count();
    const less = left < least;
    least = Math.min(least, left);
    return less;
  };
  while (least > 0) if (!(await until(isLess, withinMs))) return;
}
