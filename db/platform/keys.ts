import type { Database } from '../client';
import type { RowOf } from '../rows';
import type { platformKeys, processKeys } from '../schema/platform-keys';

/** A key that rows name, or named. */
export type PlatformKeyRow = RowOf<typeof platformKeys>;
/** What a process says of its keys. */
export type ProcessKeysRow = RowOf<typeof processKeys>;

type Reader = Pick<Database, 'measure'>;

/** Rows of processes that are gone are kept so long, seconds. */
const KEPT_SECONDS = 3_600;

/** The keys that were ever current, the current one first. */
export const findPlatformKeys = async ({ measure: sql }: Reader): Promise<PlatformKeyRow[]> =>
  await sql<PlatformKeyRow[]>`
    select id, current_from, released_at from platform_keys order by current_from desc, id desc`;

/** Names the key that everything was made with so far, unless one is named. */
export async function nameFirstKey({ measure: sql }: Reader, id: string, now: Date): Promise<void> {
  await sql`
    insert into platform_keys (id, current_from)
    select ${id}, ${now} where not exists (select from platform_keys) on conflict do nothing`;
}

/** Makes a key the current one; each process must have it from here on. */
export async function makeKeyCurrent(
  { measure: sql }: Reader,
  id: string,
  now: Date,
): Promise<void> {
  await sql`
    insert into platform_keys (id, current_from) values (${id}, ${now})
    on conflict (id) do update set current_from = excluded.current_from, released_at = null`;
}

/** No row needs these keys any more; the current one is never released. @returns those that were needed until now */
export async function releaseKeys(
  { measure: sql }: Reader,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update platform_keys set released_at = ${now}
    where id = any(${ids as string[]}) and released_at is null
      and id <> (select id from platform_keys order by current_from desc, id desc limit 1)
    returning id`;
  return rows.map(({ id }) => id);
}

/** Says which keys a process has, and drops the rows of those that are long gone. */
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

/** A process ends in order: nobody waits for it. */
export async function forgetProcess({ measure: sql }: Reader, id: string): Promise<void> {
  await sql`delete from process_keys where id = ${id}`;
}

/** The processes that were heard of since. */
export const findProcesses = async (
  { measure: sql }: Reader,
  since: Date,
): Promise<ProcessKeysRow[]> =>
  await sql<ProcessKeysRow[]>`
    select id, role, key_ids, current_id, seen_at from process_keys where seen_at > ${since}
    order by role, id`;
