import { sql } from 'drizzle-orm';
import { char, check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bankAccounts } from './bank-accounts';
import { bankDebits } from './bank-debits';
import { changeRequests } from './change-requests';
import { at, money, moneyFromZero } from './columns';
import { depositOrders } from './deposits';
import { merchants } from './merchants';

/** Recalls of completed deposits, at most one for each, and the ledger accounts that they debit. */
export const depositRecalls = pgTable(
  'deposit_recalls',
  {
    depositId: uuid('deposit_id')
      .primaryKey()
      .references(() => depositOrders.id),
    /** The approved change request. */
    changeId: uuid('change_id')
      .notNull()
      .references(() => changeRequests.id),
    /** The managed account from which the money was taken back. */
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    /** The bank debit of the recall, once it is reported. */
    bankDebitId: uuid('bank_debit_id').references(() => bankDebits.id),
    /** The part of the received amount that is taken back: all of it, or less. */
    amount: money('amount').notNull(),
    /** The part taken from its own held credit. */
    fromHeld: moneyFromZero('from_held'),
    fromAvailable: money('from_available').notNull(),
    /** The part that the merchant's balance did not cover. */
    owed: money('owed').notNull(),
    reason: text().notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    uniqueIndex('deposit_recalls_debit')
      .on(t.bankDebitId)
      .where(sql`${t.bankDebitId} is not null`),
    check(
      'deposit_recalls_amounts',
      sql`${t.amount} > 0 and ${t.fromHeld} >= 0 and ${t.fromAvailable} >= 0 and ${t.owed} >= 0
        and ${t.amount} = ${t.fromHeld} + ${t.fromAvailable} + ${t.owed}`,
    ),
  ],
);

/** Held credits: part of the frozen balance until they are released. */
export const heldCredits = pgTable(
  'held_credits',
  {
    depositId: uuid('deposit_id')
      .primaryKey()
      .references(() => depositOrders.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    heldAt: at('held_at').notNull(),
    releaseAt: at('release_at').notNull(),
    releasedAt: at('released_at'),
    /** Released by a recall of the deposit. */
    recalledAt: at('recalled_at'),
  },
  (t) => [
    index('held_credits_due')
      .on(t.releaseAt, t.depositId)
      .where(sql`${t.releasedAt} is null and ${t.recalledAt} is null`),
    index('held_credits_of_balance')
      .on(t.merchantId, t.currencyCode, t.releaseAt, t.depositId)
      .where(sql`${t.releasedAt} is null and ${t.recalledAt} is null`),
    check('held_credits_amount', sql`${t.amount} > 0 and ${t.releaseAt} > ${t.heldAt}`),
    check('held_credits_once', sql`${t.releasedAt} is null or ${t.recalledAt} is null`),
  ],
);
