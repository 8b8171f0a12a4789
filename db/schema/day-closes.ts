import { sql } from 'drizzle-orm';
import { char, check, date, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { CloseStatus, OutsideSource } from '../../domain/day-close';
import { bankAccounts } from './bank-accounts';
import { channels } from './channels';
import { at, money } from './columns';
import { operators } from './operators';

/** A day of an account or a channel in one currency: our books beside the bank's or the channel's own figure. */
export const dayCloses = pgTable(
  'day_closes',
  {
    id: uuid().primaryKey(),
    /** The ledger's account: `bank:…` or `channel:…`. */
    account: text().notNull(),
    accountId: uuid('account_id').references(() => bankAccounts.id),
    channelId: uuid('channel_id').references(() => channels.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** The time zone of the day, and when it began and ended. */
    timeZone: text('time_zone').notNull(),
    /** With the bank's sign: what we have is positive. */
    opening: money('opening').notNull(),
    credits: money('credits').notNull(),
    debits: money('debits').notNull(),
    closing: money('closing').notNull(),
    /** The bank's or the channel's own figure at the end of the day; null if there is none. */
    outside: money('outside'),
    outsideSource: text('outside_source').$type<OutsideSource>(),
    outsideAt: at('outside_at'),
    status: text().$type<CloseStatus>().notNull(),
    proposedAt: at('proposed_at').notNull(),
    closedBy: text('closed_by'),
    closedAt: at('closed_at'),
    reason: text(),
  },
  (t) => [
    unique('day_closes_once').on(t.account, t.currencyCode, t.day),
    index('day_closes_newest').on(t.day, t.id),
    index('day_closes_open')
      .on(t.day, t.id)
      .where(sql`${t.status} = 'PROPOSED'`),
    check(
      'day_closes_account',
      sql`num_nonnulls(${t.accountId}, ${t.channelId}) = 1
        and ${t.account} = coalesce('bank:' || ${t.accountId}::text, 'channel:' || ${t.channelId}::text)`,
    ),
    check('day_closes_sum', sql`${t.closing} = ${t.opening} + ${t.credits} - ${t.debits}`),
    check('day_closes_sides', sql`${t.credits} >= 0 and ${t.debits} >= 0`),
    check(
      'day_closes_outside',
      sql`(${t.outside} is null) = (${t.outsideSource} is null)
        and (${t.outsideSource} is null or ${t.outsideSource} in ('STATEMENT', 'AGENT', 'CHANNEL'))`,
    ),
    check('day_closes_status', sql`${t.status} in ('PROPOSED', 'CLOSED')`),
    check(
      'day_closes_closed',
      sql`(${t.status} = 'CLOSED') = (${t.closedAt} is not null)
        and (${t.closedAt} is null) = (${t.closedBy} is null)`,
    ),
  ],
);

/** The difference of a closed day from the bank's or the channel's figure, until an operator explains it. */
export const closeItems = pgTable(
  'close_items',
  {
    id: uuid().primaryKey(),
    closeId: uuid('close_id')
      .notNull()
      .unique()
      .references(() => dayCloses.id),
    /** The outside figure less ours. */
    amount: money('amount').notNull(),
    ownerId: uuid('owner_id').references(() => operators.id),
    note: text(),
    openedAt: at('opened_at').notNull(),
    endedBy: text('ended_by'),
    endedAt: at('ended_at'),
  },
  (t) => [
    index('close_items_open')
      .on(t.openedAt, t.id)
      .where(sql`${t.endedAt} is null`),
    check('close_items_amount', sql`${t.amount} <> 0`),
    check(
      'close_items_ended',
      sql`(${t.endedAt} is null) = (${t.endedBy} is null) and (${t.endedAt} is null or ${t.note} is not null)`,
    ),
  ],
);
