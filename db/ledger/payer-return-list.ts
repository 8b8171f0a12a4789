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
import { payerReturnOf, type PayerReturnRow } from './payer-returns';

/** Filter of a list of returns. All given conditions must hold; absent and null mean none. */
export interface PayerReturnFilter {
  readonly status?: readonly PayerReturnRow['status'][] | null;
  /** Refunds of their deposits. */
  readonly merchantId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
}

/** What returns are sorted by. */
export type PayerReturnSortBy = 'CREATED_AT';

/** How each is sorted. */
export const PAYER_RETURN_SORTS: Readonly<Record<PayerReturnSortBy, SortColumn<PayerReturnRow>>> = {
  CREATED_AT: {
    column: 'r.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

const conditions = (sql: Sql, filter: PayerReturnFilter): readonly Condition[] => [
  among(sql, 'r.status', filter.status),
  among(sql, 'r.merchant_id', filter.merchantId, 'uuid'),
  among(sql, 'r.currency_code', filter.currencyCode),
];

const from = (sql: Sql, filter: PayerReturnFilter, ...more: Fragment[]): Fragment =>
  sql`from payer_returns r where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of returns. */
export async function listPayerReturns(
  { read: sql }: Database,
  filter: PayerReturnFilter,
  page: PageRequest<PayerReturnSortBy>,
): Promise<Page<PayerReturnRow>> {
  const { within, window } = keyset(sql, PAYER_RETURN_SORTS[page.by], 'r.id', page);
  const rows = await sql<Raw<PayerReturnRow>[]>`select r.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(payerReturnOf), page);
}

/** How many returns match a filter, counted up to `most`. */
export const countPayerReturns = async (
  { read: sql }: Database,
  filter: PayerReturnFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
