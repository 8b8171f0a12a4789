import type { Fragment, Sql } from 'postgres';
import type { WorkflowNoun } from '../../domain/ids';
import type { Database } from '../client';
import { type OutboxView, view } from './outbox';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';

/** Which parked rows a list shows. */
export interface ParkedOutboxFilter {
  readonly noun?: readonly WorkflowNoun[] | null;
}

/** What parked rows are sorted by. */
export type ParkedOutboxSortBy = 'CREATED_AT';

/** An id begins with the time at which its row was inserted. */
export const PARKED_OUTBOX_SORTS: Readonly<Record<ParkedOutboxSortBy, SortColumn<OutboxView>>> = {
  CREATED_AT: { column: null, type: 'text', value: () => '' },
};

const from = (sql: Sql, { noun }: ParkedOutboxFilter, ...more: Fragment[]): Fragment =>
  sql`from outbox o where o.parked_at is not null and ${all(sql, [among(sql, 'o.noun', noun), ...more])}`;

/** A page of the parked rows. */
export async function listParkedOutbox(
  { read: sql }: Database,
  filter: ParkedOutboxFilter,
  page: PageRequest<ParkedOutboxSortBy>,
): Promise<Page<OutboxView>> {
  const { within, window } = keyset(sql, PARKED_OUTBOX_SORTS[page.by], 'o.id', page);
  const rows = await sql<OutboxView[]>`select ${view(sql)} ${from(sql, filter, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many rows are parked, counted up to `most`. */
export const countParkedOutbox = async (
  { read: sql }: Database,
  filter: ParkedOutboxFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
