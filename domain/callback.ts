import type { DepositStatus } from './deposit';
import { formatMoney, type Money, ZERO } from './money';
import type { WithdrawalStatus } from './withdrawal';

/** Contract, "NotificationLog status". WAITING_RETRY also stands for a row that waits for its first attempt. */
export const NOTIFICATION_STATUSES = ['SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED'] as const;
/** One of NOTIFICATION_STATUSES. */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** Contract, "Events", the deposit kinds: status that causes one → notification_type. */
export const DEPOSIT_NOTIFICATIONS = {
  MATCHED: 'deposit_matched',
  COMPLETED: 'deposit_completed',
  EXPIRED: 'deposit_expired',
  CANCELLED: 'deposit_cancelled',
} as const satisfies Partial<Record<DepositStatus, string>>;
/** A deposit's status that may cause a callback. */
export type DepositNotificationStatus = keyof typeof DEPOSIT_NOTIFICATIONS;

/** Contract, "Events", the withdrawal kinds. A cancelled withdrawal causes none. */
export const WITHDRAWAL_NOTIFICATIONS = {
  APPROVED: 'withdrawal_approved',
  COMPLETED: 'withdrawal_completed',
  REJECTED: 'withdrawal_rejected',
  FAILED: 'withdrawal_failed',
} as const satisfies Partial<Record<WithdrawalStatus, string>>;
/** A withdrawal's status that causes a callback. */
export type WithdrawalNotificationStatus = keyof typeof WITHDRAWAL_NOTIFICATIONS;

/** Contract, "Events", notification_type. */
export const NOTIFICATION_TYPES = [
  ...Object.values(DEPOSIT_NOTIFICATIONS),
  ...Object.values(WITHDRAWAL_NOTIFICATIONS),
] as const;
/** One of NOTIFICATION_TYPES. */
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** The data of a deposit's callback. Times are UTC. */
export interface DepositNews {
  readonly orderNo: string;
  readonly merchantOrderNo: string;
  readonly requestedAmount: Money;
  readonly actualAmount: Money;
  readonly currencyCode: string;
  readonly matchedAt: Date | null;
  readonly extraData: string | null;
}

/**
 * The exact bytes of a deposit callback (contract, "Callback bodies"), made once in the transaction that
 * causes it. `amount` is the requested amount; `extra_data` appears only if the merchant sent it.
 * @param at when the status was reached
 */
export function depositCallbackBody(status: DepositNotificationStatus, deposit: DepositNews, at: Date): string {
  const order = { order_no: deposit.orderNo, merchant_order_no: deposit.merchantOrderNo };
  const amount = formatMoney(deposit.requestedAmount);
  const nothing = formatMoney(ZERO);
  const echo = deposit.extraData === null ? {} : { extra_data: deposit.extraData };
  const currency = deposit.currencyCode;
  const time = at.toISOString();
  switch (status) {
    case 'MATCHED':
      return JSON.stringify({
        event: 'deposit.matched',
        ...order,
        amount,
        actual_amount: nothing,
        currency,
        status: 'matched',
        matched_at: time,
        completed_at: null,
        ...echo,
      });
    case 'COMPLETED':
      return JSON.stringify({
        event: 'deposit.completed',
        ...order,
        amount,
        actual_amount: formatMoney(deposit.actualAmount),
        currency,
        status: 'completed',
        matched_at: deposit.matchedAt?.toISOString() ?? null,
        completed_at: time,
        ...echo,
      });
    case 'EXPIRED':
      return JSON.stringify({
        event: 'deposit.expired',
        ...order,
        amount,
        actual_amount: nothing,
        currency,
        status: 'expired',
        expired_at: time,
        ...echo,
      });
    case 'CANCELLED':
      return JSON.stringify({
        event: 'deposit.cancelled',
        ...order,
        status: 'cancelled',
        amount,
        actual_amount: nothing,
        currency,
        currency_code: currency,
        cancelled_at: time,
        ...echo,
      });
  }
}

/** The data of a withdrawal's callback. */
export interface WithdrawalNews {
  readonly orderNo: string;
  readonly merchantOrderNo: string;
  readonly amount: Money;
  readonly fee: Money;
  readonly currencyCode: string;
  readonly extraData: string | null;
}

/**
 * The exact bytes of a withdrawal callback (contract, "Callback bodies"), made once in the transaction that causes it.
 * @param at when the status was reached
 * @param about the bank's reference of a completed one, the reason of a rejected or failed one
 */
export function withdrawalCallbackBody(
  status: WithdrawalNotificationStatus,
  withdrawal: WithdrawalNews,
  at: Date,
  about: { readonly bankReference?: string | null; readonly reason?: string | null } = {},
): string {
  const name = status.toLowerCase();
  const paid = status === 'COMPLETED' ? withdrawal.amount : ZERO;
  return JSON.stringify({
    event: `withdrawal.${name}`,
    order_no: withdrawal.orderNo,
    merchant_order_no: withdrawal.merchantOrderNo,
    status: name,
    amount: formatMoney(withdrawal.amount),
    actual_amount: formatMoney(paid),
    fee: formatMoney(withdrawal.fee),
    currency: withdrawal.currencyCode,
    currency_code: withdrawal.currencyCode,
    [`${name}_at`]: at.toISOString(),
    ...(status === 'COMPLETED' && { bank_reference: about.bankReference ?? null }),
    ...((status === 'REJECTED' || status === 'FAILED') && { reason: about.reason ?? null }),
    ...(withdrawal.extraData !== null && { extra_data: withdrawal.extraData }),
  });
}
