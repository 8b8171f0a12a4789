import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';
import {
  all,
  among,
  type Condition,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
} from '../pages';
import type { Raw } from '../rows';
import { billingStatementOf, type BillingStatementRow } from './statements';

/** Filter of a list of billing statements. All given conditions must hold; absent and null mean none. */
export interface BillingStatementFilter {
  readonly merchantId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  /** `YYYY-MM`. */
  readonly month?: string | null;
}

/** How billing statements are sorted. */
export const BILLING_STATEMENT_SORTS: Readonly<Record<'MONTH', SortColumn<BillingStatementRow>>> = {
  MONTH: { column: 's.month', type: 'date', value: ({ month }) => month },
};

const conditions = (sql: Sql, filter: BillingStatementFilter): readonly Condition[] => [
  among(sql, 's.merchant_id', filter.merchantId, 'uuid'),
  among(sql, 's.currency_code', filter.currencyCode, 'bpchar'),
  filter.month != null && sql`s.month = ${`${filter.month}-01`}::text::date`,
];

const from = (sql: Sql, filter: BillingStatementFilter, ...more: Fragment[]): Fragment =>
  sql`from billing_statements s where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of billing statements. */
export async function listBillingStatements(
  { read: sql }: Database,
  filter: BillingStatementFilter,
  page: PageRequest<'MONTH'>,
): Promise<Page<BillingStatementRow>> {
  const { within, window } = keyset(sql, BILLING_STATEMENT_SORTS[page.by], 's.id', page);
  const rows = await sql<Raw<BillingStatementRow>[]>`select s.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(billingStatementOf), page);
}

/** How many billing statements match a filter, counted up to `most`. */
export const countBillingStatements = async (
  { read: sql }: Database,
  filter: BillingStatementFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
