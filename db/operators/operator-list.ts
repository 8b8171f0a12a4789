import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';
import {
  all,
  among,
  beginsWith,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
} from '../pages';
import { type AuthorityColumns, authorityColumns, type OperatorWithAuthority, withAuthority } from './operators';

/** Filter of a list of operators. All given conditions must hold; absent and null mean none. */
export interface OperatorFilter {
  /** Has one of these roles. */
  readonly role?: readonly string[] | null;
  readonly disabled?: boolean | null;
  readonly loginPrefix?: string | null;
}

/** How operators are sorted. */
export const OPERATOR_SORTS: Readonly<Record<'LOGIN', SortColumn<OperatorWithAuthority>>> = {
  LOGIN: { column: 'o.login', type: 'text', value: ({ login }) => login },
};

const from = (sql: Sql, { role, disabled, loginPrefix }: OperatorFilter, ...more: Fragment[]): Fragment =>
  sql`from operators o where ${all(sql, [
    role != null &&
      sql`exists (select from operator_roles x where x.operator_id = o.id
        and ${among(sql, 'x.role', role) ?? sql`true`})`,
    disabled != null && (disabled ? sql`o.disabled_at is not null` : sql`o.disabled_at is null`),
    loginPrefix != null && beginsWith(sql, 'o.login', loginPrefix),
    ...more,
  ])}`;

/** A page of operators. */
export async function listOperators(
  { read: sql }: Database,
  filter: OperatorFilter,
  page: PageRequest<'LOGIN'>,
): Promise<Page<OperatorWithAuthority>> {
  const { within, window } = keyset(sql, OPERATOR_SORTS[page.by], 'o.id', page);
  const rows = await sql<AuthorityColumns[]>`
    select ${authorityColumns(sql)} ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(withAuthority), page);
}

/** How many operators match a filter, counted up to `most`. */
export const countOperators = async ({ read: sql }: Database, filter: OperatorFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
