import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { apiKeys } from '../schema/merchants';

/** A merchant's credential as operators may see it: never the key itself. */
export type ApiKeyRow = Omit<RowOf<typeof apiKeys>, 'lookupHash' | 'sealedKey'>;

/** A key as it is stored: its look-up hash, and the key sealed under the context `api_key:{id}`. */
export type NewApiKey = Omit<RowOf<typeof apiKeys>, 'retiresAt' | 'revokedAt' | 'firstUsedAt' | 'firstCreateAt'>;

/** Adds a key that is valid at once. */
export async function insertApiKey(tx: Transaction, key: NewApiKey): Promise<ApiKeyRow> {
  const [row] = await tx<ApiKeyRow[]>`
    insert into api_keys (id, merchant_id, lookup_hash, sealed_key, hint, created_at)
    values (${key.id}, ${key.merchantId}, ${key.lookupHash}, ${key.sealedKey}, ${key.hint}, ${key.createdAt})
    returning id, merchant_id, hint, created_at, retires_at, revoked_at, first_used_at, first_create_at`;
  if (!row) throw new Error('insert returned no row');
  return row;
}

/** Limits every live key of a merchant to this time; one that ends earlier keeps its end. */
export const retireApiKeys = async (
  tx: Transaction,
  merchantId: string,
  retiresAt: Date,
  now: Date,
): Promise<ApiKeyRow[]> =>
  await tx<ApiKeyRow[]>`
    update api_keys set retires_at = least(retires_at, ${retiresAt}::timestamptz)
    where merchant_id = ${merchantId} and revoked_at is null
      and (retires_at is null or retires_at > ${now})
    returning id, merchant_id, hint, created_at, retires_at, revoked_at, first_used_at, first_create_at`;

/** The ids of a merchant's keys that are not revoked, oldest first. Locks their rows. */
export async function lockLiveApiKeys(tx: Transaction, merchantId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from api_keys where merchant_id = ${merchantId} and revoked_at is null and retires_at is null
    order by created_at, id for no key update`;
  return rows.map(({ id }) => id);
}

/** Several keys by their ids. */
export const findApiKeysById = async ({ sql }: Database, ids: readonly string[]): Promise<ApiKeyRow[]> =>
  await sql<ApiKeyRow[]>`
    select id, merchant_id, hint, created_at, retires_at, revoked_at, first_used_at, first_create_at from api_keys
    where id = any(${ids as string[]})`;

/** @returns undefined if there is no such key, or it was revoked before */
export async function revokeApiKey(tx: Transaction, id: string, now: Date): Promise<ApiKeyRow | undefined> {
  const [row] = await tx<ApiKeyRow[]>`
    update api_keys set revoked_at = ${now} where id = ${id} and revoked_at is null
    returning id, merchant_id, hint, created_at, retires_at, revoked_at, first_used_at, first_create_at`;
  return row;
}

/** The keys of several merchants, newest first, live or not. */
export const findApiKeys = async ({ sql }: Database, merchantIds: readonly string[]): Promise<ApiKeyRow[]> =>
  await sql<ApiKeyRow[]>`
    select id, merchant_id, hint, created_at, retires_at, revoked_at, first_used_at, first_create_at from api_keys
    where merchant_id = any(${merchantIds as string[]}) order by created_at desc`;

/**
 * The key that signs a merchant's callbacks: the named one while it lives; else the newest live one that signed an
 * accepted create, because the merchant's server has it; without one, the oldest live one.
 */
export async function findSigningKey(
  { sql }: Database,
  merchantId: string,
  preferred: string | null,
  now: Date,
): Promise<{ id: string; sealedKey: string } | undefined> {
  const [row] = await sql<{ id: string; sealedKey: string }[]>`
    select id, sealed_key from api_keys
    where merchant_id = ${merchantId} and revoked_at is null
      and (retires_at is null or retires_at > ${now})
    order by (id = ${preferred}::uuid) desc nulls last, first_create_at is null,
      case when first_create_at is not null then created_at end desc,
      case when first_create_at is not null then id end desc, created_at, id
    limit 1`;
  return row;
}

/**
 * Another live key of a merchant during an overlap: both live, and one of the two retires. The merchant's server may check
 * with it already, or still. A key that was ended at once, as a stolen one is, hands nothing over to its successor.
 * @returns the newest; undefined outside an overlap
 */
export async function findKeyBeside(
  { sql }: Database,
  signerId: string,
  now: Date,
): Promise<{ id: string; sealedKey: string } | undefined> {
  const [row] = await sql<{ id: string; sealedKey: string }[]>`
    select other.id, other.sealed_key from api_keys signer
    join api_keys other on other.merchant_id = signer.merchant_id and other.id <> signer.id
    where signer.id = ${signerId} and signer.revoked_at is null and other.revoked_at is null
      and (signer.retires_at is null or signer.retires_at > ${now})
      and (other.retires_at is null or other.retires_at > ${now})
      and (signer.retires_at is not null or other.retires_at is not null)
    order by other.created_at desc, other.id desc limit 1`;
  return row;
}

/** A key by its id, live or not: what was signed with it is resent with it. */
export const findSealedKey = async (
  { sql }: Database,
  id: string | null,
): Promise<{ id: string; sealedKey: string } | undefined> =>
  (await sql<{ id: string; sealedKey: string }[]>`select id, sealed_key from api_keys where id = ${id}`)[0];

/** Records that the first request signed with a key has come. */
export async function noteFirstUse({ sql }: Database, id: string, now: Date): Promise<void> {
  await sql`update api_keys set first_used_at = ${now} where id = ${id} and first_used_at is null`;
}
