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
import type { OutageRow } from './outages';

/** Filter of a list of outages. All given conditions must hold; absent and null mean none. */
export interface OutageFilter {
  readonly bankCode?: readonly string[] | null;
  readonly channelId?: readonly string[] | null;
  /** Only those that have not ended: in force or scheduled. */
  readonly open?: boolean | null;
}

/** How outages are sorted. */
export const OUTAGE_SORTS: Readonly<Record<'BEGINS_AT', SortColumn<OutageRow>>> = {
  BEGINS_AT: {
    column: 'o.begins_at',
    type: 'timestamptz',
    value: ({ beginsAt }) => beginsAt.toISOString(),
  },
};

const conditions = (sql: Sql, filter: OutageFilter, now: Date): readonly Condition[] => [
  among(sql, 'o.bank_code', filter.bankCode, 'text'),
  among(sql, 'o.channel_id', filter.channelId, 'uuid'),
  typeof filter.open === 'boolean' && sql`(coalesce(outage_end(o), 'infinity') > ${now}::timestamptz) = ${filter.open}`,
];

const from = (sql: Sql, filter: OutageFilter, now: Date, ...more: Fragment[]): Fragment =>
  sql`from outages o where ${all(sql, [...conditions(sql, filter, now), ...more])}`;

/** A page of outages. */
export async function listOutages(
  { read: sql }: Database,
  filter: OutageFilter,
  page: PageRequest<'BEGINS_AT'>,
  now: Date,
): Promise<Page<OutageRow>> {
  const { within, window } = keyset(sql, OUTAGE_SORTS[page.by], 'o.id', page);
  const rows = await sql<OutageRow[]>`select o.* ${from(sql, filter, now, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many outages match a filter, counted up to `most`. */
export const countOutages = async (
  { read: sql }: Database,
  filter: OutageFilter,
  most: number,
  now: Date,
): Promise<number> => await countUpTo(sql, from(sql, filter, now), most);
