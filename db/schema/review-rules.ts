import { sql } from 'drizzle-orm';
import { char, check, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at, code } from './columns';
import { merchants } from './merchants';

/**
 * When withdrawals need people, and how many. The newest version is in force; a merchant's own rules replace those for
 * all merchants.
 */
export const reviewRules = pgTable(
  'review_rules',
  {
    id: uuid().primaryKey(),
    /** Null: for all merchants without rules of their own. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    version: integer().notNull(),
    rules: jsonb().notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [unique('review_rules_version').on(t.merchantId, t.currencyCode, t.version).nullsNotDistinct()],
);

/** The allowlist and the denylist of beneficiaries. */
export const listedBeneficiaries = pgTable(
  'listed_beneficiaries',
  {
    id: uuid().primaryKey(),
    /** Null: for all merchants. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    bankCode: code('bank_code').notNull(),
    /** Sealed. */
    accountNo: code('account_no').notNull(),
    /** The blind index of the number in any spelling. */
    accountKey: text('account_key').notNull(),
    list: text().$type<'ALLOW' | 'DENY'>().notNull(),
    reason: text().notNull(),
    createdAt: at('created_at').notNull(),
    removedAt: at('removed_at'),
  },
  (t) => [
    index('listed_beneficiaries_by_key')
      .on(t.accountKey, t.bankCode)
      .where(sql`${t.removedAt} is null`),
    index('listed_beneficiaries_newest').on(t.createdAt, t.id),
    check('listed_beneficiaries_list', sql`${t.list} in ('ALLOW', 'DENY')`),
  ],
);
