/** Why somebody should look, in the words that operators read, the most pressing first. */
export const ALERT_MEANS = {
  PAYOUT_INTERVENTION: 'Nobody knows what became of a payout: a person finds out.',
  PAYOUT_CONTRADICTED: 'A channel contradicts how a payout ended: a person finds out.',
  PAID_AFTER_FAILURE:
    'A channel paid what it had said that it would not: the merchant was debited what it has, the rest is loss.',
  PAYOUT_RETURNED: 'The bank gave a completed payout back: the merchant was credited.',
  APPROVAL_OVERDUE: 'Nobody has decided on a withdrawal in time.',
  LOW_BALANCE: 'A channel has less than what its settings call low.',
  DEBIT_UNEXPLAINED: 'Money left a managed account an hour ago, and no task says why.',
  DOUBTFUL_TRANSFER: 'A bank transfer that looks like another, or whose reference came before.',
  NEW_CALLBACK_HOST: 'Callbacks of a merchant go to a host that none of them went to before.',
  ACCOUNT_PAUSED:
    'A managed account takes no more deposits, such as after a balance that does not add up.',
  CALLBACK_FAILED: 'A merchant refused a callback, or five attempts failed.',
  OUTBOX_PARKED: 'Temporal refuses to start or wake a workflow.',
  OVERDUE: 'Orders did not move by themselves and were woken; once an hour.',
} as const;

/** Why somebody should look. */
export type AlertKind = keyof typeof ALERT_MEANS;

/** All kinds of alerts. */
export const ALERT_KINDS = Object.keys(ALERT_MEANS) as readonly AlertKind[];
