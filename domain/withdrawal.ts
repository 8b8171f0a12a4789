/** The status of a withdrawal (docs/contract.md, "States"). */
export const WITHDRAWAL_STATUSES = ['PENDING', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED'] as const;
/** One of WITHDRAWAL_STATUSES. */
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** From which states each state may be reached. A test runs every statement of db/ from every state against this. */
export const WITHDRAWAL_TRANSITIONS: Readonly<Record<WithdrawalStatus, readonly WithdrawalStatus[]>> = {
  PENDING: [],
  APPROVED: ['PENDING'],
  COMPLETED: ['APPROVED'],
  REJECTED: ['PENDING'],
  FAILED: ['APPROVED'],
  CANCELLED: ['APPROVED'],
};

/** Whether a withdrawal's status is final. */
export const isFinalWithdrawal = (status: WithdrawalStatus): boolean => status !== 'PENDING' && status !== 'APPROVED';

/** Who asked for a withdrawal: the merchant by its API, or operators who pay the merchant its balance. */
export const WITHDRAWAL_ORIGINS = ['MERCHANT', 'SETTLEMENT'] as const;
/** One of WITHDRAWAL_ORIGINS. */
export type WithdrawalOrigin = (typeof WITHDRAWAL_ORIGINS)[number];

/** How a withdrawal is paid: by a payment channel, or by a person from a managed account. */
export const PAYOUT_METHODS = ['CHANNEL', 'MANUAL'] as const;
/** One of PAYOUT_METHODS. */
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** An operator's decision on a withdrawal. */
export const WITHDRAWAL_VERDICTS = ['APPROVE', 'REJECT'] as const;
/** One of WITHDRAWAL_VERDICTS. */
export type WithdrawalVerdict = (typeof WITHDRAWAL_VERDICTS)[number];

/** The approver of a withdrawal that needed no person: contract, `approved_by`. */
export const APPROVED_BY_SYSTEM = 'system';
