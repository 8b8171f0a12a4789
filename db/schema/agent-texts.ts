import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { TextState } from '../../domain/text-pattern';
import { agentKeys } from './agent-keys';
import { bankAccounts } from './bank-accounts';
import { bankDebits } from './bank-debits';
import { bankTransfers } from './bank-transfers';
import { at, code } from './columns';

/** Patterns that read a bank's messages. A version never changes: a change adds the next one. */
export const textPatterns = pgTable(
  'text_patterns',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    version: integer().notNull(),
    /** For the accounts at this bank. */
    bankCode: text('bank_code').notNull(),
    /** Who sends such messages, compared without case; null: anybody. */
    sender: text(),
    direction: text().$type<'CREDIT' | 'DEBIT'>().notNull(),
    /** A regular expression of RE2 with named groups: amount, balance, reference, payer, account, memo, time. */
    pattern: text().notNull(),
    /** How the group `time` is written; null: the time at which the message came. */
    timeFormat: text('time_format'),
    decimalSign: text('decimal_sign').$type<'.' | ','>().notNull(),
    yearsAhead: integer('years_ahead').notNull(),
    active: boolean().notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('text_patterns_version').on(t.name, t.version),
    uniqueIndex('text_patterns_active')
      .on(t.name)
      .where(sql`${t.active}`),
    check('text_patterns_direction', sql`${t.direction} in ('CREDIT', 'DEBIT')`),
    check('text_patterns_decimal', sql`${t.decimalSign} in ('.', ',')`),
  ],
);

/** Telephones and programs that forward messages, each under an agent's key. */
export const agentDevices = pgTable(
  'agent_devices',
  {
    id: uuid().primaryKey(),
    agentKeyId: uuid('agent_key_id')
      .notNull()
      .references(() => agentKeys.id),
    /** The device's own id, unique for its key. */
    deviceId: text('device_id').notNull(),
    label: text().notNull(),
    version: text(),
    /** Percent; null: it has none, or does not report it. */
    battery: integer(),
    /** Messages that it could not send so far. */
    waiting: integer(),
    firstSeenAt: at('first_seen_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    /** Until it is paired, its messages are stored, but not read. */
    pairedBy: text('paired_by'),
    pairedAt: at('paired_at'),
    unpairedAt: at('unpaired_at'),
  },
  (t) => [
    unique('agent_devices_once').on(t.agentKeyId, t.deviceId),
    index('agent_devices_newest').on(t.firstSeenAt, t.id),
    check('agent_devices_battery', sql`${t.battery} between 0 and 100`),
    check('agent_devices_paired', sql`(${t.pairedBy} is null) = (${t.pairedAt} is null)`),
  ],
);

/** Messages of banks as devices forwarded them, each once. */
export const agentTexts = pgTable(
  'agent_texts',
  {
    id: uuid().primaryKey(),
    deviceId: uuid('device_id')
      .notNull()
      .references(() => agentDevices.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    sender: text().notNull(),
    /** Sealed (domain/sealed-for.ts). */
    text: text().notNull(),
    /** When the device got it, by its own clock. */
    sentAt: at('sent_at').notNull(),
    receivedAt: at('received_at').notNull(),
    /** The device's own number of it, else a hash of its text. */
    dedupeKey: code('dedupe_key').notNull(),
    state: text().$type<TextState>().notNull(),
    /** When it was last read; a newer pattern reads it again. */
    triedAt: at('tried_at').notNull(),
    patternId: uuid('pattern_id').references(() => textPatterns.id),
    transferId: uuid('transfer_id').references(() => bankTransfers.id),
    debitId: uuid('debit_id').references(() => bankDebits.id),
    /** Why it was not read or recorded; or why an operator says that it is not about money. */
    problem: text(),
  },
  (t) => [
    unique('agent_texts_once').on(t.deviceId, t.dedupeKey),
    index('agent_texts_newest').on(t.receivedAt, t.id),
    index('agent_texts_open')
      .on(t.receivedAt, t.id)
      .where(sql`${t.state} = 'UNREAD'`),
    check('agent_texts_state', sql`${t.state} in ('UNREAD', 'RECORDED', 'NO_MONEY')`),
    check(
      'agent_texts_recorded',
      sql`case when ${t.state} = 'RECORDED'
        then ${t.patternId} is not null and num_nonnulls(${t.transferId}, ${t.debitId}) = 1
        else num_nonnulls(${t.transferId}, ${t.debitId}) = 0 end`,
    ),
  ],
);
