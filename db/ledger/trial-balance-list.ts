import type { Fragment, Sql } from 'postgres';
import type { AccountKind } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
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
import { kindOfAccount } from './ledger';

/** The balance of one account in one currency. */
export interface AccountBalanceRow {
  readonly account: string;
  readonly currencyCode: string;
  readonly balance: Money;
}

/** Filter of the trial balance. All given conditions must hold; absent and null mean none. */
export interface TrialBalanceFilter {
  readonly account?: readonly string[] | null;
  readonly accountPrefix?: string | null;
  readonly currencyCode?: readonly string[] | null;
  readonly kind?: readonly AccountKind[] | null;
}

/** An account has one row in each currency. */
export const TRIAL_BALANCE_SORTS: Readonly<Record<'ACCOUNT', SortColumn<AccountBalanceRow>>> = {
  ACCOUNT: { column: 'e.account', type: 'text', value: ({ account }) => account },
};

const from = (sql: Sql, filter: TrialBalanceFilter, ...more: Fragment[]): Fragment =>
  sql`from account_amounts() e where ${all(sql, [
    among(sql, 'e.account', filter.account),
    filter.accountPrefix != null && beginsWith(sql, 'e.account', filter.accountPrefix),
    among(sql, 'e.currency_code', filter.currencyCode, 'bpchar'),
    filter.kind != null && sql`${kindOfAccount(sql)} = any(${[...filter.kind]}::text[])`,
    ...more,
  ])} group by e.account, e.currency_code`;

/** A page of the trial balance. */
export async function listTrialBalance(
  { read: sql }: Database,
  filter: TrialBalanceFilter,
  page: PageRequest<'ACCOUNT'>,
): Promise<Page<AccountBalanceRow>> {
  const { within, window } = keyset(sql, TRIAL_BALANCE_SORTS[page.by], 'e.currency_code', page, 'bpchar');
  const rows = await sql<{ account: string; currencyCode: string; balance: string }[]>`
    select e.account, e.currency_code, sum(e.credits + e.debits)::text as balance
    ${from(sql, filter, within)} ${window}`;
  return pageOf(
    rows.map((row) => ({ ...row, balance: money(row.balance) })),
    page,
  );
}

/** How many rows of the trial balance match a filter, counted up to `most`. */
export const countTrialBalance = async (
  { read: sql }: Database,
  filter: TrialBalanceFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
