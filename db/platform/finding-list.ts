import type { Fragment, Sql } from 'postgres';
import type { FindingKind } from '../../domain/recovery';
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
import type { FindingRow } from './findings';

/** Which findings of the last recovery a list shows. */
export interface FindingFilter {
  readonly kind?: readonly FindingKind[] | null;
}

/** What findings are sorted by. */
export type FindingSortBy = 'FOUND_AT';

/** The column of each sort. */
export const FINDING_SORTS: Readonly<Record<FindingSortBy, SortColumn<FindingRow>>> = {
  FOUND_AT: {
    column: 'f.found_at',
    type: 'timestamptz',
    value: ({ foundAt }) => foundAt.toISOString(),
  },
};

const from = (sql: Sql, { kind }: FindingFilter, ...more: Condition[]): Fragment => sql`
  from recovery_findings f
  where f.recovery_id = (select id from recoveries order by epoch desc limit 1)
    and ${all(sql, [among(sql, 'f.kind', kind), ...more])}`;

/** A page of findings. */
export async function listFindings(
  { read: sql }: Database,
  filter: FindingFilter,
  page: PageRequest<FindingSortBy>,
): Promise<Page<FindingRow>> {
  const { within, window } = keyset(sql, FINDING_SORTS[page.by], 'f.id', page);
  return pageOf(await sql<FindingRow[]>`select f.* ${from(sql, filter, within)} ${window}`, page);
}

/** How many findings match a filter, counted up to `most`. */
export const countListedFindings = async (
  { read: sql }: Database,
  filter: FindingFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
