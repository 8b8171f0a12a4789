import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { HealthCause, HealthState } from '../../domain/health';
import { bankAccounts } from './bank-accounts';
import { channels } from './channels';
import { at } from './columns';

/** Each change of the health of an account or a channel: append-only, so that a past day can be replayed. */
export const healthChanges = pgTable(
  'health_changes',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id').references(() => bankAccounts.id),
    channelId: uuid('channel_id').references(() => channels.id),
    cause: text().$type<HealthCause>().notNull(),
    state: text().$type<HealthState>().notNull(),
    /** Of TRIAL: the order that is tried. */
    orderId: uuid('order_id'),
    reason: text(),
    at: at('at').notNull(),
    /** `system`, or who changed it. */
    who: text().notNull(),
    /** Orders changes with the same time. */
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
  },
  (t) => [
    index('health_changes_of_account')
      .on(t.accountId, t.cause, t.at, t.position)
      .where(sql`${t.accountId} is not null`),
    index('health_changes_of_channel')
      .on(t.channelId, t.cause, t.at, t.position)
      .where(sql`${t.channelId} is not null`),
    check(
      'health_changes_subject',
      sql`case ${t.cause} when 'AGENT' then ${t.accountId} is not null and ${t.channelId} is null
        else ${t.cause} in ('PROBE', 'BREAKER') and ${t.channelId} is not null and ${t.accountId} is null end`,
    ),
    check(
      'health_changes_state',
      sql`${t.state} in ('HEALTHY', 'DOWN', 'TRIAL')
        and (${t.state} = 'TRIAL') = (${t.orderId} is not null)
        and (${t.state} <> 'TRIAL' or ${t.cause} = 'BREAKER')`,
    ),
  ],
);

/**
 * Outages of banks and channels, as operators enter them: the bank's accounts or the channel are passed over meanwhile.
 */
export const outages = pgTable(
  'outages',
  {
    id: uuid().primaryKey(),
    /** Of all managed accounts at this bank. */
    bankCode: text('bank_code'),
    channelId: uuid('channel_id').references(() => channels.id),
    beginsAt: at('begins_at').notNull(),
    /** When it is expected to end; null: until an operator ends it. */
    endsAt: at('ends_at'),
    reason: text().notNull(),
    enteredBy: text('entered_by').notNull(),
    enteredAt: at('entered_at').notNull(),
    endedBy: text('ended_by'),
    endedAt: at('ended_at'),
  },
  (t) => [
    index('outages_newest').on(t.beginsAt, t.id),
    index('outages_of_bank').on(t.bankCode),
    index('outages_of_channel').on(t.channelId),
    check('outages_subject', sql`num_nonnulls(${t.bankCode}, ${t.channelId}) = 1`),
    check('outages_ends', sql`${t.endsAt} > ${t.beginsAt}`),
    check('outages_ended', sql`(${t.endedBy} is null) = (${t.endedAt} is null)`),
  ],
);
