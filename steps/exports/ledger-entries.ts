import { formatMoney } from '../../domain/money';
import type { LedgerEntryRow } from '../../db/ledger/ledger';
import * as db from '../../db/ledger/ledger-list';
import type { Exportable } from './exportable';

export const ENTRIES: Exportable<LedgerEntryRow, db.LedgerEntrySortBy, db.LedgerEntryFilter> = {
  noun: 'ledger-entries',
  sorts: db.LEDGER_ENTRY_SORTS,
  id: { of: ({ line }) => String(line), type: 'smallint' },
  read: db.listLedgerEntries,
  columns: [
    ['transfer_id', ({ transferId }) => transferId],
    ['line', ({ line }) => line],
    ['at', ({ at }) => at],
    ['type', ({ type }) => type.toLowerCase()],
    ['account', ({ account }) => account],
    ['currency_code', ({ currencyCode }) => currencyCode],
    ['amount', ({ amount }) => formatMoney(amount)],
    ['balance_before', ({ balanceBefore }) => balanceBefore && formatMoney(balanceBefore)],
    ['balance_after', ({ balanceAfter }) => balanceAfter && formatMoney(balanceAfter)],
    ['order_no', ({ shown }) => shown['orderNo']],
    ['bank_transfer_id', ({ bankTransferId }) => bankTransferId],
  ],
  shownOf: async ({ orderId }, { loaders }) => ({
    orderNo: orderId === null ? undefined : (await loaders.orderNos.load(orderId))?.orderNo,
  }),
};
