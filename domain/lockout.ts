/**
 * How long a login is closed after so many failures in a row, seconds; the last holds for all that follow. The same
 * for a login that does not exist, so that the delay tells nothing.
 */
export const LOGIN_DELAYS = [0, 0, 0, 0, 30, 60, 120, 240, 480, 900] as const;

/** The same for an address, which may be many people's: it takes more, and never closes for long. */
export const ADDRESS_DELAYS: readonly number[] = [...Array<number>(49).fill(0), 60];

/** Failures older than this are forgotten, hours. */
export const FAILURES_FORGOTTEN_HOURS = 24;
