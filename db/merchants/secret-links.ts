import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { secretLinks } from '../schema/secret-links';

/** A link by which a merchant's owner fetches a secret; its token is not stored. */
export type SecretLinkRow = Omit<RowOf<typeof secretLinks>, 'tokenHash'>;

/** A link with the data for its page and its mail. */
export interface SecretLinkCase extends SecretLinkRow {
  readonly merchantCode: string;
  /** Whether it was sent to the present address of the owner. */
  readonly inForce: boolean;
  /** The URL whose secret it is; null for an api key. */
  readonly webhookUrl: string | null;
  /** When the api key that was fetched by it signed its first request. */
  readonly firstUsedAt: Date | null;
}

/** Adds a link; a trigger queues its mail. */
export async function insertSecretLink(
  tx: Transaction,
  link: Omit<SecretLinkRow, 'expiresAt' | 'takenAt'>,
): Promise<void> {
  await tx`
    insert into secret_links (id, kind, merchant_id, addresses_id, subject_id, overlap_seconds, change_id, created_at)
    values (${link.id}, ${link.kind}, ${link.merchantId}, ${link.addressesId}, ${link.subjectId},
      ${link.overlapSeconds}, ${link.changeId}, ${link.createdAt})`;
}

/** A link by its id. */
export async function findSecretLink({ sql }: Database, id: string): Promise<SecretLinkCase | undefined> {
  const [row] = await sql<SecretLinkCase[]>`
    select l.id, l.kind, l.merchant_id, l.addresses_id, l.subject_id, l.overlap_seconds, l.change_id, l.expires_at,
      l.taken_at, l.created_at, m.merchant_code, is_owners_link(l) as in_force, a.webhook_url, k.first_used_at
    from secret_links l join merchants m on m.id = l.merchant_id
    left join event_addresses a on a.id = l.subject_id
    left join api_keys k on k.id = l.subject_id
    where l.id = ${id}`;
  return row;
}

/** The link with one of this token's hashes. */
export async function findSecretLinkByToken(
  { sql }: Database,
  tokenHashes: readonly string[],
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from secret_links where token_hash = any(${tokenHashes as string[]})`;
  return row?.id;
}

/** Gives a link another token; the previous one becomes invalid. @returns false if the link was used */
export async function putLinkToken(
  { sql }: Database,
  id: string,
  tokenHash: string,
  expiresAt: Date,
): Promise<boolean> {
  const { count } = await sql`
    update secret_links set token_hash = ${tokenHash}, expires_at = ${expiresAt}
    where id = ${id} and taken_at is null`;
  return count > 0;
}

/** Creates the api key of a link and uses the link. @returns false if the link is no longer valid */
export async function takeApiKey(
  { sql }: Database,
  id: string,
  key: { readonly lookupHash: string; readonly sealedKey: string; readonly hint: string },
  now: Date,
): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`
    select take_api_key(${id}, ${key.lookupHash}, ${key.sealedKey}, ${key.hint}, ${now}) as taken`;
  return row?.taken ?? false;
}

/** Uses the link to a webhook's secret. @returns the sealed secret; undefined if the link is not valid */
export async function takeWebhookSecret(
  { sql }: Database,
  id: string,
  now: Date,
): Promise<{ readonly sealedSecret: string | null; readonly secretId: string | null } | undefined> {
  const [row] = await sql<{ sealedSecret: string | null; secretId: string | null }[]>`
    select a.sealed_secret, a.secret_id
    from take_secret_link(${id}, 'WEBHOOK_SECRET', ${now}) l join event_addresses a on a.id = l.subject_id`;
  return row;
}
