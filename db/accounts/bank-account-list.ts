import type { Fragment, Sql } from 'postgres';
import type { AccountMode, AccountStatus } from '../../domain/bank-account';
import { accountOf, type BankAccountRow, type RawAccount } from './bank-accounts';
import type { Database } from '../client';
import {
  all,
  among,
  beginsWith,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
} from '../pages';

/** Filter of a list of accounts. All given conditions must hold; absent and null mean none. */
export interface BankAccountFilter {
  readonly status?: readonly AccountStatus[] | null;
  readonly mode?: readonly AccountMode[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly bankCode?: readonly string[] | null;
  /** The whole number. */
  readonly accountNo?: string | null;
  readonly accountNoPrefix?: string | null;
}

/** What accounts are sorted by. */
export type BankAccountSortBy = 'NAME';

/** How each is sorted. */
export const BANK_ACCOUNT_SORTS: Readonly<Record<BankAccountSortBy, SortColumn<BankAccountRow>>> = {
  NAME: { column: 'a.name', type: 'text', value: ({ name }) => name },
};

const from = (sql: Sql, filter: BankAccountFilter, ...more: Fragment[]): Fragment =>
  sql`from bank_accounts a where ${all(sql, [
    among(sql, 'a.status', filter.status),
    among(sql, 'a.mode', filter.mode),
    among(sql, 'a.currency_code', filter.currencyCode, 'bpchar'),
    among(sql, 'a.bank_code', filter.bankCode),
    filter.accountNo != null && sql`a.account_no = ${filter.accountNo}`,
    filter.accountNoPrefix != null && beginsWith(sql, 'a.account_no', filter.accountNoPrefix),
    ...more,
  ])}`;

/** A page of accounts. */
export async function listBankAccounts(
  { read: sql }: Database,
  filter: BankAccountFilter,
  page: PageRequest<BankAccountSortBy>,
): Promise<Page<BankAccountRow>> {
  const { within, window } = keyset(sql, BANK_ACCOUNT_SORTS[page.by], 'a.id', page);
  const rows = await sql<RawAccount[]>`select a.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(accountOf), page);
}

/** How many accounts match a filter, counted up to `most`. */
export const countBankAccounts = async (
  { read: sql }: Database,
  filter: BankAccountFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
