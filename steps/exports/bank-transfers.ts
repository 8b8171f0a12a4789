import { openCreditMemo } from '../../crypto/personal';
import { formatMoney } from '../../domain/money';
import { maskedText } from '../../domain/personal';
import * as db from '../../db/transfers/bank-transfer-list';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import type { Exportable } from './exportable';
import { managedAccount } from './managed-account';

/** No payer's name, no payer's account number: an export contains only what bookkeeping needs. */
export const TRANSFERS: Exportable<BankTransferView, db.BankTransferSortBy, db.BankTransferFilter> = {
  noun: 'bank-transfers',
  sorts: db.BANK_TRANSFER_SORTS,
  id: { of: ({ id }) => id, type: 'uuid' },
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
export const MASKED_TRANSFERS: typeof TRANSFERS = {
  ...TRANSFERS,
  columns: TRANSFERS.columns.map(([name, of]) =>
    name === 'memo' ? [name, ({ shown }) => maskedText(shown['memo'] ?? '', 'TEXT')] : [name, of],
  ),
};
