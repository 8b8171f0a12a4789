/** What the sweeps count. Each of these should have moved by itself. */
export const OVERDUE_KINDS = {
  /** A deposit that is PENDING past its expiry. */
  PENDING: 'pending_past_expiry',
  /** A cashier session that is PENDING past its expiry. */
  CASHIER: 'cashier_past_expiry',
  /** A deposit that stays MATCHED. */
  MATCHED: 'matched_too_long',
  /** A withdrawal that is decided, late or approved, or whose payout is under way, and has not moved. */
  WITHDRAWAL: 'withdrawal_not_moved',
  /** A callback whose next attempt was not made. */
  WAITING_RETRY: 'callback_not_retried',
  /** An event of the platform that was not delivered in time. */
  EVENT: 'event_not_delivered',
  /** A callback whose attempt never recorded its outcome. */
  SENDING: 'callback_stuck_sending',
  /** An outbox row that waits for a person. */
  PARKED: 'outbox_parked',
} as const;
/** One of OVERDUE_KINDS, as the metric's label has it. */
export type OverdueKind = (typeof OVERDUE_KINDS)[keyof typeof OVERDUE_KINDS];

/** A row is overdue this long after it was due, seconds: normally a workflow needs milliseconds. */
export const OVERDUE_AFTER_SECONDS = 60;

/** What moves money out is looked for this often, seconds. */
export const PAYOUT_SWEEP_EVERY_SECONDS = 15;

/**
 * A payout that is prepared is silent after this without a change, seconds; one that was sent, after its channel's
 * timeout beside. Its workflow tries to send it, and queries it, 30 s after the last answer at most. So with a timeout
 * of 10 s, one whose workflow was lost is found within a minute.
 */
export const PAYOUT_SILENT_AFTER_SECONDS = 35;

/** The same for a payout that a person must resolve: nothing queries it but its channel's messages, and this sweep. */
export const UNRESOLVED_SILENT_AFTER_SECONDS = 3_600;

/**
 * How long an overdue order whose outbox row was parked rests before another row is written, seconds. If the cause was
 * fixed meanwhile, the order moves on; if not, that row is parked too.
 */
export const PARKED_REST_SECONDS = 3_600;

/** How far the payout of an approved withdrawal has come. UNROUTED: nobody has it yet; then as its attempt stands. */
export const OPEN_PAYOUT_STATES = ['UNROUTED', 'PREPARED', 'SENT', 'UNKNOWN', 'OPEN', 'CLAIMED', 'SENDING'] as const;
/** One of OPEN_PAYOUT_STATES. */
export type OpenPayoutState = (typeof OPEN_PAYOUT_STATES)[number];

/** A payout that waits for no person is open too long after this, seconds. */
export const OPEN_PAYOUT_AT_MOST_SECONDS = {
  UNROUTED: 600,
  PREPARED: 600,
  SENT: 3_600,
  UNKNOWN: 3_600,
} as const satisfies Partial<Record<OpenPayoutState, number>>;
