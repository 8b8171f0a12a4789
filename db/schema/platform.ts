import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, smallint, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { FindingKind } from '../../domain/recovery';
import { changeRequests } from './change-requests';
import { channels } from './channels';
import { at } from './columns';
import { merchants } from './merchants';
import { operators } from './operators';
import { withdrawalOrders } from './withdrawals';

/** The single row that identifies the platform of this database. */
export const platform = pgTable(
  'platform',
  {
    id: smallint().primaryKey(),
    /** Assigned once, and the same in every copy, so that a copy is compared with the right marker outside. */
    identity: uuid().notNull(),
    /** How often a restore of the database was detected: part of every payout reference. */
    epoch: integer().notNull(),
  },
  (t) => [check('platform_one', sql`${t.id} = 1 and ${t.epoch} >= 0`)],
);

/**
 * A number that only rises, in a row of its own: raised before each payout is sent, and each minute. The marker outside
 * of this database is one that it had, unless the database was restored.
 */
export const platformMarker = pgTable(
  'platform_marker',
  {
    id: smallint().primaryKey(),
    marker: bigint({ mode: 'number' }).notNull(),
    /** Null until it is raised first. */
    raisedAt: at('raised_at'),
    /** The marker with which the last recovery began: that recovery explains all lower ones outside. */
    recoveredMarker: bigint('recovered_marker', { mode: 'number' }),
  },
  (t) => [check('platform_marker_one', sql`${t.id} = 1 and ${t.marker} >= 0`)],
);

/**
 * The markers of the last week, each that was raised: one outside that is newer than the oldest, and is not among them,
 * was raised in a database that was lost since.
 */
export const raisedMarkers = pgTable('raised_markers', {
  marker: bigint({ mode: 'number' }).primaryKey(),
  raisedAt: at('raised_at').notNull(),
});

/**
 * Recoveries: each detected restore of the database to an earlier state. While one has not ended, no payout is sent and
 * nothing expires.
 */
export const recoveries = pgTable(
  'recoveries',
  {
    id: uuid().primaryKey(),
    /** The epoch that it began. */
    epoch: integer().notNull().unique(),
    /** The last marker that both have, and the one outside; equal if a person began it. */
    databaseMarker: bigint('database_marker', { mode: 'number' }).notNull(),
    outsideMarker: bigint('outside_marker', { mode: 'number' }).notNull(),
    /** What happened later than this may be lost. */
    lostSince: at('lost_since').notNull(),
    begunAt: at('begun_at').notNull(),
    /** When the last complete round of queries began; null: none yet. */
    askedAt: at('asked_at'),
    /** The end of a worker's lease to query the channels. */
    askingUntil: at('asking_until'),
    endedAt: at('ended_at'),
    /** The change request that ended it. */
    endedBy: uuid('ended_by').references(() => changeRequests.id),
  },
  (t) => [
    uniqueIndex('recoveries_open')
      .on(sql`(${t.endedAt} is null)`)
      .where(sql`${t.endedAt} is null`),
    check('recoveries_ended', sql`(${t.endedAt} is null) = (${t.endedBy} is null)`),
  ],
);

/** Findings of a recovery, one row for each subject; a newer finding replaces the row. */
export const recoveryFindings = pgTable(
  'recovery_findings',
  {
    id: uuid().primaryKey(),
    recoveryId: uuid('recovery_id')
      .notNull()
      .references(() => recoveries.id),
    kind: text().$type<FindingKind>().notNull(),
    /** What it is about: `withdrawal:W…`, `payout:{channel}:{reference}`, `channel:{code}`, `number:{merchant}:{number}`,
     * `return:{id}`. */
    subject: text().notNull(),
    withdrawalId: uuid('withdrawal_id').references(() => withdrawalOrders.id),
    channelId: uuid('channel_id').references(() => channels.id),
    merchantId: uuid('merchant_id').references(() => merchants.id),
    /** The finding as text. */
    detail: text().notNull(),
    /** The operator who entered it; null: found by a query. */
    enteredBy: uuid('entered_by').references(() => operators.id),
    /** The change request by which two people explained it; null: not yet, or there is nothing to explain. */
    explainedBy: uuid('explained_by').references(() => changeRequests.id),
    foundAt: at('found_at').notNull(),
  },
  (t) => [
    unique('recovery_findings_subject').on(t.recoveryId, t.subject),
    index('recovery_findings_newest').on(t.recoveryId, t.foundAt, t.id),
    index('recovery_findings_withdrawal')
      .on(t.withdrawalId)
      .where(sql`${t.withdrawalId} is not null`),
    check(
      'recovery_findings_kind',
      sql`case ${t.kind}
        when 'NOT_PAID' then ${t.withdrawalId} is not null
        when 'AT_CHANNEL' then ${t.withdrawalId} is not null
        when 'UNEXPLAINED' then ${t.withdrawalId} is not null
        when 'UNANSWERED' then ${t.withdrawalId} is not null
        when 'OPEN_RETURN' then starts_with(${t.subject}, 'return:')
        when 'UNKNOWN_HERE' then ${t.channelId} is not null
        when 'NO_LIST' then ${t.channelId} is not null
        when 'LOST_NUMBER' then ${t.merchantId} is not null and ${t.enteredBy} is not null
        else false end`,
    ),
  ],
);
