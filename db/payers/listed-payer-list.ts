import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';
import type { ListedPayerRow } from './listed';

/** Filter of a list of listed payers. All given conditions must hold; absent and null mean none. */
export interface ListedPayerFilter {
  readonly list?: readonly ListedPayerRow['list'][] | null;
  readonly trait?: readonly ListedPayerRow['trait'][] | null;
  /** Only entries that apply to one of these merchants: its own, and those for all merchants. */
  readonly merchantId?: readonly string[] | null;
}

/** How listed payers are sorted. */
export const LISTED_PAYER_SORTS: Readonly<Record<'CREATED_AT', SortColumn<ListedPayerRow>>> = {
  CREATED_AT: {
    column: 'p.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

const from = (sql: Sql, filter: ListedPayerFilter, ...more: Fragment[]): Fragment => {
  const ofMerchants = among(sql, 'p.merchant_id', filter.merchantId, 'uuid');
  return sql`from listed_payers p where ${all(sql, [
    sql`p.removed_at is null`,
    among(sql, 'p.list', filter.list),
    among(sql, 'p.trait', filter.trait),
    ofMerchants && sql`(p.merchant_id is null or ${ofMerchants})`,
    ...more,
  ])}`;
};

/** A page of the payers that are listed; those that have expired are still shown. */
export async function listListedPayers(
  { read: sql }: Database,
  filter: ListedPayerFilter,
  page: PageRequest<'CREATED_AT'>,
): Promise<Page<ListedPayerRow>> {
  const { within, window } = keyset(sql, LISTED_PAYER_SORTS[page.by], 'p.id', page);
  const rows = await sql<ListedPayerRow[]>`select p.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many listed payers match a filter, counted up to `most`. */
export const countListedPayers = async (
  { read: sql }: Database,
  filter: ListedPayerFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
