import type { Plain } from '../../domain/change-request';
import type { Database } from '../client';

/** An object of JSON. */
export type PlainObject = Readonly<Record<string, Plain>>;

/** A row with a secret: where it is, and what it is sealed for. */
export interface SealedRow {
  readonly id: string;
  /** What the sealed text is bound to, such as `api_key:<id>`. */
  readonly context: string;
  readonly sealed: string;
  /** The hash by which the secret is found; null if it has none. */
  readonly hash: string | null;
}

/** A row with its secret sealed again. It is updated only if it has not changed since it was read. */
export type ResealedRow = SealedRow & {
  readonly newSealed: string;
  readonly newHash: string | null;
};

type Reader = Pick<Database, 'sql'>;

/** A table with a sealed column. */
export interface SealedTable {
  readonly name: string;
  /** The context of its secret's hash; null: it has no hash. */
  readonly hashedText: ((secret: string) => string) | null;
  /** Rows after this one, in the order of their ids, that are not sealed with a text that begins so. */
  readonly find: (database: Reader, after: string, current: string, most: number) => Promise<SealedRow[]>;
  /** @returns how many were changed */
  readonly replace: (database: Reader, rows: readonly ResealedRow[]) => Promise<number>;
}

const columnsOf = (rows: readonly ResealedRow[]) => ({
  ids: rows.map(({ id }) => id),
  old: rows.map(({ sealed }) => sealed),
  sealed: rows.map(({ newSealed }) => newSealed),
  hashes: rows.map(({ newHash }) => newHash ?? ''),
});

const apiKeys: SealedTable = {
  name: 'api_keys',
  hashedText: (secret) => secret,
  find: async ({ sql }, after, current, most) =>
    await sql<SealedRow[]>`
    select id, 'api_key:' || id as context, sealed_key as sealed, lookup_hash as hash from api_keys
    where id > ${after} and not starts_with(sealed_key, ${current}) order by id limit ${most}`,
  replace: async ({ sql }, rows) => {
    const { ids, old, sealed, hashes } = columnsOf(rows);
    const { count } = await sql`
      update api_keys k set sealed_key = n.sealed, lookup_hash = n.hash
      from unnest(${ids}::uuid[], ${old}::text[], ${sealed}::text[], ${hashes}::text[]) n (id, old, sealed, hash)
      where k.id = n.id and k.sealed_key = n.old`;
    return count;
  },
};

const agentKeys: SealedTable = {
  name: 'agent_keys',
  hashedText: null,
  find: async ({ sql }, after, current, most) =>
    await sql<SealedRow[]>`
    select id, 'agent_key:' || id as context, sealed_secret as sealed, null as hash from agent_keys
    where id > ${after} and not starts_with(sealed_secret, ${current}) order by id limit ${most}`,
  replace: async ({ sql }, rows) => {
    const { ids, old, sealed } = columnsOf(rows);
    const { count } = await sql`
      update agent_keys k set sealed_secret = n.sealed
      from unnest(${ids}::uuid[], ${old}::text[], ${sealed}::text[]) n (id, old, sealed)
      where k.id = n.id and k.sealed_secret = n.old`;
    return count;
  },
};

const channels: SealedTable = {
  name: 'channels',
  hashedText: null,
  find: async ({ sql }, after, current, most) =>
    await sql<SealedRow[]>`
    select id, 'channel:' || id as context, sealed_secret as sealed, null as hash from channels
    where id > ${after} and sealed_secret is not null and not starts_with(sealed_secret, ${current})
    order by id limit ${most}`,
  replace: async ({ sql }, rows) => {
    const { ids, old, sealed } = columnsOf(rows);
    const { count } = await sql`
      update channels c set sealed_secret = n.sealed
      from unnest(${ids}::uuid[], ${old}::text[], ${sealed}::text[]) n (id, old, sealed)
      where c.id = n.id and c.sealed_secret = n.old`;
    return count;
  },
};

const eventAddresses: SealedTable = {
  name: 'event_addresses',
  hashedText: null,
  find: async ({ sql }, after, current, most) =>
    await sql<SealedRow[]>`
    select id, 'event_addresses:' || secret_id as context, sealed_secret as sealed, null as hash
    from event_addresses
    where id > ${after} and sealed_secret is not null and not starts_with(sealed_secret, ${current})
    order by id limit ${most}`,
  replace: async ({ sql }, rows) => {
    const { ids, old, sealed } = columnsOf(rows);
    const { count } = await sql`
      update event_addresses a set sealed_secret = n.sealed
      from unnest(${ids}::uuid[], ${old}::text[], ${sealed}::text[]) n (id, old, sealed)
      where a.id = n.id and a.sealed_secret = n.old`;
    return count;
  },
};

const channelMessages: SealedTable = {
  name: 'channel_messages',
  hashedText: null,
  // Those from before they were sealed stay as they are: they end within 90 days.
  find: async ({ sql }, after, current, most) =>
    await sql<SealedRow[]>`
    select id, 'channel_message:' || id as context, encode(body, 'escape') as sealed, null as hash
    from channel_messages
    where id > ${after} and substring(body from 1 for 3) in ('v1.'::bytea, 'v2.'::bytea)
      and substring(body from 1 for ${current.length}::int) <> ${Buffer.from(current)}::bytea
    order by id limit ${most}`,
  replace: async ({ sql }, rows) => {
    const { ids, old, sealed } = columnsOf(rows);
    const { count } = await sql`
      update channel_messages m set body = decode(n.sealed, 'escape')
      from unnest(${ids}::uuid[], ${old}::text[], ${sealed}::text[]) n (id, old, sealed)
      where m.id = n.id and m.body = decode(n.old, 'escape')`;
    return count;
  },
};

const operatorTotp: SealedTable = {
  name: 'operator_totp',
  hashedText: null,
  find: async ({ sql }, after, current, most) =>
    await sql<SealedRow[]>`
    select operator_id as id, 'totp:' || operator_id as context, sealed_secret as sealed, null as hash
    from operator_totp
    where operator_id > ${after} and not starts_with(sealed_secret, ${current})
    order by operator_id limit ${most}`,
  replace: async ({ sql }, rows) => {
    const { ids, old, sealed } = columnsOf(rows);
    const { count } = await sql`
      update operator_totp t set sealed_secret = n.sealed
      from unnest(${ids}::uuid[], ${old}::text[], ${sealed}::text[]) n (id, old, sealed)
      where t.operator_id = n.id and t.sealed_secret = n.old`;
    return count;
  },
};

/**
 * Every table with a sealed secret, except the proposals (below), and personal columns (personal-columns.ts): test/roles/keys.test.ts finds one that is missing.
 */
export const SEALED_TABLES: readonly SealedTable[] = [
  ...[apiKeys, agentKeys, channels, channelMessages, eventAddresses, operatorTotp],
];

/** An undecided proposal, whose payload may hold secrets. */
export interface OpenProposal {
  readonly id: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly payload: PlainObject;
}

/** The undecided proposals. */
export const findOpenProposals = async ({ sql }: Reader): Promise<OpenProposal[]> =>
  await sql<OpenProposal[]>`
    select id, subject_kind, subject_id, payload from change_requests where status = 'PROPOSED' order by id`;

/** Replaces a payload by one with its secrets sealed again. @returns false if it has changed since it was read */
export async function replacePayload(
  { sql }: Reader,
  { id, payload }: OpenProposal,
  renewed: PlainObject,
): Promise<boolean> {
  const { count } = await sql`
    update change_requests set payload = ${sql.json(renewed)}
    where id = ${id} and status = 'PROPOSED' and payload = ${sql.json(payload)}`;
  return count > 0;
}

/** What still needs a key: by the id that it names, empty for the keys from before the ring. */
export interface KeyUse {
  readonly keyId: string;
  /** A description of it. */
  readonly what: string;
  readonly count: number;
  /** Whether `keys:rotate` puts it under the current key. */
  readonly renewable: boolean;
  /** When the last of it ends by itself; null: never. */
  readonly endsAt: Date | null;
}

/** Which keys are named by what is still valid at this time. */
export const findKeyUses = async ({ sql }: Reader, now: Date): Promise<KeyUse[]> =>
  await sql<KeyUse[]>`
    with sealed (what, text) as (
      select 'merchants’ api keys', sealed_key from api_keys
      union all select 'agents’ keys', sealed_secret from agent_keys
      union all select 'channels', sealed_secret from channels
      union all select 'addresses of platform events', sealed_secret from event_addresses
      union all select 'authenticator apps', sealed_secret from operator_totp
      union all select 'channels’ messages', encode(body, 'escape') from channel_messages
        where substring(body from 1 for 3) in ('v1.'::bytea, 'v2.'::bytea)
      union all select 'undecided changes', m[1] from change_requests c
        cross join lateral regexp_matches(c.payload::text, '"sealed(?:Key|Secret)": "([^"]*)"', 'g') m
        where c.status = 'PROPOSED'
    ), hashed (what, text, ends_at) as (
      select 'operators’ sessions', token_hash, expires_at from operator_sessions where expires_at > ${now}
      union all select 'API tokens', token_hash, expires_at from api_tokens
        where revoked_at is null and expires_at > ${now}
      union all select 'links in mails', token_hash, expires_at from operator_links
        where token_hash is not null and used_at is null and revoked_at is null and expires_at > ${now}
      union all select 'links to secrets', token_hash, expires_at from secret_links
        where taken_at is null and expires_at > ${now}
      union all select 'links to agents’ owners', token_hash, expires_at from agent_enrolments
        where enrolled_at is null and expires_at > ${now}
      union all select 'recovery codes of ' || o.login, c.code_hash, null
        from operator_recovery_codes c join operators o on o.id = c.operator_id
        where c.used_at is null and o.disabled_at is null
    ), uses as (
      select what, case when starts_with(text, 'v2.') then split_part(text, '.', 2) else '' end as key_id,
        true as renewable, null::timestamptz as ends_at
      from sealed where text is not null
      union all
      select what, case when strpos(text, '.') > 0 then split_part(text, '.', 1) else '' end, false, ends_at
      from hashed
    )
    select key_id, what, count(*)::int as count, bool_or(renewable) as renewable, max(ends_at) as ends_at from uses
    group by key_id, what order by key_id, what`;

/**
 * Cashier sessions of a period whose payers' links are still valid: their tokens are signed with the key of that
 * period.
 */
export const countOpenSessions = async (
  { sql }: Reader,
  { from, until, endedAfter }: { readonly from: Date | null; readonly until: Date; readonly endedAfter: Date },
): Promise<number> =>
  (
    await sql<{ count: number }[]>`
      select count(*)::int as count from cashier_sessions s
      left join deposit_orders d on d.id = s.deposit_order_id
      where s.created_at < ${until} and (${from}::timestamptz is null or s.created_at >= ${from})
        and s.revoked_at is null
        and case s.status when 'PENDING' then true when 'EXPIRED' then s.expire_at > ${endedAfter}
          else d.status not in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED') or d.updated_at > ${endedAfter} end`
  )[0]?.count ?? 0;
