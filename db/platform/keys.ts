import type { Database } from '../client';
import type { RowOf } from '../rows';
import type { platformKeys, processKeys } from '../schema/platform-keys';

/** A key that rows name, or named. */
export type PlatformKeyRow = RowOf<typeof platformKeys>;
/** The keys that a process reports. */
export type ProcessKeysRow = RowOf<typeof processKeys>;

type Reader = Pick<Database, 'measure'>;

/** How long rows of ended processes are kept, seconds. */
const KEPT_SECONDS = 3_600;

/** The keys that were ever current, the current one first. */
export const findPlatformKeys = async ({ measure: sql }: Reader): Promise<PlatformKeyRow[]> =>
  await sql<PlatformKeyRow[]>`
    select id, current_from, released_at from platform_keys order by current_from desc, id desc`;

/** Records the present key as the first one, unless there is one. */
export async function nameFirstKey({ measure: sql }: Reader, id: string, now: Date): Promise<void> {
  await sql`
    insert into platform_keys (id, current_from)
    select ${id}, ${now} where not exists (select from platform_keys) on conflict do nothing`;
}

/** Makes a key the current one; from now on each process must have it. */
export async function makeKeyCurrent({ measure: sql }: Reader, id: string, now: Date): Promise<void> {
  await sql`
    insert into platform_keys (id, current_from) values (${id}, ${now})
    on conflict (id) do update set current_from = excluded.current_from, released_at = null`;
}

/** Releases keys that no row needs, never the current one. @returns those that were required until now */
export async function releaseKeys({ measure: sql }: Reader, ids: readonly string[], now: Date): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update platform_keys set released_at = ${now}
    where id = any(${ids as string[]}) and released_at is null
      and id <> (select id from platform_keys order by current_from desc, id desc limit 1)
    returning id`;
  return rows.map(({ id }) => id);
}

/** Records which keys a process has, and deletes old rows of ended processes. */
export async function reportKeys(
  { measure: sql }: Reader,
  { id, role, keyIds, currentId, seenAt }: ProcessKeysRow,
): Promise<void> {
  await sql`
    with gone as (
      delete from process_keys
      where seen_at < ${seenAt}::timestamptz - make_interval(secs => ${KEPT_SECONDS}))
    insert into process_keys (id, role, key_ids, current_id, seen_at)
    values (${id}, ${role}, ${keyIds as string[]}, ${currentId}, ${seenAt})
    on conflict (id) do update
      set key_ids = excluded.key_ids, current_id = excluded.current_id, seen_at = excluded.seen_at`;
}

/** Records that a process ends in order, so that nothing waits for it. */
export async function forgetProcess({ measure: sql }: Reader, id: string): Promise<void> {
  await sql`delete from process_keys where id = ${id}`;
}

/** The processes that have reported since. */
export const findProcesses = async ({ measure: sql }: Reader, since: Date): Promise<ProcessKeysRow[]> =>
  await sql<ProcessKeysRow[]>`
    select id, role, key_ids, current_id, seen_at from process_keys
    where seen_at > ${since}
    order by role, id`;
