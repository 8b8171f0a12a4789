import type { Fragment, Sql } from 'postgres';
import type { Permission } from '../../domain/permissions';
import type { Database } from '../client';
import { all, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';
import { roleOf, type RoleColumns, type RoleRow } from './roles';

/** Filter of a list of roles. All given conditions must hold; absent and null mean none. */
export interface RoleFilter {
  readonly builtIn?: boolean | null;
  /** Allows one of these. */
  readonly permission?: readonly Permission[] | null;
}

/** Names are unique. */
export const ROLE_SORTS: Readonly<Record<'NAME', SortColumn<Pick<RoleRow, 'name'>>>> = {
  NAME: { column: null, type: 'text', value: () => '' },
};

const from = (sql: Sql, { builtIn, permission }: RoleFilter, ...more: Fragment[]): Fragment =>
  sql`from roles r where ${all(sql, [
    builtIn != null && sql`r.built_in = ${builtIn}`,
    permission != null && sql`r.permissions && ${[...permission]}::text[]`,
    ...more,
  ])}`;

/** A page of roles. */
export async function listRoles(
  { read: sql }: Database,
  filter: RoleFilter,
  page: PageRequest<'NAME'>,
): Promise<Page<RoleRow>> {
  const { within, window } = keyset(sql, ROLE_SORTS[page.by], 'r.name', page, 'text');
  const rows = await sql<RoleColumns[]>`
    select r.name, r.permissions, r.approve_limits, r.built_in
    ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(roleOf), page);
}

/** How many roles match a filter, counted up to `most`. */
export const countRoles = async ({ read: sql }: Database, filter: RoleFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
