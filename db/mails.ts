import type { Database, Transaction } from './client';

/** What is mailed. `tenant_owner_invite` invites an operator, the first one or another. */
export type MailEvent = 'tenant_owner_invite' | 'operator_password_reset';
/** FAILED: refused for good, or its link has ended. */
export type MailStatus = 'QUEUED' | 'SENT' | 'FAILED';

/** A mail and how far it got. */
export interface MailRow {
  readonly id: string;
  readonly event: MailEvent;
  readonly recipient: string;
  readonly linkId: string;
  readonly status: MailStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

/** Queues a mail with the outbox row of its workflow, in the transaction that causes it. */
export async function queueMail(
  tx: Transaction,
  mail: Pick<MailRow, 'id' | 'event' | 'recipient' | 'linkId' | 'createdAt'>,
): Promise<void> {
  await tx`
    insert into mails (id, event, recipient, link_id, status, attempts, created_at, updated_at)
    values (${mail.id}, ${mail.event}, ${mail.recipient}, ${mail.linkId}, 'QUEUED', 0, ${mail.createdAt}, ${mail.createdAt})`;
  await tx`
    insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
    values (new_id(${mail.createdAt}), 'mail', ${`mail:${mail.id}`},
      ${tx.json({ version: 1, mailId: mail.id, event: mail.event })}, ${mail.createdAt}, 0, ${mail.createdAt})`;
}

/** What sending a mail needs. */
export interface MailCase extends MailRow {
  readonly sealedToken: string | null;
  readonly expiresAt: Date;
  /** Its link can still be used. */
  readonly live: boolean;
}

/** A mail with its link. */
export const findMailCase = async (
  { sql }: Database,
  id: string,
  now: Date,
): Promise<MailCase | undefined> =>
  (
    await sql<MailCase[]>`
    select m.*, l.sealed_token, l.expires_at,
      l.used_at is null and l.revoked_at is null and l.expires_at > ${now} as live
    from mails m join operator_links l on l.id = m.link_id where m.id = ${id}`
  )[0];

/** Notes an attempt before it is made. */
export async function countMailAttempt({ sql }: Database, id: string, now: Date): Promise<void> {
  await sql`update mails set attempts = attempts + 1, updated_at = ${now} where id = ${id}`;
}

/** Notes why an attempt failed. */
export async function noteMailError(
  { sql }: Database,
  id: string,
  error: string,
  now: Date,
): Promise<void> {
  await sql`
    update mails set last_error = ${error}, updated_at = ${now} where id = ${id} and status = 'QUEUED'`;
}

/** The mail is sent, or never will be; its link's secret is needed no more. */
export async function endMail(
  { sql }: Database,
  id: string,
  status: Exclude<MailStatus, 'QUEUED'>,
  error: string | null,
  now: Date,
): Promise<void> {
  await sql`
    with ended as (
      update mails set status = ${status}, last_error = ${error}, updated_at = ${now},
        sent_at = case when ${status} = 'SENT' then ${now}::timestamptz end
      where id = ${id} and status = 'QUEUED' returning link_id)
    update operator_links l set sealed_token = null from ended where l.id = ended.link_id`;
}

/** The newest mails of these links. */
export const findMailsOfLinks = async (
  { sql }: Database,
  linkIds: readonly string[],
): Promise<MailRow[]> =>
  await sql<MailRow[]>`
    select * from mails where link_id = any(${[...linkIds]}::uuid[]) order by created_at desc, id desc`;
