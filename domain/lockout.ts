/**
 * How long a login is locked after this many failures in a row, seconds; the last value holds for all that follow. An
 * unknown login is locked alike, so that the delay reveals nothing.
 */
export const LOGIN_DELAYS = [0, 0, 0, 0, 30, 60, 120, 240, 480, 900] as const;

/** The same for an address, which many people may share: it allows more failures and never locks for long. */
export const ADDRESS_DELAYS: readonly number[] = [...Array<number>(49).fill(0), 60];

/** Failures older than this no longer count, hours. */
export const FAILURES_FORGOTTEN_HOURS = 24;
