/** Contract, "States and transitions", DepositOrder. */
export const DEPOSIT_STATUSES = [
  'PENDING',
  'MATCHED',
  'COMPLETED',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
] as const;
/** One of DEPOSIT_STATUSES. */
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** From which states each state may be reached. The guarded statements in db/deposits.ts follow this table, and a test compares them. */
export const DEPOSIT_TRANSITIONS: Readonly<Record<DepositStatus, readonly DepositStatus[]>> = {
  PENDING: [],
  MATCHED: ['PENDING'],
  COMPLETED: ['MATCHED'],
  EXPIRED: ['PENDING'],
  CANCELLED: ['PENDING', 'MATCHED'],
  FAILED: ['PENDING', 'MATCHED'],
};

/** Whether nothing moves a deposit any more (contract: COMPLETED, EXPIRED, CANCELLED, FAILED). */
export const isFinalDeposit = (status: DepositStatus): boolean =>
  status !== 'PENDING' && status !== 'MATCHED';

/** Contract, DepositOrderType: how the order came to be. */
export const DEPOSIT_ORDER_TYPES = ['DIRECT', 'CASHIER'] as const;
/** One of DEPOSIT_ORDER_TYPES. */
export type DepositOrderType = (typeof DEPOSIT_ORDER_TYPES)[number];
