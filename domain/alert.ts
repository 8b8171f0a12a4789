/** Why operators should look, as shown to them; the most urgent first. */
export const ALERT_MEANS = {
  DATABASE_PUT_BACK:
    'The database was restored to an earlier state. No payout is sent and nothing expires until two people end the recovery.',
  BREAK_GLASS:
    'Key holders invited a person with every role, from outside the console. If you did not expect this, act at once.',
  NEW_APPROVER:
    'Somebody was given the permission to decide, or to manage operators. If you did not expect this, ask who approved it.',
  POWERS_GRANTED:
    'Somebody was given powers: by an invitation, by roles, by what a role allows, or by being let in again.',
  SECOND_FACTOR_CHANGED: 'An operator added or removed an authenticator app or a passkey, or made new recovery codes.',
  NEW_KEY: 'A merchant, or an agent that reports bank credits, got a key.',
  NEW_API_TOKEN: 'An operator made a token for programs.',
  SAFEGUARD_CHANGED:
    'What keeps money safe was changed: rules of review, rules about payers, a list of beneficiaries or payers, the addresses from which a merchant signs, or where events are sent.',
  LOGIN_LOCKED:
    'Too many logins or codes failed: a login is locked for a while. Raised once an hour at most for each place.',
  PLATFORM_STALLED:
    'Money does not move: no worker runs, or payments wait. Raised once an hour at most for each cause.',
  REQUEST_NOT_SENT:
    'A request to a provider was not sent: it would not have said what was asked, or the mapping of its channel lets text of others change requests. Raised once an hour at most for each channel.',
  WEAK_AGENT_KEY:
    'An agent has a key for which anybody can sign: what it reports is refused. Revoke the key, and issue another one.',
  PAYOUT_INTERVENTION: 'The outcome of a payout is unknown: a person must resolve it.',
  PAYOUT_CONTRADICTED: 'A channel contradicts the outcome of a payout: a person must resolve it.',
  PAID_AFTER_FAILURE:
    'A channel paid a payout that it had reported as failed. The merchant was debited and owes what its balance lacks; if another channel paid, the first one owes it.',
  LATE_CHANNEL_DEPOSIT:
    'A channel has the money of a deposit that has ended: the order stays final, and the money waits for operators on its page.',
  DEPOSIT_CONTRADICTED: 'A channel contradicts the outcome of a deposit: a person must resolve it.',
  PAYOUT_RETURNED: 'The bank returned a completed payout: the merchant was credited.',
  BOOKS_DIFFER:
    'The proof of the books found differences: rows and postings that do not match. Raised only for new ones.',
  PAYOUT_OVERDUE: 'Payouts by channels have been open for too long. Raised once an hour at most for each state.',
  APPROVAL_OVERDUE: 'No decision on a withdrawal was made in time.',
  PASSED_OVER:
    'An account or a channel gets no orders: its agent is silent, its orders fail, or its health check does. Raised once an hour at most for each cause.',
  SETTLEMENT_PLAN_FAILS:
    'A settlement plan no longer settles anything: a person must correct its account, its merchant or what the alert names. Raised once a month for each plan.',
  LOW_BALANCE: "A channel's balance is below the limit in its settings.",
  COST_ABOVE_BOUND:
    'A channel reported a cost beyond the bound of its mapping, or beyond the amount of the order and its agreed cost together: the agreed cost was booked.',
  DEBIT_UNEXPLAINED: 'Money left a managed account an hour ago, and no manual payout explains it.',
  DAY_AMOUNT_PASSED:
    'The decisions of one person exceeded the amount of a day: a large amount may have been split into small ones.',
  MONEY_OF_CANCELLED:
    'Money came for a cancelled deposit, before or after the cancel: it waits for an operator, under Unmatched money.',
  DOUBTFUL_TRANSFER:
    "A bank transfer resembles another, reuses its reference, or has a balance that does not follow from its account's.",
  PAYER_WATCHED: 'A payer who is on the watchlist, or whose orders exceed a count, made an order or paid one.',
  CREDIT_OVERDUE:
    'A bank credit has waited for an operator for more than a day: see Unmatched money. Raised once for each.',
  PAYEE_DIFFERS: 'A bank paid someone other than the beneficiary: the account is paused.',
  PAYOUT_WITHOUT_DEBIT: 'A manual payout was completed hours ago, and no bank debit was reported for it.',
  DEVICE_SILENT:
    "A paired device that forwards a bank's messages has sent no heartbeat for ten minutes: its reports are missing.",
  NEW_CALLBACK_HOST: "A merchant's callbacks go to a new host.",
  EVENT_UNDELIVERED: 'An event of the platform, such as an issued statement, did not reach one of its addresses.',
  ACCOUNT_PAUSED: 'A managed account stopped taking deposits, for example because its balance does not add up.',
  CALLBACK_FAILED:
    'A merchant refused callbacks, or five attempts failed. Raised once for each endpoint, with a count.',
  OUTBOX_PARKED: 'Temporal refused to start or wake a workflow.',
  OVERDUE: 'The sweeps found orders that had not moved and woke them. Raised once an hour at most.',
} as const;

/** Why operators should look. */
export type AlertKind = keyof typeof ALERT_MEANS;

/** All kinds of alerts. */
export const ALERT_KINDS = Object.keys(ALERT_MEANS) as readonly AlertKind[];
