import { sql } from 'drizzle-orm';
import { char, check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { PayerList, PayerTrait } from '../../domain/payer-lists';
import type { KeptPayerRules } from '../../domain/payer-rules';
import { changeRequests } from './change-requests';
import { at, code } from './columns';
import { merchants } from './merchants';

/** The rules for payers. The newest version is in force; a merchant's own rules replace those for all merchants. */
export const payerRules = pgTable(
  'payer_rules',
  {
    id: uuid().primaryKey(),
    /** Null: for all merchants without rules of their own. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    version: integer().notNull(),
    rules: jsonb().$type<KeptPayerRules>().notNull(),
    /** The approved change request; returns of money under the rules refer to it. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('payer_rules_version').on(t.merchantId, t.currencyCode, t.version).nullsNotDistinct(),
    check(
      'payer_rules_comparison',
      sql`coalesce(${t.rules} ->> 'comparison' in ('IGNORE', 'WAIT', 'RETURN')
        and jsonb_typeof(${t.rules} -> 'velocity') = 'array', false)`,
    ),
  ],
);

/** Lists of payers: ALLOW, DENY and WATCH. */
export const listedPayers = pgTable(
  'listed_payers',
  {
    id: uuid().primaryKey(),
    list: text().$type<PayerList>().notNull(),
    trait: text().$type<PayerTrait>().notNull(),
    /** As it was entered, sealed. */
    value: text().notNull(),
    /** The blind index of the value, by its trait (domain/payer-lists.ts). */
    key: code('key').notNull(),
    /** Of an account: only at this bank; null: at any. */
    bankCode: code('bank_code'),
    /** Null: for all merchants. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    reason: text().notNull(),
    createdAt: at('created_at').notNull(),
    /** When the entry expires; null: never. */
    expiresAt: at('expires_at'),
    removedAt: at('removed_at'),
  },
  (t) => [
    uniqueIndex('listed_payers_once')
      .on(
        t.key,
        t.trait,
        sql`coalesce(${t.bankCode}, '')`,
        sql`coalesce(${t.merchantId}, '00000000-0000-0000-0000-000000000000'::uuid)`,
      )
      .where(sql`${t.removedAt} is null`),
    index('listed_payers_newest').on(t.createdAt, t.id),
    check('listed_payers_list', sql`${t.list} in ('DENY', 'WATCH', 'ALLOW')`),
    check(
      'listed_payers_trait',
      sql`${t.trait} in ('NAME', 'ACCOUNT', 'USER', 'EMAIL', 'MOBILE') and ${t.key} <> ''
        and (${t.bankCode} is null or ${t.trait} = 'ACCOUNT')`,
    ),
    check('listed_payers_expiry', sql`${t.expiresAt} > ${t.createdAt}`),
  ],
);
