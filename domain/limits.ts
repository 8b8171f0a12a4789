/**
 * Every number of the contract ("Limits", "Authentication", "Events") and of our own decisions. Lengths count code
 * points.
 */
export const LIMITS = {
  /** Request body, bytes. */
  bodyBytes: 64 * 1024,
  /** Arrays and objects open at once in a JSON body. */
  jsonDepth: 64,

  merchantOrderNo: 64,
  callbackUrl: 500,
  userId: 64,
  accountHolder: 128,
  mobile: 32,
  email: 255,
  bankCode: 32,
  accountNo: 64,
  beneficiaryName: 128,
  beneficiaryAccount: 64,
  beneficiaryBankCode: 32,
  beneficiaryBankBranch: 128,
  /** Echoed in callbacks. The contract names no length, so the body limit is the bound. */
  extraData: 64 * 1024,

  /** Digits before the decimal point of an amount. */
  amountIntegerDigits: 14,
  /** Decimal places in storage and in every response. */
  moneyDecimals: 4,

  /** The most that X-Timestamp may differ from our clock, either way, inclusive; seconds. */
  timestampWindowSeconds: 300,

  /** The expiry of a cashier session, apart from its order's. */
  cashierSessionExpireMinutes: { default: 15, min: 1, max: 1440 },
  payerBankCards: 10,
  /** The most denominations of one currency. */
  cashierDenominations: 50,
  /** A merchant's name on the payer's page. */
  cashierName: 64,
  /** A payment claim: the bank's reference, and the bytes of a picture. */
  claimReference: 128,
  claimReceiptBytes: 2 * 1024 * 1024,
  depositExpireMinutes: { default: 15, min: 1, max: 1440 },
  callbackTimeoutSeconds: { default: 10, min: 1, max: 60 },
  callbackAttempts: 5,
  callbackRetrySeconds: 30,
  /** The sweep gives up an attempt that was claimed this long ago and is still SENDING, seconds. */
  callbackStuckSeconds: 300,
  /** How long an old api key stays valid after a rotation, seconds. */
  keyOverlapSeconds: { default: 300, min: 0, max: 86_400 },

  /** A bank's clock may run behind ours: a bank credit may be this much older than its order, seconds. */
  bankClockSkewSeconds: 60,
  /** A bank's clock may run ahead of ours by this much, seconds. Beyond it the report is refused. */
  bankClockAheadSeconds: 3_600,
  /** Two reports of the same account and amount this close in bank time may be the same bank credit, seconds. */
  nearDuplicateSeconds: 300,
  /** Two sources may date the same bank credit this many days apart: banks book later than payers pay. */
  valueDateDays: 3,
  /** A bank credit that waits for an operator is overdue after this, hours. */
  creditDueHours: 24,
  /** A debit explains a manual payout at most this many days after it; operators explain later ones. */
  debitTaskDays: 30,
  /** A debit that no manual payout explains raises an alert after this, seconds. */
  debitUnexplainedSeconds: 3_600,
  /** A paired device without a heartbeat raises an alert after this, seconds; it sends one each minute. */
  deviceSilentSeconds: 600,
  /** A completed manual payout without a debit raises an alert after this, seconds. */
  payoutDebitSeconds: 7_200,
  /** Live PENDING deposits at once: of a merchant, of one of its users, of an account. */
  openDeposits: { merchant: 10_000, user: 1_000, account: 1_000, min: 1, max: 10_000_000 },
  /** How long after a deposit's expiry its amount stays reserved on an account of mode FLOAT, minutes. */
  quarantineMinutes: { default: 60, min: 0, max: 10_080 },
  /** The operator's reference of a settlement, and the rows of a file. */
  settlementReference: 64,
  settlementsAtOnce: 100,
  /** A calendar: the characters of a name, and its holidays. */
  calendarName: 64,
  calendarHolidays: 500,
  /** How many dates of a settlement plan are shown before it is proposed. */
  planDates: { default: 10, max: 100 },
  /** Days for which a merchant's credited deposits are held; 0: available at once. */
  holdDays: { default: 0, min: 0, max: 90 },
  /** How long a login lasts, hours; how long a browser's login survives without use, minutes. */
  sessionHours: 12,
  browserIdleMinutes: 60,

  /** The remarks on a withdrawal's decision. */
  approvalRemarks: 500,
  /** How soon people should decide on a withdrawal, minutes. */
  decideWithinMinutes: { min: 1, max: 10_080 },
  /** How far back a count of a payer's orders may reach: 31 days. */
  velocityMinutes: { min: 1, max: 44_640 },
  /** How many counts a merchant's currency may have. */
  velocityRules: 20,

  /** Proofs of a manual payout: how many, and the bytes of each. */
  transferProofs: 5,
  transferProofBytes: 2 * 1024 * 1024,

  /** A statement: the bytes of its file and of a part of it, and its lines. */
  statementBytes: 64 * 1024 * 1024,
  statementPartBytes: 2 * 1024 * 1024,
  statementLines: 200_000,
  /** A line of a statement and a report of the same reference are the same movement at most this many days apart. */
  sameReferenceDays: 30,

  bankMemo: 512,
  bankReference: 128,
} as const;
