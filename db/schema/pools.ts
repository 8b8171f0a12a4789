import { sql } from 'drizzle-orm';
import { char, check, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import { channels } from './channels';
import { at } from './columns';

/**
 * Accounts and channels of a currency that only some merchants use. Those in no pool form the currency's default pool,
 * which has no row; merchants' currencies without a pool use it.
 */
export const pools = pgTable(
  'pools',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('pools_name').on(t.currencyCode, t.name),
    // The target of references from merchants' currencies.
    unique('pools_of_currency').on(t.id, t.currencyCode),
    check('pools_named', sql`${t.name} <> ''`),
  ],
);

/** The accounts of pools; one may be in several. */
export const poolAccounts = pgTable(
  'pool_accounts',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    poolId: uuid('pool_id')
      .notNull()
      .references(() => pools.id),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.poolId] }), index('pool_accounts_of_pool').on(t.poolId)],
);

/** The channels of pools; one may be in several. */
export const poolChannels = pgTable(
  'pool_channels',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    poolId: uuid('pool_id')
      .notNull()
      .references(() => pools.id),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.poolId] }), index('pool_channels_of_pool').on(t.poolId)],
);
