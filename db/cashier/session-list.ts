import type { Sql } from 'postgres';
import type { CashierStatus } from '../../domain/cashier';
import type { CashierSessionRow } from './sessions';
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
  perOwner,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';

/** Filter of a list of cashier sessions. All given conditions must hold; absent and null mean none. */
export interface CashierFilter {
  readonly status?: readonly CashierStatus[] | null;
  readonly merchantId?: readonly string[] | null;
  readonly userId?: string | null;
  readonly merchantOrderNo?: string | null;
  readonly createdAt?: TimeRange | null;
}

/** What cashier sessions are sorted by. */
export type CashierSortBy = 'CREATED_AT';

/** How each is sorted. */
export const CASHIER_SORTS: Readonly<Record<CashierSortBy, SortColumn<CashierSessionRow>>> = {
  CREATED_AT: {
    column: 's.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

/** All conditions except the merchants. */
const conditions = (sql: Sql, filter: CashierFilter): readonly Condition[] => [
  among(sql, 's.status', filter.status),
  filter.userId != null && sql`s.user_id = ${filter.userId}`,
  filter.merchantOrderNo != null && sql`s.merchant_order_no = ${filter.merchantOrderNo}`,
  timeWithin(sql, 's.created_at', filter.createdAt),
];

/** A page of cashier sessions. */
export async function listCashierSessions(
  { read: sql }: Database,
  filter: CashierFilter,
  page: PageRequest<CashierSortBy>,
): Promise<Page<CashierSessionRow>> {
  const { within, window } = keyset(sql, CASHIER_SORTS[page.by], 's.id', page);
  const where = all(sql, [within, ...conditions(sql, filter)]);
  const found = perOwner(
    sql,
    { values: filter.merchantId, type: 'uuid' },
    's',
    (owned) => sql`
      select s.* from cashier_sessions s where ${where} and ${owned('s.merchant_id')} ${window}`,
  );
  return pageOf(await sql<CashierSessionRow[]>`${found} ${window}`, page);
}

/** How many cashier sessions match a filter, counted up to `most`. */
export async function countCashierSessions(
  { read: sql }: Database,
  filter: CashierFilter,
  most: number,
): Promise<number> {
  const where = all(sql, [...conditions(sql, filter), among(sql, 's.merchant_id', filter.merchantId, 'uuid')]);
  return await countUpTo(sql, sql`from cashier_sessions s where ${where}`, most);
}
