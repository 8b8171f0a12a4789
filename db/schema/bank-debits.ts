import { sql } from 'drizzle-orm';
import { char, check, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import { at, code, money } from './columns';
import { payoutAttempts } from './payouts';

/** Debits of our accounts as banks reported them, each once: evidence of payouts, which other functions post. */
export const bankDebits = pgTable(
  'bank_debits',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    amount: money('amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankReference: text('bank_reference'),
    /** The normalised bank reference, else a hash of what the bank reported. */
    dedupeKey: code('dedupe_key').notNull(),
    bankTime: at('bank_time').notNull(),
    /** Sealed, as the account (domain/sealed-for.ts). */
    payeeName: text('payee_name'),
    payeeAccount: text('payee_account'),
    /** Sealed too; empty if the bank says nothing. */
    memo: text().notNull(),
    balanceAfter: money('balance_after'),
    /** Who reported it: `operator:…` or `agent:…`. */
    source: text().notNull(),
    receivedAt: at('received_at').notNull(),
    /** The manual transfer that it paid out. */
    attemptId: uuid('attempt_id').references(() => payoutAttempts.id),
    /** `system` for the automatic rule, else the operator; null while it waits for an operator. */
    explainedBy: text('explained_by'),
    explainedAt: at('explained_at'),
    /** An operator's explanation of it. */
    reason: text(),
  },
  (t) => [
    unique('bank_debits_once').on(t.accountId, t.dedupeKey),
    uniqueIndex('bank_debits_attempt')
      .on(t.attemptId)
      .where(sql`${t.attemptId} is not null`),
    index('bank_debits_open')
      .on(t.receivedAt, t.id)
      .where(sql`${t.explainedAt} is null`),
    index('bank_debits_open_of_account')
      .on(t.accountId, t.amount)
      .where(sql`${t.explainedAt} is null`),
    index('bank_debits_alike').on(t.accountId, t.amount, t.bankTime),
    index('bank_debits_newest').on(t.receivedAt, t.id),
    index('bank_debits_of_account').on(t.accountId, t.receivedAt, t.id),
    check('bank_debits_amount', sql`${t.amount} > 0`),
    check(
      'bank_debits_explained',
      sql`(${t.explainedAt} is null) = (${t.explainedBy} is null)
        and (${t.explainedAt} is not null) = (${t.attemptId} is not null or ${t.reason} is not null)`,
    ),
  ],
);
