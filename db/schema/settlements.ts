import { sql } from 'drizzle-orm';
import { char, check, index, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at, code } from './columns';
import { merchants } from './merchants';
import { operators } from './operators';
import { withdrawalOrders } from './withdrawals';

/** Merchants' bank accounts to which settlements are paid. A disabled one can be registered again. */
export const settlementAccounts = pgTable(
  'settlement_accounts',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankCode: text('bank_code').notNull(),
    bankBranch: text('bank_branch'),
    accountNo: code('account_no').notNull(),
    accountHolder: text('account_holder').notNull(),
    createdAt: at('created_at').notNull(),
    /** From when settlements may go there. */
    usableAt: at('usable_at').notNull(),
    disabledAt: at('disabled_at'),
    disabledReason: text('disabled_reason'),
  },
  (t) => [
    uniqueIndex('settlement_accounts_number')
      .on(t.merchantId, t.currencyCode, t.bankCode, t.accountNo)
      .where(sql`${t.disabledAt} is null`),
    index('settlement_accounts_newest').on(t.createdAt, t.id),
    index('settlement_accounts_of_merchant').on(t.merchantId, t.createdAt, t.id),
    check('settlement_accounts_usable', sql`${t.usableAt} >= ${t.createdAt}`),
    check('settlement_accounts_disabled', sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
);

/** Settlements: withdrawals by which operators pay merchants their balances. */
export const settlements = pgTable(
  'settlements',
  {
    withdrawalId: uuid('withdrawal_id')
      .primaryKey()
      .references(() => withdrawalOrders.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    accountId: uuid('account_id')
      .notNull()
      .references(() => settlementAccounts.id),
    /** The operators' own reference, such as that of a row in a file. */
    reference: code('reference').notNull(),
    reason: text().notNull(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => operators.id),
  },
  (t) => [unique('settlements_reference').on(t.merchantId, t.reference), index('settlements_account').on(t.accountId)],
);
