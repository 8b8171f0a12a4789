import type { Fragment, Sql } from 'postgres';
import type { LineState, StatementStatus } from '../../domain/statement';
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
import { lineOf, type StatementLineRow, statementOf, type StatementRow } from './statements';

/** Filter of a list of statements. All given conditions must hold; absent and null mean none. */
export interface StatementFilter {
  readonly accountId?: readonly string[] | null;
  readonly status?: readonly StatementStatus[] | null;
}

/** How statements are sorted. */
export const STATEMENT_SORTS: Readonly<Record<'CREATED_AT', SortColumn<StatementRow>>> = {
  CREATED_AT: {
    column: 's.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

const conditions = (sql: Sql, filter: StatementFilter): readonly Condition[] => [
  among(sql, 's.account_id', filter.accountId, 'uuid'),
  among(sql, 's.status', filter.status, 'text'),
];

const from = (sql: Sql, filter: StatementFilter, ...more: Fragment[]): Fragment =>
  sql`from statements s where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of statements. */
export async function listStatements(
  { read: sql }: Database,
  filter: StatementFilter,
  page: PageRequest<'CREATED_AT'>,
): Promise<Page<StatementRow>> {
  const { within, window } = keyset(sql, STATEMENT_SORTS[page.by], 's.id', page);
  const rows = await sql<Raw<StatementRow>[]>`select s.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(statementOf), page);
}

/** How many statements match a filter, counted up to `most`. */
export const countStatements = async (
  { read: sql }: Database,
  filter: StatementFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);

/** Lines of one statement, in the order of the file: in all states by default, or only those that a rule explains. */
export async function listLines(
  { read: sql }: Database,
  statementId: string,
  {
    states,
    explained,
    after,
  }: {
    readonly states: readonly LineState[] | null;
    readonly explained: boolean;
    readonly after: number;
  },
  first: number,
): Promise<StatementLineRow[]> {
  const rows = await sql<Raw<StatementLineRow>[]>`
    select * from statement_lines
    where statement_id = ${statementId} and line > ${after}
      and (${states as LineState[] | null}::text[] is null or state = any(${states as LineState[] | null}::text[]))
      and (not ${explained} or rule_id is not null)
    order by line limit ${first}`;
  return rows.map(lineOf);
}
