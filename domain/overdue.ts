/** What the sweeps count. Each of these should have moved by itself. */
export const OVERDUE_KINDS = {
  /** A deposit that is PENDING past its expiry. */
  PENDING: 'pending_past_expiry',
  /** A cashier session that is PENDING past its expiry. */
  CASHIER: 'cashier_past_expiry',
  /** A deposit that stays MATCHED. */
  MATCHED: 'matched_too_long',
  /** A withdrawal that is decided, late or approved, and has not moved. */
  WITHDRAWAL: 'withdrawal_not_moved',
  /** A callback whose next attempt was not made. */
  WAITING_RETRY: 'callback_not_retried',
  /** A callback whose attempt never recorded its outcome. */
  SENDING: 'callback_stuck_sending',
  /** An outbox row that waits for a person. */
  PARKED: 'outbox_parked',
} as const;
/** One of OVERDUE_KINDS, as the metric's label has it. */
export type OverdueKind = (typeof OVERDUE_KINDS)[keyof typeof OVERDUE_KINDS];

/** A row is overdue this long after it was due, seconds: normally a workflow needs milliseconds. */
export const OVERDUE_AFTER_SECONDS = 60;

/**
 * How long an overdue order whose outbox row was parked rests before another row is written, seconds. If the cause was
 * fixed meanwhile, the order moves on; if not, that row is parked too.
 */
export const PARKED_REST_SECONDS = 3_600;
