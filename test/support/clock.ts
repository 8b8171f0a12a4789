/** Begins at noon, UTC, and goes as the real one does: no day ends while a test counts by days. */
export function clockFromNoon(): () => Date {
  const began = Date.now();
  const noon = new Date(began).setUTCHours(12, 0, 0, 0);
  return () => new Date(noon + Date.now() - began);
}
