import type { Fragment, Sql } from 'postgres';
import type { Database } from '../client';
import { all, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';
import { columns, type LinkRow } from './operator-links';

/** Filter of a list of invitations. All given conditions must hold; absent and null mean none. */
export interface InvitationFilter {
  /** The whole address, compared without case. */
  readonly email?: string | null;
  /** True: it can still be accepted; false: it was accepted or revoked, or has expired. */
  readonly open?: boolean | null;
}

/** How invitations are sorted. */
export const INVITATION_SORTS: Readonly<Record<'CREATED_AT', SortColumn<Pick<LinkRow, 'id' | 'createdAt'>>>> = {
  CREATED_AT: {
    column: 'l.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

const from = (sql: Sql, { email, open }: InvitationFilter, now: Date, ...more: Fragment[]): Fragment =>
  sql`from operator_links l where ${all(sql, [
    sql`l.purpose = 'INVITE'`,
    email != null && sql`lower(l.email) = lower(${email})`,
    open != null && sql`(l.used_at is null and l.revoked_at is null and l.expires_at > ${now}) = ${open}`,
    ...more,
  ])}`;

/** A page of invitations. */
export async function listInvitations(
  { read: sql }: Database,
  filter: InvitationFilter,
  page: PageRequest<'CREATED_AT'>,
  now: Date,
): Promise<Page<LinkRow>> {
  const { within, window } = keyset(sql, INVITATION_SORTS[page.by], 'l.id', page);
  const rows = await sql<LinkRow[]>`
    select ${columns(sql)} ${from(sql, filter, now, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many invitations match a filter, counted up to `most`. */
export const countInvitations = async (
  { read: sql }: Database,
  filter: InvitationFilter,
  most: number,
  now: Date,
): Promise<number> => await countUpTo(sql, from(sql, filter, now), most);
