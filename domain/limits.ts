/** Every number of the contract ("Limits", "Authentication", "Events") and of our decisions on it. Lengths count code points. */
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
  /** Echoed in callbacks; the contract names no length, so the body limit is the bound. */
  extraData: 64 * 1024,

  /** Digits before the decimal point of an amount. */
  amountIntegerDigits: 14,
  /** Decimal places in storage and in every response. */
  moneyDecimals: 4,

  /** A request's X-Timestamp may differ this much from our clock, either way, inclusive; seconds. */
  timestampWindowSeconds: 300,

  /** Of a cashier session, apart from its order. */
  cashierSessionExpireMinutes: { default: 15, min: 1, max: 1440 },
  payerBankCards: 10,
  /** Of one currency. */
  cashierDenominations: 50,
  /** What a payer's page shows of a merchant. */
  cashierName: 64,
  /** A payer's claim to have paid: the bank's reference, and a picture in bytes. */
  claimReference: 128,
  claimReceiptBytes: 2 * 1024 * 1024,
  depositExpireMinutes: { default: 15, min: 1, max: 1440 },
  callbackTimeoutSeconds: { default: 10, min: 1, max: 60 },
  callbackAttempts: 5,
  callbackRetrySeconds: 30,
  /** An attempt that was claimed this long ago and is still SENDING is given up by the sweep, seconds. */
  callbackStuckSeconds: 300,
  /** An old api key goes on working this long after a rotation, seconds. */
  keyOverlapSeconds: { default: 300, min: 0, max: 86_400 },

  /** Bank clocks may run behind ours: a transfer may be this much older than its order, seconds. */
  bankClockSkewSeconds: 60,
  /** A bank's clock may run ahead of ours by this much, seconds: beyond it a report is a mistake. */
  bankClockAheadSeconds: 3_600,
  /** Two notices of one account and amount this close in bank time may be the same transfer, seconds. */
  nearDuplicateSeconds: 300,
  /** A bank reports a debit so many days after its transfer was done at the latest; later ones are a person's. */
  debitTaskDays: 30,
  /** A debit that no task explains raises an alert after this, seconds. */
  debitUnexplainedSeconds: 3_600,
  /** Live PENDING deposits at once: of a merchant, of one of its users, of an account. */
  openDeposits: { merchant: 10_000, user: 1_000, account: 1_000, min: 1, max: 10_000_000 },
  /** An amount of an account of mode FLOAT stays its deposit's own until this long after the expiry, minutes. */
  quarantineMinutes: { default: 60, min: 0, max: 10_080 },
  /** What operators name a settlement by, and rows of one file of them. */
  settlementReference: 64,
  settlementsAtOnce: 100,
  /** Credited deposits of a merchant may be held for so many UTC days; 0: available at once. */
  holdDays: { default: 0, min: 0, max: 90 },
  /** A login lasts so long, hours; a browser's no longer than it is left alone, minutes. */
  sessionHours: 12,
  browserIdleMinutes: 60,

  /** Said with the decision on a withdrawal. */
  approvalRemarks: 500,
  /** People should decide on a withdrawal within so many minutes. */
  decideWithinMinutes: { min: 1, max: 10_080 },

  /** Papers that prove a transfer by hand: how many, and bytes of each. */
  transferProofs: 5,
  transferProofBytes: 2 * 1024 * 1024,

  bankMemo: 512,
  bankReference: 128,
} as const;
