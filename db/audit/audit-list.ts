import type { Sql } from 'postgres';
import { auditOf, type AuditRow, type RawAudit } from './audit-log';
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

/** Filter of a list of rows of the audit log. All given conditions must hold; absent and null mean none. */
export interface AuditFilter {
  readonly operatorId?: readonly string[] | null;
  readonly action?: readonly string[] | null;
  readonly subject?: string | null;
  /** `OK`, or kinds of refusal. */
  readonly outcome?: readonly string[] | null;
  readonly at?: TimeRange | null;
}

/** How the audit log is sorted. */
export const AUDIT_SORTS: Readonly<Record<'AT', SortColumn<AuditRow>>> = {
  AT: { column: 'a.at', type: 'timestamptz', value: ({ at }) => at.toISOString() },
};

const conditions = (sql: Sql, filter: AuditFilter): readonly Condition[] => [
  among(sql, 'a.operator_id', filter.operatorId, 'uuid'),
  among(sql, 'a.action', filter.action),
  filter.subject != null && sql`a.subject = ${filter.subject}`,
  among(sql, 'a.outcome', filter.outcome),
  timeWithin(sql, 'a.at', filter.at),
];

/** A page of the audit log. */
export async function listAudit(
  { read: sql }: Database,
  filter: AuditFilter,
  page: PageRequest<'AT'>,
): Promise<Page<AuditRow>> {
  const { within, window } = keyset(sql, AUDIT_SORTS[page.by], 'a.id', page);
  const where = all(sql, [within, ...conditions(sql, filter)]);
  const rows = await sql<RawAudit[]>`select a.* from audit_log a where ${where} ${window}`;
  return pageOf(rows.map(auditOf), page);
}

/** How many rows match a filter, counted up to `most`. */
export async function countAudit({ read: sql }: Database, filter: AuditFilter, most: number): Promise<number> {
  const where = all(sql, conditions(sql, filter));
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select from audit_log a where ${where} limit ${most}) counted`;
  return row?.count ?? 0;
}
