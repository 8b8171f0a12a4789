import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { formatMoney } from '../../domain/money';
import * as db from '../../db/deposits/deposit-list';
import type { DepositView } from '../../db/deposits/deposits';
import { BY_ID, type SortName } from '../connection';
import { type GraphContext } from '../context';
import { DepositFilter, DepositSort } from '../deposits/deposit-list';
import { REASON } from '../descriptions';
import { toOwnMerchants } from '../list-resolver';
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

/** No payer's name, no payer's account number: an export contains only what bookkeeping needs. */
const DEPOSITS: Exportable<DepositView, db.DepositSortBy, db.DepositFilter> = {
  noun: 'deposits',
  sorts: db.DEPOSIT_SORTS,
  id: BY_ID,
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

@Resolver()
export class DepositExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The deposits of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportDeposits(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => DepositSort, {
      defaultValue: 'CREATED_AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.DepositSortBy>,
    @Arg('filter', () => DepositFilter, {
      nullable: true,
      description: 'Which deposits to write, as in `deposits`; null: all that you may see.',
    })
    filter?: DepositFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const asked: db.DepositFilter = filter ?? {};
    return await exportList(context, DEPOSITS, {
      ...{ reason, sort, asked, after, cursors: cursors ?? false },
      filter: toOwnMerchants(asked, context),
    });
  }
}
