/** Why somebody should look. */
export const ALERT_KINDS = [
  'OUTBOX_PARKED',
  'ACCOUNT_PAUSED',
  'DOUBTFUL_TRANSFER',
  'CALLBACK_FAILED',
  'OVERDUE',
] as const;

/** One of them. */
export type AlertKind = (typeof ALERT_KINDS)[number];
