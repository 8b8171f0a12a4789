import type { Fragment, Sql } from 'postgres';
import { type BankDebitRow, type BankDebitView, debitOfRow, type RawDebit, withWithdrawal } from './bank-debits';
import type { Database } from '../client';
import {
  all,
  among,
  type AmountRange,
  amountWithin,
  type Condition,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';

/** Filter of a list of debits. All given conditions must hold; absent and null mean none. */
export interface BankDebitFilter {
  readonly accountId?: readonly string[] | null;
  readonly amount?: AmountRange | null;
  /** When the report reached us. */
  readonly receivedAt?: TimeRange | null;
  /** False: those that wait for an operator. */
  readonly explained?: boolean | null;
}

/** What debits are sorted by. */
export type BankDebitSortBy = 'RECEIVED_AT';

/** How each is sorted. */
export const BANK_DEBIT_SORTS: Readonly<Record<BankDebitSortBy, SortColumn<BankDebitRow>>> = {
  RECEIVED_AT: {
    column: 'b.received_at',
    type: 'timestamptz',
    value: ({ receivedAt }) => receivedAt.toISOString(),
  },
};

const conditions = (sql: Sql, filter: BankDebitFilter): readonly Condition[] => [
  among(sql, 'b.account_id', filter.accountId, 'uuid'),
  amountWithin(sql, 'b.amount', filter.amount),
  timeWithin(sql, 'b.received_at', filter.receivedAt),
  filter.explained != null && (filter.explained ? sql`b.explained_at is not null` : sql`b.explained_at is null`),
];

const from = (sql: Sql, filter: BankDebitFilter, ...more: Fragment[]): Fragment =>
  sql`from bank_debits b where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of debits, each with the withdrawal that it paid out. */
export async function listBankDebits(
  { read: sql }: Database,
  filter: BankDebitFilter,
  page: PageRequest<BankDebitSortBy>,
): Promise<Page<BankDebitView>> {
  const { within, window } = keyset(sql, BANK_DEBIT_SORTS[page.by], 'b.id', page);
  const rows = await sql<RawDebit[]>`
    ${withWithdrawal(sql, sql`(select b.* ${from(sql, filter, within)} ${window})`)} ${window}`;
  return pageOf(rows.map(debitOfRow), page);
}

/** How many debits match a filter, counted up to `most`. */
export const countBankDebits = async (
  { read: sql }: Database,
  filter: BankDebitFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
