import type { Sql } from 'postgres';
import type { ChangeKind, ChangeStatus, SubjectKind } from '../../domain/change-request';
import { CHANGE_COLUMNS, changeOf, type ChangeRow, type RawChange } from './change-requests';
import type { Database } from '../client';
import {
  all,
  among,
  type Condition,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';

/** Filter of a list of changes. All given conditions must hold; absent and null mean none. */
export interface ChangeFilter {
  readonly status?: readonly ChangeStatus[] | null;
  readonly kind?: readonly ChangeKind[] | null;
  readonly subjectKind?: SubjectKind | null;
  readonly subjectId?: string | null;
  readonly merchantId?: readonly string[] | null;
  readonly proposedBy?: readonly string[] | null;
  /** Excludes changes that this operator proposed. */
  readonly notProposedBy?: string | null;
  readonly touches?: readonly string[] | null;
  readonly proposedAt?: TimeRange | null;
}

/** How changes are sorted. */
export const CHANGE_SORTS: Readonly<Record<'PROPOSED_AT', SortColumn<ChangeRow>>> = {
  PROPOSED_AT: {
    column: 'c.proposed_at',
    type: 'timestamptz',
    value: ({ proposedAt }) => proposedAt.toISOString(),
  },
};

/** A change not decided in time counts as expired, even before its row is updated. */
function withStatus(sql: Sql, statuses: readonly ChangeStatus[] | null | undefined, now: Date): Condition {
  if (!statuses) return null;
  const kept = statuses.filter((status) => status !== 'PROPOSED');
  const open = statuses.includes('PROPOSED') ? sql`c.status = 'PROPOSED' and c.expires_at > ${now}` : sql`false`;
  const late = statuses.includes('EXPIRED') ? sql`c.status = 'PROPOSED' and c.expires_at <= ${now}` : sql`false`;
  if (kept.length === 0) return open;
  return sql`(${among(sql, 'c.status', kept) ?? sql`false`} or ${open} or ${late})`;
}

const conditions = (sql: Sql, filter: ChangeFilter, now: Date): readonly Condition[] => [
  withStatus(sql, filter.status, now),
  among(sql, 'c.kind', filter.kind),
  filter.subjectKind != null && sql`c.subject_kind = ${filter.subjectKind}`,
  filter.subjectId != null && sql`c.subject_id = ${filter.subjectId}`,
  among(sql, 'c.merchant_id', filter.merchantId, 'uuid'),
  among(sql, 'c.proposed_by', filter.proposedBy, 'uuid'),
  filter.notProposedBy != null && sql`c.proposed_by <> ${filter.notProposedBy}`,
  filter.touches != null && sql`c.touches && ${filter.touches as string[]}::text[]`,
  timeWithin(sql, 'c.proposed_at', filter.proposedAt),
];

/** A page of changes. */
export async function listChanges(
  { read: sql }: Database,
  filter: ChangeFilter,
  page: PageRequest<'PROPOSED_AT'>,
  now: Date,
): Promise<Page<ChangeRow>> {
  const { within, window } = keyset(sql, CHANGE_SORTS[page.by], 'c.id', page);
  const where = all(sql, [within, ...conditions(sql, filter, now)]);
  const rows = await sql<RawChange[]>`
    select ${sql(CHANGE_COLUMNS)} from change_requests c where ${where} ${window}`;
  return pageOf(rows.map(changeOf), page);
}

/** How many changes match a filter, counted up to `most`. */
export async function countChanges(
  { read: sql }: Database,
  filter: ChangeFilter,
  most: number,
  now: Date,
): Promise<number> {
  const where = all(sql, conditions(sql, filter, now));
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from (select from change_requests c where ${where} limit ${most}) counted`;
  return row?.count ?? 0;
}
