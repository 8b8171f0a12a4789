import { sql } from 'drizzle-orm';
import {
  bigint,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { BilledType } from '../../domain/billing';
import { at, money } from './columns';
import { merchants } from './merchants';

/**
 * What a month of a merchant's balance came to, in one currency: append-only. A statement has the postings from before
 * `ends_at` that are sealed up to `through_seq`, except those of the previous statement.
 */
export const billingStatements = pgTable(
  'billing_statements',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** 1, 2, 3 … of the merchant and currency. */
    number: integer().notNull(),
    previousNumber: integer('previous_number').generatedAlwaysAs(sql`nullif(number - 1, 0)`),
    /** The first day of the month. */
    month: date({ mode: 'string' }).notNull(),
    /** The merchant's time zone, by which the month ended. */
    timeZone: text('time_zone').notNull(),
    /** Where the previous statement ended; for the first one, the beginning of the month. */
    beginsAt: at('begins_at').notNull(),
    endsAt: at('ends_at').notNull(),
    /** Numbers in the chain over the postings: those up to the first number belong to earlier statements. */
    fromSeq: bigint('from_seq', { mode: 'bigint' }).notNull(),
    throughSeq: bigint('through_seq', { mode: 'bigint' }).notNull(),
    openingAvailable: money('opening_available').notNull(),
    openingFrozen: money('opening_frozen').notNull(),
    /** The merchant's receivable, which it owed us. */
    openingReceivable: money('opening_receivable').notNull(),
    closingAvailable: money('closing_available').notNull(),
    closingFrozen: money('closing_frozen').notNull(),
    closingReceivable: money('closing_receivable').notNull(),
    lines: integer().notNull(),
    postings: integer().notNull(),
    issuedAt: at('issued_at').notNull(),
  },
  (t) => [
    unique('billing_statements_number').on(t.merchantId, t.currencyCode, t.number),
    unique('billing_statements_month').on(t.merchantId, t.currencyCode, t.month),
    // The target of the next statement's reference: it begins where this one ended, with its closing balance.
    unique('billing_statements_end').on(
      ...([t.merchantId, t.currencyCode, t.number, t.endsAt, t.throughSeq] as const),
      ...([t.closingAvailable, t.closingFrozen, t.closingReceivable] as const),
    ),
    foreignKey({
      name: 'billing_statements_previous',
      columns: [
        ...([t.merchantId, t.currencyCode, t.previousNumber, t.beginsAt, t.fromSeq] as const),
        ...([t.openingAvailable, t.openingFrozen, t.openingReceivable] as const),
      ],
      foreignColumns: [
        ...([t.merchantId, t.currencyCode, t.number, t.endsAt, t.throughSeq] as const),
        ...([t.closingAvailable, t.closingFrozen, t.closingReceivable] as const),
      ],
    }),
    index('billing_statements_newest').on(t.month, t.id),
    check(
      'billing_statements_first',
      sql`${t.number} > 1 or (${t.number} = 1 and ${t.fromSeq} = 0 and ${t.openingAvailable} = 0
        and ${t.openingFrozen} = 0 and ${t.openingReceivable} = 0)`,
    ),
    check(
      'billing_statements_time',
      sql`${t.beginsAt} < ${t.endsAt} and ${t.issuedAt} > ${t.endsAt} and ${t.throughSeq} >= ${t.fromSeq}
        and extract(day from ${t.month}) = 1`,
    ),
    check('billing_statements_counts', sql`${t.lines} >= 0 and ${t.postings} >= ${t.lines}`),
  ],
);

/** The sums of the postings of one type within a statement: append-only, written with it. */
export const billingStatementLines = pgTable(
  'billing_statement_lines',
  {
    statementId: uuid('statement_id')
      .notNull()
      .references(() => billingStatements.id),
    type: text().$type<BilledType>().notNull(),
    postings: integer().notNull(),
    /** Before the fee. */
    amount: money('amount').notNull(),
    /** The fees that the merchant paid. */
    fee: money('fee').notNull(),
    /** How the parts of the balance changed. */
    available: money('available').notNull(),
    frozen: money('frozen').notNull(),
    receivable: money('receivable').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.statementId, t.type] }),
    check(
      'billing_statement_lines_sum',
      sql`${t.postings} > 0 and ${t.amount} - ${t.fee} = ${t.available} + ${t.frozen} - ${t.receivable}`,
    ),
  ],
);
