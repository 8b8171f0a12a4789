/** Contract, "States and transitions", DepositOrder. */
export const DEPOSIT_STATUSES = ['PENDING', 'MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED'] as const;
/** One of DEPOSIT_STATUSES. */
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/**
 * The states from which each state may be reached. The guarded SQL functions follow this table, and a test compares
 * them.
 */
export const DEPOSIT_TRANSITIONS: Readonly<Record<DepositStatus, readonly DepositStatus[]>> = {
  PENDING: [],
  MATCHED: ['PENDING'],
  COMPLETED: ['MATCHED'],
  EXPIRED: ['PENDING'],
  CANCELLED: ['PENDING', 'MATCHED'],
  FAILED: ['PENDING', 'MATCHED'],
};

/**
 * What happens to money for an expired order. OFF: two people decide. REOPEN: a person's match completes the order
 * after all, with its callback; an automatic match never does.
 */
export const LATE_PAYMENTS = ['OFF', 'REOPEN'] as const;
/** One of LATE_PAYMENTS. */
export type LatePayment = (typeof LATE_PAYMENTS)[number];

/** Whether a deposit's status is final (contract: COMPLETED, EXPIRED, CANCELLED, FAILED). */
export const isFinalDeposit = (status: DepositStatus): boolean => status !== 'PENDING' && status !== 'MATCHED';

/** How a deposit came to be (contract, DepositOrderType). */
export const DEPOSIT_ORDER_TYPES = ['DIRECT', 'CASHIER'] as const;
/** One of DEPOSIT_ORDER_TYPES. */
export type DepositOrderType = (typeof DEPOSIT_ORDER_TYPES)[number];
