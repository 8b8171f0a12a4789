/** Begins at noon, UTC, and advances like the real clock: so no day ends while a test counts by days. */
export function clockFromNoon(): () => Date {
  const began = Date.now();
  const noon = new Date(began).setUTCHours(12, 0, 0, 0);
  return () => new Date(noon + Date.now() - began);
}
