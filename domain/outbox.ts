/** The order in which outbox rows go to Temporal, the lowest first. The SQL functions write the same numbers. */
export const OUTBOX_RANK = {
  /** Money: credits, decisions, cancels, payouts, their callbacks. */
  money: 1,
  /** Other work that is due: mails, unpaid orders that ended. */
  work: 2,
  /** A workflow that has nothing to do before its `start_at`. */
  start: 3,
} as const;
