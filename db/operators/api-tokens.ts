import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { apiTokens } from '../schema/operators';

/** A personal token of an operator; the token itself is shown once. */
export type ApiTokenRow = Omit<RowOf<typeof apiTokens>, 'tokenHash'>;

/** Stores a token, by its keyed hash. */
export async function insertApiToken(
  tx: Transaction,
  token: Omit<ApiTokenRow, 'revokedAt' | 'lastUsedAt'> & { readonly tokenHash: string },
): Promise<void> {
  await tx`
    insert into api_tokens (id, operator_id, label, token_hash, hint, scopes, allowed_addresses, created_at, expires_at)
    values (${token.id}, ${token.operatorId}, ${token.label}, ${token.tokenHash}, ${token.hint},
      ${[...token.scopes]}, ${token.allowedAddresses as string[] | null}, ${token.createdAt}, ${token.expiresAt})`;
}

/** A token, found by one of its hashes. */
type FoundToken = Pick<ApiTokenRow, 'id' | 'operatorId' | 'scopes' | 'allowedAddresses'> & {
  readonly tokenHash: string;
};

/** The live token with one of these hashes. Records its last use, to the minute. */
export async function findApiToken(
  { sql }: Database,
  tokenHashes: readonly string[],
  now: Date,
): Promise<FoundToken | undefined> {
  const aMinuteAgo = new Date(now.getTime() - 60_000);
  const [row] = await sql<FoundToken[]>`
    with used as (
      update api_tokens set last_used_at = ${now}
      where token_hash = any(${tokenHashes as string[]}) and revoked_at is null and expires_at > ${now}
        and (last_used_at is null or last_used_at < ${aMinuteAgo}))
    select id, operator_id, scopes, allowed_addresses, token_hash from api_tokens
    where token_hash = any(${tokenHashes as string[]}) and revoked_at is null and expires_at > ${now}`;
  return row;
}

/** The tokens of operators, newest first, ended ones too. */
export const findApiTokensOf = async ({ sql }: Database, operatorIds: readonly string[]): Promise<ApiTokenRow[]> =>
  await sql<ApiTokenRow[]>`
    select id, operator_id, label, hint, scopes, allowed_addresses, created_at, expires_at, revoked_at, last_used_at
    from api_tokens where operator_id = any(${[...operatorIds]}::uuid[])
    order by created_at desc, id desc`;

/**
 * Ends a token.
 * @param operatorId the owner that it must have; null: any
 */
export const revokeApiToken = async (
  tx: Transaction,
  id: string,
  operatorId: string | null,
  now: Date,
): Promise<ApiTokenRow | undefined> =>
  (
    await tx<ApiTokenRow[]>`
    update api_tokens set revoked_at = ${now}
    where id = ${id} and revoked_at is null and (${operatorId}::uuid is null or operator_id = ${operatorId})
    returning id, operator_id, label, hint, scopes, allowed_addresses, created_at, expires_at, revoked_at, last_used_at`
  )[0];
