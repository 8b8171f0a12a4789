import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';
import type { ListedRow } from './review';

/** Filter of a list of listed beneficiaries. All given conditions must hold; absent and null mean none. */
export interface ListedBeneficiaryFilter {
  readonly list?: readonly ListedRow['list'][] | null;
  /** Only entries that apply to one of these merchants: its own, and those for all merchants. */
  readonly merchantId?: readonly string[] | null;
  readonly bankCode?: readonly string[] | null;
  /** What a number is found by, in any spelling. */
  readonly accountKeys?: readonly string[] | null;
}

/** How listed beneficiaries are sorted. */
export const LISTED_BENEFICIARY_SORTS: Readonly<Record<'CREATED_AT', SortColumn<ListedRow>>> = {
  CREATED_AT: {
    column: 'b.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

const from = (sql: Sql, filter: ListedBeneficiaryFilter, ...more: Fragment[]): Fragment => {
  const ofMerchants = among(sql, 'b.merchant_id', filter.merchantId, 'uuid');
  return sql`from listed_beneficiaries b where ${all(sql, [
    sql`b.removed_at is null`,
    among(sql, 'b.list', filter.list),
    ofMerchants && sql`(b.merchant_id is null or ${ofMerchants})`,
    among(sql, 'b.bank_code', filter.bankCode),
    among(sql, 'b.account_key', filter.accountKeys),
    ...more,
  ])}`;
};

/** A page of the beneficiaries that are listed now. */
export async function listListedBeneficiaries(
  { read: sql }: Database,
  filter: ListedBeneficiaryFilter,
  page: PageRequest<'CREATED_AT'>,
): Promise<Page<ListedRow>> {
  const { within, window } = keyset(sql, LISTED_BENEFICIARY_SORTS[page.by], 'b.id', page);
  const rows = await sql<ListedRow[]>`select b.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many listed beneficiaries match a filter, counted up to `most`. */
export const countListedBeneficiaries = async (
  { read: sql }: Database,
  filter: ListedBeneficiaryFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
