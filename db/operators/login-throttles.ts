import { FAILURES_FORGOTTEN_HOURS } from '../../domain/lockout';
import type { Database } from '../client';

/**
 * Counts an attempt before it is made, as a failure, so that concurrent attempts count like consecutive ones. @param
 * delays seconds to wait after the first failure, the second, …; the last applies to all later ones. 0: no wait
 * @returns false while attempts are blocked; then nothing was counted
 */
export async function countAttempt(
  { sql }: Database,
  key: string,
  delays: readonly number[],
  now: Date,
): Promise<boolean> {
  const forgotten = new Date(now.getTime() - FAILURES_FORGOTTEN_HOURS * 3_600_000);
  const waits = [...delays];
  const rows = await sql`
    with forgotten as (
      delete from login_throttles where last_at < ${forgotten} and key <> ${key})
    insert into login_throttles as t (key, failures, blocked_until, last_at)
    values (${key}, 1, null, ${now})
    on conflict (key) do update set
      failures = case when t.last_at < ${forgotten} then 1 else t.failures + 1 end,
      blocked_until = case when t.last_at < ${forgotten} then null else ${now}::timestamptz
        + make_interval(secs => nullif((${waits}::int[])[least(t.failures + 1, ${waits.length}::int)], 0)) end,
      last_at = ${now}
    where t.blocked_until is null or t.blocked_until <= ${now}
    returning 1`;
  return rows.length > 0;
}

/** Until when attempts are blocked; null if they are not. */
export async function findBlockedUntil({ sql }: Database, key: string): Promise<Date | null> {
  const [row] = await sql<{ blockedUntil: Date | null }[]>`
    select blocked_until from login_throttles where key = ${key}`;
  return row?.blockedUntil ?? null;
}

/** Uncounts an attempt that neither failed nor succeeded. */
export async function discountAttempt({ sql }: Database, key: string): Promise<void> {
  await sql`
    update login_throttles set failures = greatest(failures - 1, 0), blocked_until = null where key = ${key}`;
}

/** Deletes the failures after a successful login. */
export async function forgetFailures({ sql }: Database, key: string): Promise<void> {
  await sql`delete from login_throttles where key = ${key}`;
}
