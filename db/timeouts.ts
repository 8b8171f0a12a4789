import type { Sql } from 'postgres';

/** A session's limits, which db/client.ts sets itself unless there is a pooler. */
const LIMITS = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Requires the timeouts that keep a blocked statement from blocking others.
 * @throws naming those that the session lacks
 */
export async function requireTimeouts(sql: Sql): Promise<void> {
  const rows = await sql<{ name: string; user: string }[]>`
    select coalesce(name, '') as name, current_user::text as user
    from pg_settings where name = any(${LIMITS}::text[]) and setting = '0' order by 1`;
  if (rows.length === 0) return;
  const missing = rows.map(({ name }) => name).join(', ');
  throw new Error(
    `Sessions have no ${missing}: behind a pooler set them by the user, as docs/production.md says ` +
      `(alter role ${rows[0]?.user ?? ''} set lock_timeout = '2s').`,
  );
}
