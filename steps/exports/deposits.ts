import { formatMoney } from '../../domain/money';
import * as db from '../../db/deposits/deposit-list';
import type { DepositView } from '../../db/deposits/deposits';
import type { Exportable } from './exportable';
import { shownCosts } from '../fees/order-costs';
import { managedAccount } from './managed-account';

/** No payer's name, no payer's account number: an export contains only what bookkeeping needs. */
export const DEPOSITS: Exportable<DepositView, db.DepositSortBy, db.DepositFilter> = {
  noun: 'deposits',
  sorts: db.DEPOSIT_SORTS,
  id: { of: ({ id }) => id, type: 'uuid' },
  read: db.listDeposits,
  columns: [
    ['order_no', ({ orderNo }) => orderNo],
    ['merchant_order_no', ({ merchantOrderNo }) => merchantOrderNo],
    ['merchant_code', ({ shown }) => shown['merchant']],
    ['order_type', ({ orderType }) => orderType.toLowerCase()],
    ['status', ({ status }) => status.toLowerCase()],
    ['currency_code', ({ currencyCode }) => currencyCode],
    ['requested_amount', ({ requestedAmount }) => formatMoney(requestedAmount)],
    ['amount', ({ amount }) => formatMoney(amount)],
    ['actual_amount', ({ actualAmount }) => formatMoney(actualAmount)],
    ['fee', ({ fee }) => formatMoney(fee)],
    ['user_id', ({ userId }) => userId],
    ['created_at', ({ createdAt }) => createdAt],
    ['expire_at', ({ expireAt }) => expireAt],
    ['matched_at', ({ matchedAt }) => matchedAt],
    ['completed_at', ({ completedAt }) => completedAt],
    ['callback_status', ({ callbackStatus }) => callbackStatus?.toLowerCase()],
    ['account', ({ shown }) => shown['account']],
    ['channel_code', ({ shown }) => shown['channel']],
    ['channel_order_no', ({ channelOrderNo }) => channelOrderNo],
    ['remark', ({ expectedRemark }) => expectedRemark],
    ['bank_reference', ({ shown }) => shown['reference']],
    ['channel_cost', ({ shown }) => shown['channelCost']],
    ['bank_cost', ({ shown }) => shown['bankCost']],
    ['profit', ({ shown }) => shown['profit']],
    ['commission', ({ shown }) => shown['commission']],
  ],
  shownOf: async ({ id, merchantId, accountId, channelId, fee }, { loaders }) => {
    const [merchant, account, channel, transfers, costs] = await Promise.all([
      loaders.merchants.load(merchantId),
      accountId === null ? undefined : loaders.bankAccounts.load(accountId),
      channelId === null ? undefined : loaders.channels.load(channelId),
      loaders.transfers.load(id),
      loaders.orderCosts.load(id),
    ]);
    const paying = transfers.find(({ depositId }) => depositId === id);
    return {
      merchant: merchant?.merchantCode,
      account: managedAccount(account),
      channel: channel?.channelCode,
      reference: paying?.bankReference ?? undefined,
      ...shownCosts(fee, costs),
    };
  },
};
