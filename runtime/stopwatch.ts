/**
 * Measures the milliseconds since now, by the clock that runs further: one of them may stand still while a machine or a
 * process is suspended.
 */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}
