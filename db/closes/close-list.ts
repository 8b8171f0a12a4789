import type { Fragment, Sql } from 'postgres';
import type { CloseStatus } from '../../domain/day-close';
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
import { closeOf, type CloseRow } from './closes';

/** Filter of a list of days. All given conditions must hold; absent and null mean none. */
export interface CloseFilter {
  readonly accountId?: readonly string[] | null;
  readonly channelId?: readonly string[] | null;
  readonly status?: readonly CloseStatus[] | null;
  /** Closed days with an unexplained difference. */
  readonly openItem?: boolean | null;
}

/** How days are sorted. */
export const CLOSE_SORTS: Readonly<Record<'DAY', SortColumn<CloseRow>>> = {
  DAY: { column: 'c.day', type: 'date', value: ({ day }) => day },
};

const conditions = (sql: Sql, filter: CloseFilter): readonly Condition[] => [
  among(sql, 'c.account_id', filter.accountId, 'uuid'),
  among(sql, 'c.channel_id', filter.channelId, 'uuid'),
  among(sql, 'c.status', filter.status, 'text'),
  filter.openItem === true && sql`exists (select from close_items i where i.close_id = c.id and i.ended_at is null)`,
];

const from = (sql: Sql, filter: CloseFilter, ...more: Fragment[]): Fragment =>
  sql`from day_closes c where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of days. */
export async function listCloses(
  { read: sql }: Database,
  filter: CloseFilter,
  page: PageRequest<'DAY'>,
): Promise<Page<CloseRow>> {
  const { within, window } = keyset(sql, CLOSE_SORTS[page.by], 'c.id', page);
  const rows = await sql<Raw<CloseRow>[]>`select c.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(closeOf), page);
}

/** How many days match a filter, counted up to `most`. */
export const countCloses = async ({ read: sql }: Database, filter: CloseFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
