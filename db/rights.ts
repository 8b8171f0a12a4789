import type { Sql } from 'postgres';

/**
 * Requires that the session's user is one of the processes' own (db/functions/rights.sql), who can change neither the
 * ledger nor the schema.
 * @throws if the user is a superuser, or owns the tables
 */
export async function requireRestrictedUser(sql: Sql): Promise<void> {
  const [row] = await sql<{ user: string; unrestricted: boolean }[]>`
    select current_user::text as user, u.rolsuper or exists (
      select from pg_class c where c.oid = 'ledger_entries'::regclass and pg_has_role(current_user, c.relowner, 'MEMBER')
    ) as unrestricted
    from pg_roles u where u.rolname = current_user`;
  if (row?.unrestricted !== false)
    throw new Error(
      `The database's user ${row?.user ?? ''} is a superuser or owns the tables: in production each process connects as a user ` +
        'with the rights of its own, such as causeway_gateway; only migrate connects as the owner (docs/production.md).',
    );
}
