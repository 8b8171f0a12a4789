import type { Fragment, Sql } from 'postgres';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { settlementAccounts } from '../schema/settlements';
import {
  all,
  among,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  perOwner,
  type SortColumn,
} from '../pages';

/** A merchant's own bank account, to which settlements are paid. */
export type SettlementAccountRow = RowOf<typeof settlementAccounts>;

/** An account that the merchant already has violates settlement_accounts_number. */
export async function insertSettlementAccount(
  tx: Transaction,
  account: Omit<SettlementAccountRow, 'disabledAt' | 'disabledReason'>,
): Promise<void> {
  const a = account;
  await tx`
    insert into settlement_accounts
      (id, merchant_id, currency_code, bank_code, bank_branch, account_no, account_holder, created_at, usable_at)
    values (${a.id}, ${a.merchantId}, ${a.currencyCode}, ${a.bankCode}, ${a.bankBranch}, ${a.accountNo},
      ${a.accountHolder}, ${a.createdAt}, ${a.usableAt})`;
}

/** Disables an account: settlements to it are no longer proposed or approved. @returns whether this call did it */
export async function disableSettlementAccount(
  tx: Transaction,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update settlement_accounts set disabled_at = ${now}, disabled_reason = ${reason}
    where id = ${id} and disabled_at is null returning 1`;
  return rows.length === 1;
}

/** Locks an account, so that it stays enabled until this transaction ends. @returns whether it is enabled */
export async function keepSettlementAccountOpen(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx`
    select from settlement_accounts where id = ${id} and disabled_at is null for share`;
  return rows.length === 1;
}

/** Several by their ids. */
export const findSettlementAccounts = async (
  { sql }: Database,
  ids: readonly string[],
): Promise<SettlementAccountRow[]> =>
  await sql<SettlementAccountRow[]>`
    select * from settlement_accounts where id = any(${ids as string[]})`;

/** Those of a merchant in a currency that are not disabled. */
export const findOpenSettlementAccounts = async (
  { sql }: Database,
  merchantId: string,
  currencyCode: string,
): Promise<SettlementAccountRow[]> =>
  await sql<SettlementAccountRow[]>`
    select * from settlement_accounts
    where merchant_id = ${merchantId} and currency_code = ${currencyCode} and disabled_at is null
    order by created_at, id`;

/** Filter of a list of accounts. All given conditions must hold; absent and null mean none. */
export interface SettlementAccountFilter {
  readonly merchantId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly disabled?: boolean | null;
}

/** What they are sorted by. */
export type SettlementAccountSortBy = 'CREATED_AT';

/** How each is sorted. */
export const SETTLEMENT_ACCOUNT_SORTS: Readonly<Record<SettlementAccountSortBy, SortColumn<SettlementAccountRow>>> = {
  CREATED_AT: {
    column: 'a.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

/** All conditions except the merchants. */
const from = (sql: Sql, { currencyCode, disabled }: SettlementAccountFilter, ...more: (Fragment | null)[]): Fragment =>
  sql`from settlement_accounts a where ${all(sql, [
    among(sql, 'a.currency_code', currencyCode, 'bpchar'),
    disabled != null && (disabled ? sql`a.disabled_at is not null` : sql`a.disabled_at is null`),
    ...more,
  ])}`;

/** A page of accounts. */
export async function listSettlementAccounts(
  { read: sql }: Database,
  filter: SettlementAccountFilter,
  page: PageRequest<SettlementAccountSortBy>,
): Promise<Page<SettlementAccountRow>> {
  const { within, window } = keyset(sql, SETTLEMENT_ACCOUNT_SORTS[page.by], 'a.id', page);
  const rows = await sql<SettlementAccountRow[]>`
    ${perOwner(
      sql,
      { values: filter.merchantId, type: 'uuid' },
      'a',
      (owned) => sql`select a.* ${from(sql, filter, within, owned('a.merchant_id'))} ${window}`,
    )} ${window}`;
  return pageOf(rows, page);
}

/** How many accounts match a filter, counted up to `most`. */
export const countSettlementAccounts = async (
  { read: sql }: Database,
  filter: SettlementAccountFilter,
  most: number,
): Promise<number> =>
  await countUpTo(sql, from(sql, filter, among(sql, 'a.merchant_id', filter.merchantId, 'uuid')), most);
