import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';
import type { MerchantRow } from './merchants';
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

/** Filter of a list of merchants. All given conditions must hold; absent and null mean none. */
export interface MerchantFilter {
  readonly id?: readonly string[] | null;
  readonly enabled?: boolean | null;
  readonly canDeposit?: boolean | null;
  readonly canWithdraw?: boolean | null;
  /** Enabled for the merchant. */
  readonly currencyCode?: readonly string[] | null;
  /** The whole code. */
  readonly merchantCode?: string | null;
  readonly merchantCodePrefix?: string | null;
  /** Compared without case. */
  readonly namePrefix?: string | null;
}

/** What merchants are sorted by. */
export type MerchantSortBy = 'CODE' | 'NAME';

/** How each is sorted. */
export const MERCHANT_SORTS: Readonly<Record<MerchantSortBy, SortColumn<MerchantRow>>> = {
  CODE: { column: 'm.merchant_code', type: 'text', value: ({ merchantCode }) => merchantCode },
  NAME: { column: 'm.name', type: 'text', value: ({ name }) => name },
};

const from = (sql: Sql, filter: MerchantFilter, ...more: Fragment[]): Fragment =>
  sql`from merchants m where ${all(sql, [
    among(sql, 'm.id', filter.id, 'uuid'),
    filter.enabled != null && sql`m.enabled = ${filter.enabled}`,
    filter.canDeposit != null && sql`m.can_deposit = ${filter.canDeposit}`,
    filter.canWithdraw != null && sql`m.can_withdraw = ${filter.canWithdraw}`,
    filter.currencyCode != null &&
      sql`exists (select from merchant_currencies c where c.merchant_id = m.id and c.enabled
        and ${among(sql, 'c.currency_code', filter.currencyCode, 'bpchar') ?? sql`true`})`,
    filter.merchantCode != null && sql`m.merchant_code = ${filter.merchantCode}`,
    filter.merchantCodePrefix != null && beginsWith(sql, 'm.merchant_code', filter.merchantCodePrefix),
    filter.namePrefix != null && sql`lower(m.name) collate "C" ^@ lower(${filter.namePrefix})`,
    ...more,
  ])}`;

/** A page of merchants. */
export async function listMerchants(
  { read: sql }: Database,
  filter: MerchantFilter,
  page: PageRequest<MerchantSortBy>,
): Promise<Page<MerchantRow>> {
  const { within, window } = keyset(sql, MERCHANT_SORTS[page.by], 'm.id', page);
  const rows = await sql<MerchantRow[]>`select m.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many merchants match a filter, counted up to `most`. */
export const countMerchants = async ({ read: sql }: Database, filter: MerchantFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
