import { OUTBOX_RANK } from '../domain/outbox';
import type { AlertRow } from './alerts/alerts';
import type { Database, Transaction } from './client';
import type { RowOf } from './rows';
import type { LinkMailEvent, mails, MailStatus } from './schema/mails';

export type { LinkMailEvent, MailEvent, MailStatus } from './schema/mails';

/** A mail and its status. */
export type MailRow = Omit<RowOf<typeof mails>, 'updatedAt'>;

/** Queues a mail with the outbox row of its workflow, in the transaction that causes it. */
export async function queueMail(
  tx: Transaction,
  mail: Pick<MailRow, 'id' | 'recipient' | 'createdAt'> & {
    readonly event: LinkMailEvent;
    readonly linkId: string;
  },
): Promise<void> {
  await tx`
    insert into mails (id, event, recipient, link_id, status, attempts, created_at, updated_at)
    values (${mail.id}, ${mail.event}, ${mail.recipient}, ${mail.linkId}, 'QUEUED', 0, ${mail.createdAt}, ${mail.createdAt})`;
  await tx`
    insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
    values (new_id(${mail.createdAt}), 'mail', ${`mail:${mail.id}`},
      ${tx.json({ version: 1, mailId: mail.id, event: mail.event })}, ${OUTBOX_RANK.work}, ${mail.createdAt}, 0, ${mail.createdAt})`;
}

/** What sending a mail needs. */
export interface MailCase extends MailRow {
  /** When its link expires, or when a mail about alerts is out of date. */
  readonly expiresAt: Date;
  /** Whether it is still in time. */
  readonly live: boolean;
}

/** A mail with its link, if it contains one. */
export const findMailCase = async ({ sql }: Database, id: string, now: Date): Promise<MailCase | undefined> =>
  (
    await sql<MailCase[]>`
    select m.*, coalesce(l.expires_at, m.created_at + interval '1 day') as expires_at,
      case when l.id is null then m.created_at > ${now}::timestamptz - interval '1 day'
        else l.used_at is null and l.revoked_at is null and l.expires_at > ${now} end as live
    from mails m left join operator_links l on l.id = m.link_id where m.id = ${id}`
  )[0];

/** Records an attempt before it is made. */
export async function countMailAttempt({ sql }: Database, id: string, now: Date): Promise<void> {
  await sql`update mails set attempts = attempts + 1, updated_at = ${now} where id = ${id}`;
}

/** Records why an attempt failed. */
export async function noteMailError({ sql }: Database, id: string, error: string, now: Date): Promise<void> {
  await sql`
    update mails set last_error = ${error}, updated_at = ${now} where id = ${id} and status = 'QUEUED'`;
}

/** Ends a mail, sent or failed. */
export async function endMail(
  { sql }: Database,
  id: string,
  status: Exclude<MailStatus, 'QUEUED'>,
  error: string | null,
  now: Date,
): Promise<void> {
  await sql`
    update mails set status = ${status}, last_error = ${error}, updated_at = ${now},
      sent_at = case when ${status} = 'SENT' then ${now}::timestamptz end
    where id = ${id} and status = 'QUEUED'`;
}

/**
 * Queues one mail to each operator who subscribes to alert mails and may see an alert not mailed yet.
 * @param restBefore nothing is queued if a mail of alerts was queued after this time, so that alerts are collected
 * @returns how many mails
 */
export async function queueAlertMails(
  { sql }: Database,
  { restBefore, now }: { readonly restBefore: Date; readonly now: Date },
): Promise<number> {
  const [row] = await sql<{ mails: number }[]>`
    select queue_alert_mails(${restBefore}, ${now}) as mails`;
  return row?.mails ?? 0;
}

/** An alert as listed in a mail. */
export interface MailedAlert extends Pick<AlertRow, 'kind' | 'about' | 'raisedAt'> {
  readonly merchantCode: string | null;
}

/** Content of a mail: the first open alerts queued with it that its operator may see, and their number. */
export async function findMailedAlerts(
  { sql }: Database,
  { operatorId, createdAt }: Pick<MailRow, 'operatorId' | 'createdAt'>,
  limit: number,
): Promise<{ readonly alerts: readonly MailedAlert[]; readonly count: number }> {
  const rows = await sql<(MailedAlert & { count: number })[]>`
    select a.kind, m.merchant_code, a.about, a.raised_at, count(*) over ()::int as count
    from alerts a join operators o on o.id = ${operatorId} left join merchants m on m.id = a.merchant_id
    where a.mailed_at = ${createdAt} and a.acknowledged_at is null and alert_is_seen_by(a.merchant_id, o)
    order by a.raised_at, a.id limit ${limit}`;
  return { alerts: rows, count: rows[0]?.count ?? 0 };
}

/** The newest mails of these links. */
export const findMailsOfLinks = async (
  { sql }: Database,
  linkIds: readonly string[],
): Promise<(MailRow & { readonly linkId: string })[]> =>
  await sql<(MailRow & { readonly linkId: string })[]>`
    select * from mails where link_id = any(${[...linkIds]}::uuid[]) order by created_at desc, id desc`;
