import { char, check, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { money } from './columns';

/**
 * The amounts that operators decided on one UTC day, by operator and by subject: counted in the statement of the
 * decision, so that a large amount cannot be split into small ones.
 */
export const dayAmounts = pgTable(
  'day_amounts',
  {
    counter: text().$type<'MATCHER' | 'APPROVER' | 'MERCHANT' | 'BENEFICIARY'>().notNull(),
    /** The id of an operator or a merchant; for a beneficiary, its bank and the keyed hash of its number. */
    subject: text().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    day: date().notNull(),
    orders: integer().notNull(),
    amount: money('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.counter, t.subject, t.currencyCode, t.day] }),
    check('day_amounts_counter', sql`${t.counter} in ('MATCHER', 'APPROVER', 'MERCHANT', 'BENEFICIARY')`),
    check('day_amounts_positive', sql`${t.orders} > 0 and ${t.amount} >= 0`),
  ],
);
