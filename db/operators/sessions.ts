import type { Fragment, Sql } from 'postgres';
import { LIMITS } from '../../domain/limits';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { operatorSessions } from '../schema/operators';
import { type AuthorityColumns, authorityColumns, type OperatorWithAuthority, withAuthority } from './operators';

/** A login. */
export type SessionRow = Omit<RowOf<typeof operatorSessions>, 'tokenHash' | 'factorAt' | 'passkeyAt' | 'roles'>;

/** When the session's owner last used a second factor; null: never in this session. */
export type Proof = Pick<RowOf<typeof operatorSessions>, 'factorAt' | 'passkeyAt'>;

/** Stores a login, by the keyed hash of its token. */
export async function insertSession(
  { sql }: Database,
  session: Omit<SessionRow, 'lastSeenAt'> &
    Proof & { readonly tokenHash: string; readonly roles: readonly string[] | null },
): Promise<void> {
  await sql`
    insert into operator_sessions (token_hash, id, operator_id, cookie, address, user_agent,
      created_at, last_seen_at, expires_at, factor_at, passkey_at, roles)
    values (${session.tokenHash}, ${session.id}, ${session.operatorId}, ${session.cookie}, ${session.address},
      ${session.userAgent}, ${session.createdAt}, ${session.createdAt}, ${session.expiresAt},
      ${session.factorAt}, ${session.passkeyAt}, ${session.roles as string[] | null})`;
}

/** Records that a second factor has proved the session's owner again. */
export async function proveSession(
  { sql }: Database,
  tokenHash: string,
  { factorAt, passkeyAt }: Proof,
): Promise<void> {
  await sql`
    update operator_sessions set factor_at = ${factorAt}, passkey_at = coalesce(${passkeyAt}, passkey_at)
    where token_hash = ${tokenHash}`;
}

/** The condition for a session `s` that is valid at this time; a browser's also ends when it is idle. */
const isLive = (sql: Sql, now: Date): Fragment => {
  const idleSince = new Date(now.getTime() - LIMITS.browserIdleMinutes * 60_000);
  return sql`s.expires_at > ${now} and (not s.cookie or s.last_seen_at > ${idleSince})`;
};

/** A session may be bound to some of its owner's roles: the others allow nothing in it. */
const authorityIn = (sql: Sql): Fragment => authorityColumns(sql, sql`s.roles is null or r.name = any(s.roles)`);

/** An operator, and the hash under which the token is stored. */
export interface FoundByToken {
  readonly operator: OperatorWithAuthority;
  readonly tokenHash: string;
  /** The id of the session; null for a token. */
  readonly proof?: Proof;
}

/**
 * The operator of the live session with one of these token hashes, with its present permissions. Updates the session's
 * last use.
 * @param cookie whether the token came as a cookie
 */
export const findOperatorBySession = async (
  { sql }: Database,
  tokenHashes: readonly string[],
  cookie: boolean,
  now: Date,
): Promise<FoundByToken | undefined> => {
  const aMinuteAgo = new Date(now.getTime() - 60_000);
  const [row] = await sql<(AuthorityColumns & Proof & { tokenHash: string })[]>`
    with seen as (
      update operator_sessions s set last_seen_at = ${now}
      where s.token_hash = any(${tokenHashes as string[]}) and s.cookie = ${cookie} and s.last_seen_at < ${aMinuteAgo}
        and ${isLive(sql, now)})
    select s.token_hash, s.factor_at, s.passkey_at, ${authorityIn(sql)} from operator_sessions s join operators o on o.id = s.operator_id
    where s.token_hash = any(${tokenHashes as string[]}) and s.cookie = ${cookie} and ${isLive(sql, now)}
      and o.disabled_at is null`;
  if (!row) return undefined;
  const { factorAt, passkeyAt, tokenHash } = row;
  return { operator: withAuthority(row), tokenHash, proof: { factorAt, passkeyAt } };
};

/** The operators of these token hashes whose sessions are live, with their present permissions. */
export async function findOperatorsBySessions(
  { sql }: Database,
  tokenHashes: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, OperatorWithAuthority>> {
  const rows = await sql<(AuthorityColumns & { tokenHash: string })[]>`
    select s.token_hash, ${authorityIn(sql)}
    from operator_sessions s join operators o on o.id = s.operator_id
    where s.token_hash = any(${tokenHashes as string[]}) and ${isLive(sql, now)} and o.disabled_at is null`;
  return new Map(rows.map((row) => [row.tokenHash, withAuthority(row)]));
}

/** The live sessions of operators, last seen first. */
export const findSessionsOf = async (
  { sql }: Database,
  operatorIds: readonly string[],
  now: Date,
): Promise<SessionRow[]> =>
  await sql<SessionRow[]>`
    select s.id, s.operator_id, s.cookie, s.address, s.user_agent, s.created_at, s.last_seen_at, s.expires_at
    from operator_sessions s
    where s.operator_id = any(${[...operatorIds]}::uuid[]) and ${isLive(sql, now)}
    order by s.last_seen_at desc, s.id desc`;

/** The id of the session with this token hash. */
export const findSessionId = async ({ sql }: Database, tokenHash: string): Promise<string | undefined> =>
  (
    await sql<{ id: string }[]>`
    select id from operator_sessions where token_hash = ${tokenHash}`
  )[0]?.id;

/** Ends a login. */
export async function deleteSession({ sql }: Database, tokenHash: string): Promise<void> {
  await sql`delete from operator_sessions where token_hash = ${tokenHash}`;
}

/**
 * Ends a session by its id.
 * @param operatorId the owner that it must have; null: any
 * @returns its owner, if there was one
 */
export const deleteSessionById = async (
  sql: Sql | Transaction,
  id: string,
  operatorId: string | null,
): Promise<string | undefined> =>
  (
    await sql<{ operatorId: string }[]>`
    delete from operator_sessions
    where id = ${id} and (${operatorId}::uuid is null or operator_id = ${operatorId})
    returning operator_id`
  )[0]?.operatorId;

/** Ends all sessions of an operator except one. @returns how many */
export const deleteSessionsOf = async (
  sql: Sql | Transaction,
  operatorId: string,
  exceptTokenHash: string | null = null,
): Promise<number> =>
  (
    await sql`
    delete from operator_sessions
    where operator_id = ${operatorId} and token_hash is distinct from ${exceptTokenHash}`
  ).count;
