/** Milliseconds. */
const TICK = 20;

/**
 * How long work took of the time that this process had, milliseconds. While the machine is busy with others or
 * suspended, nothing is counted. For limits on our own timers.
 */
export async function ownTime<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  let ticks = 0;
  // However late an interval comes, it comes once.
  const counting = setInterval(() => {
    ticks++;
  }, TICK);
  try {
    const result = await work();
    return { result, ms: ticks * TICK };
  } finally {
    clearInterval(counting);
  }
}
