import { type ChartAccount, placesIn } from '../../domain/journal-chart';
import { formatMoney } from '../../domain/money';
import type { LedgerEntryRow } from '../../db/ledger/ledger';
import * as db from '../../db/ledger/ledger-list';
import type { Exportable } from './exportable';

/**
 * The lines of the ledger as a journal in the operator's own chart of accounts, with separate columns for debits and
 * credits.
 */
export const journalOf = (
  chart: readonly ChartAccount[],
): Exportable<LedgerEntryRow, db.LedgerEntrySortBy, db.LedgerEntryFilter> => {
  const placeOf = placesIn(chart);
  return {
    noun: 'journal',
    sorts: db.LEDGER_ENTRY_SORTS,
    id: { of: ({ line }) => String(line), type: 'smallint' },
    read: db.listLedgerEntries,
    columns: [
      ['date_utc', ({ at }) => at.toISOString().slice(0, 10)],
      ['document', ({ transferId }) => transferId],
      ['line', ({ line }) => line],
      ['text', ({ type }) => type.toLowerCase().replaceAll('_', ' ')],
      ['account_code', ({ account }) => placeOf(account)?.code],
      ['account_name', ({ account }) => placeOf(account)?.name],
      ['debit', ({ amount }) => (amount.isNegative() ? formatMoney(amount.negated()) : '')],
      ['credit', ({ amount }) => (amount.isNegative() ? '' : formatMoney(amount))],
      ['currency_code', ({ currencyCode }) => currencyCode],
      ['reference', ({ shown, bankTransferId }) => shown['orderNo'] ?? bankTransferId],
      ['ledger_account', ({ account }) => account],
    ],
    shownOf: async ({ orderId }, { loaders }) => ({
      orderNo: orderId === null ? undefined : (await loaders.orderNos.load(orderId))?.orderNo,
    }),
  };
};
