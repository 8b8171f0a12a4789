import { Arg, Authorized, Ctx, Extensions, Mutation, Resolver } from 'type-graphql';
import { openCreditMemo } from '../../crypto/personal';
import { formatMoney } from '../../domain/money';
import { maskedText } from '../../domain/personal';
import * as db from '../../db/transfers/bank-transfer-list';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import { BY_ID, type SortName } from '../connection';
import { type GraphContext } from '../context';
import { REASON } from '../descriptions';
import {
  BankTransferFilter,
  BankTransferSort,
  unlessRestricted,
} from '../transfers/bank-transfer-list';
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
import { seesMasked } from '../../steps/access/masking';

/** No payer's name, no payer's account number: an export contains only what bookkeeping needs. */
const TRANSFERS: Exportable<BankTransferView, db.BankTransferSortBy, db.BankTransferFilter> = {
  noun: 'bank-transfers',
  sorts: db.BANK_TRANSFER_SORTS,
  id: BY_ID,
  read: db.listBankTransfers,
  columns: [
    ['transfer_id', ({ id }) => id],
    ['account', ({ shown }) => shown['account']],
    ['direction', ({ direction }) => direction.toLowerCase()],
    ['currency_code', ({ currencyCode }) => currencyCode],
    ['amount', ({ amount }) => formatMoney(amount)],
    ['bank_reference', ({ bankReference }) => bankReference],
    ['memo', ({ shown }) => shown['memo']],
    ['bank_time', ({ bankTime }) => bankTime],
    ['received_at', ({ receivedAt }) => receivedAt],
    ['balance_after', ({ balanceAfter }) => balanceAfter && formatMoney(balanceAfter)],
    ['source', ({ source }) => source],
    ['unmatched_reason', ({ unmatchedReason }) => unmatchedReason?.toLowerCase()],
    ['order_no', ({ orderNo }) => orderNo],
  ],
  shownOf: async (transfer, { loaders, sealer }) => ({
    account: managedAccount(await loaders.bankAccounts.load(transfer.accountId)),
    memo: openCreditMemo(sealer, transfer),
  }),
};

/** The same without what banks print of people, for who sees it masked elsewhere. */
const MASKED_TRANSFERS: typeof TRANSFERS = {
  ...TRANSFERS,
  columns: TRANSFERS.columns.map(([name, of]) =>
    name === 'memo' ? [name, ({ shown }) => maskedText(shown['memo'] ?? '', 'TEXT')] : [name, of],
  ),
};

@Resolver()
export class BankTransferExportResolver {
  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: `The bank transfers of a list as a file, at most ${MOST_ROWS} a call. The audit log records each export.`,
  })
  async exportBankTransfers(
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('sort', () => BankTransferSort, {
      defaultValue: 'RECEIVED_AT_DESC',
      description: 'The order of the rows.',
    })
    sort: SortName<db.BankTransferSortBy>,
    @Arg('filter', () => BankTransferFilter, {
      nullable: true,
      description: 'Which to write, as in `bankTransfers`; null: all that you may see.',
    })
    filter?: BankTransferFilter | null,
    @Arg('after', () => String, { nullable: true, description: EXPORT_WORDS.after })
    after?: string | null,
    @Arg('cursors', { defaultValue: false, description: EXPORT_WORDS.cursors })
    cursors?: boolean,
  ): Promise<Export> {
    const asked: db.BankTransferFilter = filter ?? {};
    return await exportList(context, seesMasked(context) ? MASKED_TRANSFERS : TRANSFERS, {
      ...{ reason, sort, asked, after, cursors: cursors ?? false },
      filter: unlessRestricted(asked, context),
    });
  }
}
