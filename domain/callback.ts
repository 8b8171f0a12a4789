import type { DepositStatus } from './deposit';
import { formatMoney, type Money, ZERO } from './money';

/** Contract, "NotificationLog status". WAITING_RETRY also stands for a row that waits for its first attempt. */
export const NOTIFICATION_STATUSES = ['SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED'] as const;
/** One of NOTIFICATION_STATUSES. */
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** Contract, "Events", the deposit kinds: status that causes one → notification_type. */
export const DEPOSIT_NOTIFICATIONS = {
  COMPLETED: 'deposit_completed',
  EXPIRED: 'deposit_expired',
  CANCELLED: 'deposit_cancelled',
} as const satisfies Partial<Record<DepositStatus, string>>;
/** A deposit's status that may cause a callback. */
export type DepositNotificationStatus = keyof typeof DEPOSIT_NOTIFICATIONS;
/** Contract, "Events", notification_type. */
export type NotificationType = (typeof DEPOSIT_NOTIFICATIONS)[DepositNotificationStatus];

/** What a deposit's callback tells. Times are UTC. */
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
export function depositCallbackBody(
  status: DepositNotificationStatus,
  deposit: DepositNews,
  at: Date,
): string {
  const order = { order_no: deposit.orderNo, merchant_order_no: deposit.merchantOrderNo };
  const amount = formatMoney(deposit.requestedAmount);
  const nothing = formatMoney(ZERO);
  const echo = deposit.extraData === null ? {} : { extra_data: deposit.extraData };
  const currency = deposit.currencyCode;
  const time = at.toISOString();
  switch (status) {
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
