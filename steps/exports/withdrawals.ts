import { formatMoney } from '../../domain/money';
import * as db from '../../db/withdrawals/withdrawal-list';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Exportable } from './exportable';
import { shownCosts } from '../fees/order-costs';
import { managedAccount } from './managed-account';

/** No beneficiary's name, no beneficiary's account number: an export contains only what bookkeeping needs. */
export const WITHDRAWALS: Exportable<WithdrawalView, db.WithdrawalSortBy, db.WithdrawalFilter> = {
  noun: 'withdrawals',
  sorts: db.WITHDRAWAL_SORTS,
  id: { of: ({ id }) => id, type: 'uuid' },
  read: db.listWithdrawals,
  columns: [
    ['order_no', ({ orderNo }) => orderNo],
    ['merchant_order_no', ({ merchantOrderNo }) => merchantOrderNo],
    ['merchant_code', ({ shown }) => shown['merchant']],
    ['origin', ({ origin }) => origin.toLowerCase()],
    ['status', ({ status }) => status.toLowerCase()],
    ['currency_code', ({ currencyCode }) => currencyCode],
    ['amount', ({ amount }) => formatMoney(amount)],
    ['actual_amount', ({ actualAmount }) => formatMoney(actualAmount)],
    ['fee', ({ fee }) => formatMoney(fee)],
    ['channel_cost', ({ shown }) => shown['channelCost']],
    ['beneficiary_bank_code', ({ beneficiaryBankCode }) => beneficiaryBankCode],
    ['payout_method', ({ payoutMethod }) => payoutMethod?.toLowerCase()],
    ['account', ({ shown }) => shown['account']],
    ['channel_code', ({ shown }) => shown['channel']],
    ['channel_order_no', ({ channelOrderNo }) => channelOrderNo],
    ['bank_reference', ({ bankReference }) => bankReference],
    ['created_at', ({ createdAt }) => createdAt],
    ['approved_at', ({ approvedAt }) => approvedAt],
    ['processed_at', ({ processedAt }) => processedAt],
    ['completed_at', ({ completedAt }) => completedAt],
    ['ended_at', ({ endedAt }) => endedAt],
    ['end_reason', ({ endReason }) => endReason],
    ['callback_status', ({ callbackStatus }) => callbackStatus?.toLowerCase()],
    ['bank_cost', ({ shown }) => shown['bankCost']],
    ['profit', ({ shown }) => shown['profit']],
    ['commission', ({ shown }) => shown['commission']],
  ],
  shownOf: async ({ id, merchantId, accountId, channelId, fee }, { loaders }) => {
    const [merchant, account, channel, costs] = await Promise.all([
      loaders.merchants.load(merchantId),
      accountId === null ? undefined : loaders.bankAccounts.load(accountId),
      channelId === null ? undefined : loaders.channels.load(channelId),
      loaders.orderCosts.load(id),
    ]);
    return {
      merchant: merchant?.merchantCode,
      account: managedAccount(account),
      channel: channel?.channelCode,
      ...shownCosts(fee, costs),
    };
  },
};
