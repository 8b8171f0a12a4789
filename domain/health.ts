/*
 * The health of what routing chooses from. An account is passed over while its agent is silent, a channel while its
 * breaker is open, and both while an outage is entered for them (docs/health.md).
 */

/** Why an account is passed over. */
export const ACCOUNT_HEALTH_REFUSALS = ['OUTAGE', 'AGENT_SILENT'] as const;
/** One of ACCOUNT_HEALTH_REFUSALS. */
export type AccountHealthRefusal = (typeof ACCOUNT_HEALTH_REFUSALS)[number];

/** Why a channel is passed over, in addition to DOWN by its health check. */
export const CHANNEL_HEALTH_REFUSALS = ['OUTAGE', 'UNHEALTHY'] as const;
/** One of CHANNEL_HEALTH_REFUSALS. */
export type ChannelHealthRefusal = (typeof CHANNEL_HEALTH_REFUSALS)[number];

/** Why an account or a channel gets no orders. DOWN: a channel's health check. */
export const PASSED_OVER = ['OUTAGE', 'AGENT_SILENT', 'UNHEALTHY', 'DOWN'] as const;
/** One of PASSED_OVER. */
export type PassedOver = (typeof PASSED_OVER)[number];

/** Orders that wait at a channel. UNSENT: never sent. SENT: the channel may have the order. */
export const WAITING_KINDS = ['PAYOUT_UNSENT', 'PAYOUT_SENT', 'DEPOSIT_UNSENT', 'DEPOSIT_SENT'] as const;
/** One of WAITING_KINDS. */
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** The health of an account or a channel. TRIAL: a channel that is passed over has got one order. */
export const HEALTH_STATES = ['HEALTHY', 'DOWN', 'TRIAL'] as const;
/** One of HEALTH_STATES. */
export type HealthState = (typeof HEALTH_STATES)[number];

/**
 * What detected it. PROBE: the channel's health check. BREAKER: the results of its orders. AGENT: the account's agent.
 */
export const HEALTH_CAUSES = ['PROBE', 'BREAKER', 'AGENT'] as const;
/** One of HEALTH_CAUSES. */
export type HealthCause = (typeof HEALTH_CAUSES)[number];

/** When a channel's breaker opens. Without a percentage and a number of failures it never does. */
export interface BreakerSettings {
  /** It opens if fewer of its orders succeed, 1-100 percent; null: never for that. */
  readonly breakerPercent: number | null;
  /** It opens after this many consecutive failures; null: never for that. */
  readonly breakerFailures: number | null;
  /** The percentage needs at least this many orders. */
  readonly breakerOrders: number;
  /** The window, minutes: only its orders count. */
  readonly breakerMinutes: number;
  /** The first pause before a trial, seconds; doubled by each failed trial. */
  readonly breakerPause: number;
}

/** The state of a breaker. */
export interface BreakerState {
  readonly breakerState: HealthState;
  /** The pause under way, seconds; null while it is HEALTHY. */
  readonly breakerPausedFor: number | null;
  /** When the next order may be tried: after the pause, or after a trial without a result. Null while it is HEALTHY. */
  readonly breakerTrialAt: Date | null;
}

/** The results of a channel's orders, within its window and since it was last HEALTHY. */
export interface ChannelRecord {
  readonly succeeded: number;
  /** Refused, failed, or without a clear answer. */
  readonly failed: number;
  /** Of these, the newest ones since the last success. */
  readonly failedInRow: number;
  /** The reason of the newest failure. */
  readonly lastError: string | null;
  /** The result of the order on trial; null: not known yet. */
  readonly trial: 'SUCCEEDED' | 'FAILED' | null;
}

/** A change of a breaker. */
export type BreakerVerdict = BreakerState & { readonly reason: string };

/** The longest pause between trials, seconds. */
export const LONGEST_PAUSE_SECONDS = 3_600;
/** An agent that has sent heartbeats is silent after this many minutes without one; in a sandbox only if it is set. */
export const AGENT_SILENT_MINUTES = 10;

/** Whether a channel's breaker can open at all. */
export const hasBreaker = ({ breakerPercent, breakerFailures }: BreakerSettings): boolean =>
  breakerPercent !== null || breakerFailures !== null;

/** The share of successful orders, percent; null if there were none. */
export const successPercent = ({ succeeded, failed }: Pick<ChannelRecord, 'succeeded' | 'failed'>): number | null =>
  succeeded + failed === 0 ? null : (succeeded / (succeeded + failed)) * 100;

const HEALTHY = {
  breakerState: 'HEALTHY',
  breakerPausedFor: null,
  breakerTrialAt: null,
} as const;

const opened = (seconds: number, reason: string, now: Date): BreakerVerdict => ({
  breakerState: 'DOWN',
  breakerPausedFor: seconds,
  breakerTrialAt: new Date(now.getTime() + seconds * 1_000),
  reason,
});

/** Why a closed breaker opens, or null. */
function reasonToOpen(settings: BreakerSettings, record: ChannelRecord): string | null {
  const { breakerPercent, breakerFailures, breakerOrders, breakerMinutes } = settings;
  const { succeeded, failed, failedInRow, lastError } = record;
  const last = lastError === null ? '' : `, the last one: ${lastError}`;
  if (breakerFailures !== null && failedInRow >= breakerFailures)
    return `${failedInRow} orders failed one after another${last}`;
  const orders = succeeded + failed;
  // Compared in integers, so that rounding does not decide.
  return breakerPercent !== null && orders >= breakerOrders && succeeded * 100 < breakerPercent * orders
    ? `${succeeded} of ${orders} orders in ${breakerMinutes} minutes succeeded${last}`
    : null;
}

/**
 * The change of a channel's breaker, or null if there is none. HEALTHY → DOWN by its results; after the pause one order
 * is tried (claim_trial, DOWN → TRIAL); then TRIAL → HEALTHY, or DOWN with twice the pause.
 */
export function judgeBreaker(
  settings: BreakerSettings,
  state: BreakerState,
  record: ChannelRecord,
  now: Date,
): BreakerVerdict | null {
  const { breakerState, breakerPausedFor, breakerTrialAt } = state;
  if (breakerState === 'HEALTHY') {
    const reason = hasBreaker(settings) ? reasonToOpen(settings, record) : null;
    return reason === null ? null : opened(settings.breakerPause, reason, now);
  }
  if (!hasBreaker(settings)) return { ...HEALTHY, reason: 'its breaker was removed' };
  if (breakerState === 'DOWN') return null;
  if (record.trial === 'SUCCEEDED') return { ...HEALTHY, reason: 'the order on trial succeeded' };
  const pause = breakerPausedFor ?? settings.breakerPause;
  if (record.trial === 'FAILED') {
    const longer = Math.max(pause, Math.min(pause * 2, LONGEST_PAUSE_SECONDS));
    const last = record.lastError === null ? '' : `: ${record.lastError}`;
    return opened(longer, `the order under trial failed${last}`, now);
  }
  // Its result is not known in time: another order is tried.
  return breakerTrialAt !== null && breakerTrialAt <= now
    ? { ...opened(0, 'the order on trial had no result', now), breakerPausedFor: pause }
    : null;
}

/** The error in a breaker's settings, or null. */
export function problemOfBreaker(settings: BreakerSettings): string | null {
  const { breakerPercent, breakerFailures, breakerOrders, breakerMinutes, breakerPause } = settings;
  const outside = (number: number | null, least: number, most: number): boolean =>
    number !== null && (number < least || number > most);
  if (outside(breakerPercent, 1, 100)) return 'successPercent must be 1-100';
  if (outside(breakerFailures, 1, 1_000)) return 'failuresInRow must be 1-1000';
  if (outside(breakerOrders, 1, 10_000)) return 'leastOrders must be 1-10000';
  if (outside(breakerMinutes, 1, 1_440)) return 'minutes must be 1-1440';
  if (outside(breakerPause, 10, LONGEST_PAUSE_SECONDS)) return 'pauseSeconds must be 10-3600';
  return null;
}
