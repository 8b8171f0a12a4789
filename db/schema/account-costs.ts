import { sql } from 'drizzle-orm';
import { check, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import { at, money, percent } from './columns';

/**
 * What the bank of a managed account is expected to charge, by date: each row a version that never changes, in force from
 * then until the next one. An order costs what was in force when its money moved.
 */
export const accountCosts = pgTable(
  'account_costs',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    /** 1, 2, 3 … of the account. */
    version: integer().notNull(),
    /** For each credit that it receives. */
    creditPercent: percent('credit_percent').notNull(),
    creditFixed: money('credit_fixed').notNull(),
    /** For each payout. */
    payoutPercent: percent('payout_percent').notNull(),
    payoutFixed: money('payout_fixed').notNull(),
    /** `operator:{id}`, who set them. */
    createdBy: text('created_by').notNull(),
    /** The beginning of its validity. */
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('account_costs_version').on(t.accountId, t.version),
    check(
      'account_costs_rates',
      sql`${t.version} > 0 and ${t.creditPercent} >= 0 and ${t.creditPercent} < 100 and ${t.creditFixed} >= 0
        and ${t.payoutPercent} >= 0 and ${t.payoutPercent} < 100 and ${t.payoutFixed} >= 0`,
    ),
  ],
);
