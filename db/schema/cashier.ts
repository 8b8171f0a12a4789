import { sql } from 'drizzle-orm';
import {
  char,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CashierCard, CashierStatus } from '../../domain/cashier';
import { at, bytea, code } from './columns';
import { depositOrders } from './deposits';
import { merchantOrderNumbers, merchants } from './merchants';
import { operators } from './operators';

/** A session on the hosted page (contract, "States and transitions", cashier session). */
export const cashierSessions = pgTable(
  'cashier_sessions',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    merchantOrderNo: code('merchant_order_no').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    userId: code('user_id'),
    /** The merchant's default if the request had none; null: no callbacks. */
    callbackUrl: text('callback_url'),
    extraData: text('extra_data'),
    /** The payer's cards as the merchant sent them, sealed; an empty list if there are none. */
    payerBankCards: jsonb('payer_bank_cards').$type<readonly CashierCard[] | string>().notNull(),
    /** The same for equal cards (domain/search-forms.ts), and how many they are; null if there are none. */
    payerBankCardsIndex: code('payer_bank_cards_index'),
    cardCount: smallint('card_count'),
    /** Which of them the payer chose, from 0. */
    chosenCard: smallint('chosen_card'),
    status: text().$type<CashierStatus>().notNull(),
    /** Incremented when the payer's choices change: tokens of an older version may read, but not act. */
    version: integer().notNull(),
    /** The order that it made. */
    depositOrderId: uuid('deposit_order_id')
      .unique()
      .references(() => depositOrders.id),
    traceId: text('trace_id'),
    expireAt: at('expire_at').notNull(),
    submittedAt: at('submitted_at'),
    /** When an operator ended it: its tokens are then invalid. */
    revokedAt: at('revoked_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'cashier_sessions_number',
      columns: [t.merchantId, t.merchantOrderNo],
      foreignColumns: [merchantOrderNumbers.merchantId, merchantOrderNumbers.merchantOrderNo],
    }),
    // At most one that a payer can continue (contract, "Session reuse").
    uniqueIndex('cashier_sessions_of_user')
      .on(t.merchantId, t.userId)
      .where(sql`${t.status} = 'PENDING' and ${t.userId} <> ''`),
    index('cashier_sessions_newest').on(t.createdAt, t.id),
    index('cashier_sessions_of_merchant').on(t.merchantId, t.createdAt, t.id),
    index('cashier_sessions_by_number').on(t.merchantOrderNo),
    index('cashier_sessions_by_user')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`${t.userId} is not null`),
    index('cashier_sessions_pending')
      .on(t.expireAt, t.id)
      .where(sql`${t.status} = 'PENDING'`),
    check('cashier_sessions_status', sql`${t.status} in ('PENDING', 'SUBMITTED', 'EXPIRED')`),
    check('cashier_sessions_version', sql`${t.version} > 0`),
    check(
      'cashier_sessions_submitted',
      sql`(${t.status} = 'SUBMITTED') = (${t.depositOrderId} is not null)
        and (${t.status} = 'SUBMITTED') = (${t.submittedAt} is not null)`,
    ),
    check('cashier_sessions_revoked', sql`${t.revokedAt} is null or ${t.status} = 'EXPIRED'`),
    check(
      'cashier_sessions_cards',
      sql`case jsonb_typeof(${t.payerBankCards})
          when 'array' then ${t.payerBankCards} = '[]'
            and num_nonnulls(${t.payerBankCardsIndex}, ${t.cardCount}, ${t.chosenCard}) = 0
          when 'string' then num_nulls(${t.payerBankCardsIndex}, ${t.cardCount}) = 0 and ${t.cardCount} between 1 and 10
            and (${t.chosenCard} is null or ${t.chosenCard} between 0 and ${t.cardCount} - 1)
          else false end`,
    ),
  ],
);

/** Payers' claims to have paid: they rank candidates for an operator, and credit nothing. */
export const paymentClaims = pgTable(
  'payment_claims',
  {
    id: uuid().primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => depositOrders.id),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    /** The bank's reference as the payer entered it. */
    reference: text().notNull(),
    /** The same, normalised: compared with that of transfers. */
    referenceKey: code('reference_key').notNull(),
    /** A picture, sealed (domain/sealed-for.ts). */
    receipt: bytea('receipt'),
    /** The media type, by its first bytes. */
    receiptType: text('receipt_type'),
    at: at('at').notNull(),
    /** When an operator closed it; null while it waits. */
    closedAt: at('closed_at'),
    closedBy: uuid('closed_by').references(() => operators.id),
    /** When its order was completed: nobody need close such a claim. */
    paidAt: at('paid_at'),
  },
  (t) => [
    index('payment_claims_waiting')
      .on(t.at, t.id)
      .where(sql`${t.closedAt} is null and ${t.paidAt} is null`),
    index('payment_claims_newest').on(t.at, t.id),
    index('payment_claims_of_merchant').on(t.merchantId, t.at, t.id),
    index('payment_claims_reference').on(t.referenceKey),
    check('payment_claims_reference', sql`char_length(${t.reference}) between 1 and 128`),
    check(
      'payment_claims_receipt',
      sql`(${t.receipt} is null) = (${t.receiptType} is null)
        and ${t.receiptType} in ('image/png', 'image/jpeg', 'image/webp')
        and octet_length(${t.receipt}) <= 2097152 + 64`,
    ),
    check('payment_claims_closed', sql`(${t.closedAt} is null) = (${t.closedBy} is null)`),
  ],
);
