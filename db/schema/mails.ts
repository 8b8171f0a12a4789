import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';
import { operatorLinks, operators } from './operators';

/** Mails with a link. `tenant_owner_invite` invites an operator, the first one or another. */
export type LinkMailEvent = 'tenant_owner_invite' | 'operator_password_reset';
/** Kinds of mail. */
export type MailEvent = LinkMailEvent | 'alerts';
/** FAILED: permanently refused, or too late: its link has ended, its alerts are a day old. */
export type MailStatus = 'QUEUED' | 'SENT' | 'FAILED';

/** Mails to send, and their status. The text of a mail is made from its link when it is sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    /** The platform event. */
    event: text().$type<MailEvent>().notNull(),
    recipient: text().notNull(),
    /** Of a mail with a link. */
    linkId: uuid('link_id').references(() => operatorLinks.id),
    /** Of an alert mail: the operator, whose permissions decide which alerts it lists. */
    operatorId: uuid('operator_id').references(() => operators.id),
    status: text().$type<MailStatus>().notNull(),
    attempts: integer().notNull(),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    sentAt: at('sent_at'),
  },
  (t) => [
    index('mails_newest').on(t.createdAt.desc(), t.id.desc()),
    index('mails_queued')
      .on(t.createdAt)
      .where(sql`${t.status} = 'QUEUED'`),
    check('mails_status', sql`${t.status} in ('QUEUED', 'SENT', 'FAILED')`),
    check('mails_sent', sql`(${t.status} = 'SENT') = (${t.sentAt} is not null)`),
    index('mails_of_alerts')
      .on(t.createdAt)
      .where(sql`${t.event} = 'alerts'`),
    check(
      'mails_event',
      sql`case ${t.event}
        when 'alerts' then ${t.operatorId} is not null and ${t.linkId} is null
        else ${t.event} in ('tenant_owner_invite', 'operator_password_reset')
          and ${t.linkId} is not null and ${t.operatorId} is null end`,
    ),
  ],
);
