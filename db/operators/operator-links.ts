import type { Fragment, Sql } from 'postgres';
import type { Database, Transaction } from '../client';
import { queueMail } from '../mails';
import type { RowOf } from '../rows';
import type { operatorLinks } from '../schema/operators';

/** A link that works once and expires. */
export type LinkRow = Omit<RowOf<typeof operatorLinks>, 'tokenHash'>;

/** How long links are valid, hours. */
export const LINK_HOURS = { INVITE: 72, RESET: 1 } as const;

/** Stores a link; it opens nothing until its mail is sent. */
async function insertLink(tx: Transaction, link: Omit<LinkRow, 'usedAt' | 'revokedAt'>): Promise<void> {
  await tx`
    insert into operator_links (id, purpose, email, operator_id, roles, merchant_ids,
      created_by, created_at, approved_at, expires_at)
    values (${link.id}, ${link.purpose}, ${link.email}, ${link.operatorId},
      ${link.roles as string[] | null}, ${link.merchantIds as string[] | null}, ${link.createdBy}, ${link.createdAt},
      ${link.approvedAt}, ${link.expiresAt})`;
}

export const columns = (sql: Sql | Transaction): Fragment => sql`
  id, purpose, email, operator_id, roles, merchant_ids, created_by, created_at, approved_at, expires_at, used_at, revoked_at`;

/** The link with one of this secret's hashes, if it can still be used. */
export const findLiveLink = async (
  { sql }: Database,
  tokenHashes: readonly string[],
  purpose: LinkRow['purpose'],
  now: Date,
): Promise<LinkRow | undefined> =>
  (
    await sql<LinkRow[]>`
    select ${columns(sql)} from operator_links
    where token_hash = any(${tokenHashes as string[]}) and purpose = ${purpose}
      and used_at is null and revoked_at is null and expires_at > ${now}`
  )[0];

/** Gives a link another token; the previous one becomes invalid. @returns false if the link has ended */
export async function putOperatorLinkToken(
  { sql }: Pick<Database, 'sql'>,
  id: string,
  tokenHash: string,
): Promise<boolean> {
  const { count } = await sql`
    update operator_links set token_hash = ${tokenHash}
    where id = ${id} and used_at is null and revoked_at is null`;
  return count > 0;
}

/** Marks a link as used. @returns false if it was used before, or is no longer valid */
export async function useLink(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    update operator_links set used_at = ${now}
    where id = ${id} and used_at is null and revoked_at is null and expires_at > ${now}`;
  return count > 0;
}

/** A link by its id. */
export const findLink = async ({ sql }: Pick<Database, 'sql'>, id: string): Promise<LinkRow | undefined> =>
  (await sql<LinkRow[]>`select ${columns(sql)} from operator_links where id = ${id}`)[0];

/** Whether an operator or a valid invitation has this address. */
export const isInvitedOrHere = async ({ sql }: Database, email: string, now: Date): Promise<boolean> =>
  (
    await sql`
    select from operator_links where lower(email) = lower(${email}) and purpose = 'INVITE'
      and (used_at is not null or (revoked_at is null and expires_at > ${now}))
    union all select from operators where lower(email) = lower(${email})`
  ).length > 0;

/**
 * The addresses of operators and of open invitations. Locks them, so that one caller at a time reads and adds to them.
 */
export async function lockAddresses(
  tx: Transaction,
  now: Date,
): Promise<{ readonly email: string; readonly isOperator: boolean }[]> {
  await tx`select pg_advisory_xact_lock(hashtext('causeway.addresses'))`;
  return await tx<{ email: string; isOperator: boolean }[]>`
    select email, true as is_operator from operators where email is not null
    union all
    select email, false from operator_links
    where purpose = 'INVITE' and used_at is null and revoked_at is null and expires_at > ${now}`;
}

/** Ends a link before it was used. */
export const revokeLink = async (tx: Transaction, id: string, now: Date): Promise<LinkRow | undefined> =>
  (
    await tx<LinkRow[]>`
    update operator_links set revoked_at = ${now}
    where id = ${id} and used_at is null and revoked_at is null returning ${columns(tx)}`
  )[0];

/** Ends older links that a new one of the same kind replaces. */
async function revokeOtherLinks(
  tx: Transaction,
  { purpose, email, operatorId }: Pick<LinkRow, 'purpose' | 'email' | 'operatorId'>,
  now: Date,
): Promise<void> {
  await tx`
    update operator_links set revoked_at = ${now}
    where purpose = ${purpose} and used_at is null and revoked_at is null
      and (operator_id = ${operatorId} or (${operatorId}::uuid is null and lower(email) = lower(${email})))`;
}

/** How many links of a kind an operator was mailed since. */
export const countLinksSince = async ({ sql }: Database, operatorId: string, since: Date): Promise<number> =>
  (
    await sql<{ count: number }[]>`
    select count(*)::int as count from operator_links
    where operator_id = ${operatorId} and created_at > ${since}`
  )[0]?.count ?? 0;

/** A link to create, and its mail. */
export type NewLink = Pick<
  LinkRow,
  'id' | 'purpose' | 'email' | 'operatorId' | 'roles' | 'merchantIds' | 'createdBy'
> & {
  readonly approvedAt?: Date | null;
  readonly mailId: string;
};

/** Creates a link and queues its mail. Others of its kind for the same person end. */
export async function mailLink(tx: Transaction, link: NewLink, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + LINK_HOURS[link.purpose] * 3_600_000);
  await revokeOtherLinks(tx, link, now);
  await insertLink(tx, { ...link, approvedAt: link.approvedAt ?? null, createdAt: now, expiresAt });
  await queueMail(tx, {
    id: link.mailId,
    event: link.purpose === 'INVITE' ? 'tenant_owner_invite' : 'operator_password_reset',
    recipient: link.email,
    linkId: link.id,
    createdAt: now,
  });
}
