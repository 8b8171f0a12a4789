import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, smallint, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { DeliveryKind, DeliveryStatus, PlatformEvent } from '../../domain/platform-event';
import { changeRequests } from './change-requests';
import { at } from './columns';
import { merchants } from './merchants';

/**
 * The addresses of platform events: each row a version that never changes, and the newest is in force. A version
 * without an address ends the delivery.
 */
export const eventAddresses = pgTable(
  'event_addresses',
  {
    id: uuid().primaryKey(),
    event: text().$type<PlatformEvent>().notNull(),
    /** The merchant of the events; null: the platform's own. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    /** 1, 2, 3 … of the event and merchant. */
    version: integer().notNull(),
    mails: text().array().$type<readonly string[]>().notNull(),
    webhookUrl: text('webhook_url'),
    /** The signing secret of requests to the URL, sealed for `secretId`. */
    sealedSecret: text('sealed_secret'),
    /** The version with which the secret was created. */
    secretId: uuid('secret_id'),
    /** When a person got the secret; null: nobody has, or it goes to the merchant's owner by a link. */
    secretTakenAt: at('secret_taken_at'),
    /** Allows `http:` and loopback, in a sandbox. */
    allowInsecure: boolean('allow_insecure').notNull(),
    /** The approved change request; it makes one version. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** `operator:{id}`, who proposed it. */
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('event_addresses_version').on(t.event, t.merchantId, t.version).nullsNotDistinct(),
    check(
      'event_addresses_event',
      sql`case ${t.event} when 'alert_raised' then ${t.merchantId} is null
        else ${t.event} in ('billing_statement_issued', 'tenant_owner_invite') and ${t.merchantId} is not null end`,
    ),
    check('event_addresses_numbered', sql`${t.version} > 0`),
    check('event_addresses_mails', sql`cardinality(${t.mails}) <= 10`),
    // A link to a secret goes to one person, by mail.
    check(
      'event_addresses_owner',
      sql`${t.event} <> 'tenant_owner_invite' or (cardinality(${t.mails}) <= 1 and ${t.webhookUrl} is null)`,
    ),
    check(
      'event_addresses_secret',
      sql`(${t.webhookUrl} is null) = (${t.sealedSecret} is null) and (${t.webhookUrl} is null) = (${t.secretId} is null)`,
    ),
  ],
);

/** Events with addresses: one for each subject. */
export const platformEvents = pgTable(
  'platform_events',
  {
    id: uuid().primaryKey(),
    event: text().$type<PlatformEvent>().notNull(),
    merchantId: uuid('merchant_id').references(() => merchants.id),
    /** The billing statement, the alert or the link that it reports. */
    subjectId: uuid('subject_id').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('platform_events_once').on(t.event, t.subjectId),
    index('platform_events_of_merchant').on(t.merchantId),
    check(
      'platform_events_event',
      sql`${t.event} in ('billing_statement_issued', 'alert_raised', 'tenant_owner_invite', 'agent_invite')`,
    ),
  ],
);

/** The delivery of an event to one address, and its state. */
export const eventDeliveries = pgTable(
  'event_deliveries',
  {
    id: uuid().primaryKey(),
    eventId: uuid('event_id')
      .notNull()
      .references(() => platformEvents.id),
    kind: text().$type<DeliveryKind>().notNull(),
    /** A mail address or a URL. */
    target: text().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** Attempts since the last resend. */
    attemptCount: smallint('attempt_count').notNull(),
    /** Attempts ever; never reset. */
    totalAttempts: integer('total_attempts').notNull(),
    /** Incremented by a resend: outcomes of older attempts are then ignored. */
    generation: integer().notNull(),
    nextAttemptAt: at('next_attempt_at'),
    /** While SENDING: the end of the worker's lease. */
    leaseUntil: at('lease_until'),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('event_deliveries_once').on(t.eventId, t.kind, t.target),
    index('event_deliveries_unsettled')
      .on(t.status, t.id)
      .where(sql`${t.status} <> 'SUCCESS'`),
    check('event_deliveries_kind', sql`${t.kind} in ('MAIL', 'WEBHOOK')`),
    check('event_deliveries_status', sql`${t.status} in ('SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED')`),
    check(
      'event_deliveries_attempts',
      sql`${t.attemptCount} between 0 and case ${t.kind} when 'WEBHOOK' then 5 else 30 end`,
    ),
    check('event_deliveries_lease', sql`(${t.status} = 'SENDING') = (${t.leaseUntil} is not null)`),
    check('event_deliveries_next', sql`(${t.status} = 'WAITING_RETRY') = (${t.nextAttemptAt} is not null)`),
  ],
);

/** Every attempt of a delivery and its outcome. */
export const eventAttempts = pgTable(
  'event_attempts',
  {
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => eventDeliveries.id),
    generation: integer().notNull(),
    attempt: smallint().notNull(),
    startedAt: at('started_at').notNull(),
    endedAt: at('ended_at'),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.deliveryId, t.generation, t.attempt] })],
);
