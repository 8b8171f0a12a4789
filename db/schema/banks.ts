import { boolean, char, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { at, code } from './columns';

/** The directory of banks to which withdrawals may go, per currency. */
export const banks = pgTable(
  'banks',
  {
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    bankCode: code('bank_code').notNull(),
    name: text().notNull(),
    /** New withdrawals may go there. */
    enabled: boolean().notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.currencyCode, t.bankCode] })],
);
