import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { NotificationStatus, NotificationType } from '../../domain/callback';
import { at } from './columns';
import { apiKeys, merchants } from './merchants';

/** One callback to a merchant: its content and the state of its delivery. */
export const notificationLogs = pgTable(
  'notification_logs',
  {
    id: uuid().primaryKey(),
    orderId: uuid('order_id').notNull(),
    orderNo: text('order_no').notNull(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    notificationType: text('notification_type').$type<NotificationType>().notNull(),
    targetUrl: text('target_url').notNull(),
    /** The exact bytes, UTF-8. */
    requestBody: text('request_body').notNull(),
    /** Made at the first attempt, with the key named beside it. */
    signature: text(),
    apiKeyId: uuid('api_key_id').references(() => apiKeys.id),
    status: text().$type<NotificationStatus>().notNull(),
    /** Attempts since the last resend; the fifth is the last. */
    attemptCount: smallint('attempt_count').notNull(),
    /** Attempts ever; never reset. */
    totalAttempts: integer('total_attempts').notNull(),
    /** Incremented by a resend: outcomes of older attempts are then ignored. */
    generation: integer().notNull(),
    nextAttemptAt: at('next_attempt_at'),
    /** No live key can sign it: the merchant's next key wakes it. */
    waitsForKey: boolean('waits_for_key').notNull().default(false),
    /** While SENDING: the end of the worker's lease. */
    leaseUntil: at('lease_until'),
    responseStatus: integer('response_status'),
    /** The last answer, sealed (domain/sealed-for.ts). */
    responseBody: text('response_body'),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('notification_logs_once').on(t.orderId, t.notificationType),
    // The lists. An id begins with the time of its row.
    index('notification_logs_of_merchant').on(t.merchantId, t.id),
    index('notification_logs_unsettled')
      .on(t.status, t.id)
      .where(sql`${t.status} <> 'SUCCESS'`),
    index('notification_logs_failed_of_merchant')
      .on(t.merchantId, t.id)
      .where(sql`${t.status} = 'FAILED'`),
    index('notification_logs_waiting')
      .on(t.nextAttemptAt)
      .where(sql`${t.status} = 'WAITING_RETRY'`),
    index('notification_logs_without_key')
      .on(t.merchantId)
      .where(sql`${t.waitsForKey}`),
    index('notification_logs_sending')
      .on(t.leaseUntil)
      .where(sql`${t.status} = 'SENDING'`),
    check('notification_logs_status', sql`${t.status} in ('SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED')`),
    check('notification_logs_attempts', sql`${t.attemptCount} between 0 and 5`),
    check('notification_logs_lease', sql`(${t.status} = 'SENDING') = (${t.leaseUntil} is not null)`),
    check('notification_logs_next', sql`(${t.status} = 'WAITING_RETRY') = (${t.nextAttemptAt} is not null)`),
    check('notification_logs_signed', sql`(${t.signature} is null) = (${t.apiKeyId} is null)`),
  ],
);

/** Every attempt of a callback and its outcome. */
export const callbackAttempts = pgTable(
  'callback_attempts',
  {
    notificationId: uuid('notification_id')
      .notNull()
      .references(() => notificationLogs.id),
    generation: integer().notNull(),
    attempt: smallint().notNull(),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    responseStatus: integer('response_status'),
    /** Sealed. */
    responseBody: text('response_body'),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.notificationId, t.generation, t.attempt] })],
);

/** The hosts to which a merchant's callbacks were sent: a new host raises an alert. */
export const callbackHostsSeen = pgTable(
  'callback_hosts_seen',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    host: text().notNull(),
    firstSeenAt: at('first_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.host] })],
);
