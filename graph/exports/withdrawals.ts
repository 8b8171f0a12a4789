import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { formatMoney } from '../../domain/money';
import * as db from '../../db/withdrawals/withdrawal-list';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import { BY_ID, type SortName } from '../connection';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import { toOwnMerchants } from '../list-resolver';
import { WithdrawalFilter, WithdrawalSort } from '../withdrawals/withdrawal-list';
import {
  Export,
  EXPORT_COST,
  EXPORT_WORDS,
  type Exportable,
  EXPORTERS,
  exportList,
  MOST_ROWS,
} from './export';
import { managedAccount } from './managed-account';
import { shownCosts } from '../fees/order-costs';
import { operatorOf } from '../../steps/access/caller';

/** No beneficiary's name, no beneficiary's account number: an export contains only what bookkeeping needs. */
const WITHDRAWALS: Exportable<WithdrawalView, db.WithdrawalSortBy, db.WithdrawalFilter> = {
  noun: 'withdrawals',
  sorts: db.WITHDRAWAL_SORTS,
  id: BY_ID,
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

@Resolver()
export class WithdrawalExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The withdrawals of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportWithdrawals(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => WithdrawalSort, {
      defaultValue: 'CREATED_AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.WithdrawalSortBy>,
    @Arg('filter', () => WithdrawalFilter, {
      nullable: true,
      description: 'Which to write, as in `withdrawals`; null: all that you may see.',
    })
    filter?: WithdrawalFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const { mine, ...asked }: WithdrawalFilter = filter ?? {};
    const own = mine ? { claimedBy: [operatorOf(context.actor).id] } : {};
    return await exportList(context, WITHDRAWALS, {
      ...{ reason, sort, asked: { ...asked, ...own }, after, cursors: cursors ?? false },
      filter: { ...toOwnMerchants(asked, context), ...own },
    });
  }
}
