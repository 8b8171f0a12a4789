import type { Fragment, Sql } from 'postgres';
import type { AlertKind } from '../../domain/alert';
import { alertOf, type AlertRow, alertColumns, type RawAlert } from './alerts';
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

/** Filter of a list of alerts. All given conditions must hold; absent and null mean none. */
export interface AlertFilter {
  /** True: not acknowledged yet; false: acknowledged. */
  readonly open?: boolean | null;
  readonly kind?: readonly AlertKind[] | null;
  readonly merchantId?: readonly string[] | null;
  readonly raisedAt?: TimeRange | null;
}

/** What alerts are sorted by. */
export type AlertSortBy = 'RAISED_AT';

/** The column of each sort. */
export const ALERT_SORTS: Readonly<Record<AlertSortBy, SortColumn<AlertRow>>> = {
  RAISED_AT: {
    column: 'a.raised_at',
    type: 'timestamptz',
    value: ({ raisedAt }) => raisedAt.toISOString(),
  },
};

const openness = (sql: Sql, { open }: AlertFilter): Condition =>
  open === true ? sql`a.acknowledged_at is null` : open === false && sql`a.acknowledged_at is not null`;

/** All conditions except the merchant. */
const from = (sql: Sql, filter: AlertFilter, ...more: Condition[]): Fragment =>
  sql`from alerts a where ${all(sql, [
    openness(sql, filter),
    among(sql, 'a.kind', filter.kind),
    timeWithin(sql, 'a.raised_at', filter.raisedAt),
    ...more,
  ])}`;

/** A page of alerts. */
export async function listAlerts(
  { read: sql }: Database,
  filter: AlertFilter,
  page: PageRequest<AlertSortBy>,
): Promise<Page<AlertRow>> {
  const { within, window } = keyset(sql, ALERT_SORTS[page.by], 'a.id', page);
  const rows = await sql<RawAlert[]>`
    ${perOwner(
      sql,
      { values: filter.merchantId, type: 'uuid' },
      'a',
      (ofMerchant) =>
        sql`select ${alertColumns(sql)} ${from(sql, filter, within, ofMerchant('a.merchant_id'))} ${window}`,
    )} ${window}`;
  return pageOf(rows.map(alertOf), page);
}

/** How many alerts match a filter, counted up to `most`. */
export const countAlerts = async ({ read: sql }: Database, filter: AlertFilter, most: number): Promise<number> => {
  const ofMerchant = among(sql, 'a.merchant_id', filter.merchantId, 'uuid');
  return await countUpTo(sql, from(sql, filter, ofMerchant), most);
};
