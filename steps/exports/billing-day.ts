import { BILLING_LINES } from '../../domain/billing';
import { formatMoney } from '../../domain/money';
import * as db from '../../db/billing/day-postings';
import { type Exportable, MOST_ROWS } from './exportable';

export const POSTINGS: Exportable<db.BillingPostingRow, 'SEQ', db.BillingDay> = {
  noun: 'billing-day',
  sorts: db.BILLING_POSTING_SORTS,
  id: { of: ({ seq }) => seq, type: 'text' },
  // Each SQL statement sums the balance from the beginning of the month.
  batch: MOST_ROWS,
  read: db.listBillingPostings,
  columns: [
    ['posting', ({ seq }) => seq],
    ['transfer_id', ({ transferId }) => transferId],
    ['at', ({ at }) => at],
    ['type', ({ type }) => type.toLowerCase()],
    ['title', ({ type }) => BILLING_LINES[type].title],
    ['order_no', ({ orderNo }) => orderNo],
    ['merchant_order_no', ({ merchantOrderNo }) => merchantOrderNo],
    ['amount', ({ amount }) => formatMoney(amount)],
    ['fee', ({ fee }) => formatMoney(fee)],
    ['available', ({ available }) => formatMoney(available)],
    ['frozen', ({ frozen }) => formatMoney(frozen)],
    ['receivable', ({ receivable }) => formatMoney(receivable)],
    ['balance', ({ balance }) => formatMoney(balance)],
  ],
  shownOf: async () => await Promise.resolve({}),
};
