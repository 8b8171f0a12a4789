/** What the sweeps count: each should have moved by itself. */
export const OVERDUE_KINDS = {
  /** A deposit that is PENDING though it expired. */
  PENDING: 'pending_past_expiry',
  /** A cashier session that is PENDING though it expired. */
  CASHIER: 'cashier_past_expiry',
  /** A deposit that is MATCHED for long. */
  MATCHED: 'matched_too_long',
  /** A withdrawal that is decided, late or approved, and did not move. */
  WITHDRAWAL: 'withdrawal_not_moved',
  /** A callback whose next attempt was not made. */
  WAITING_RETRY: 'callback_not_retried',
  /** A callback whose attempt never told what came of it. */
  SENDING: 'callback_stuck_sending',
  /** An outbox row that waits for a person. */
  PARKED: 'outbox_parked',
} as const;
/** One of OVERDUE_KINDS, as the metric's label has it. */
export type OverdueKind = (typeof OVERDUE_KINDS)[keyof typeof OVERDUE_KINDS];

/** What is due longer than this is overdue, seconds: in normal life a workflow needs milliseconds. */
export const OVERDUE_AFTER_SECONDS = 60;

/**
 * Temporal refused a row as it is and it was parked: an overdue order rests this long before another row is written
 * for it, seconds. If the cause was mended meanwhile, it goes on by itself; if not, that row is parked too.
 */
export const PARKED_REST_SECONDS = 3_600;
