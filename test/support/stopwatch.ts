/** Milliseconds. */
const TICK = 20;

/**
 * How long work took of the time that this process had, milliseconds: while the machine is busy with others or stands
 * still, nothing is counted. For bounds on what our own timers decide.
 */
export async function ownTime<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly ms: number }> {
  let ticks = 0;
  // However late it comes, an interval comes once.
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
