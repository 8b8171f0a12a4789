import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CommissionSource } from '../../domain/commission';
import type { PricedOrder } from '../../domain/fees';
import { changeRequests } from './change-requests';
import { at, money, percent } from './columns';
import { merchantCurrencies } from './merchants';

/** Resellers, who brought merchants and earn a share of their fees. */
export const resellers = pgTable(
  'resellers',
  {
    id: uuid().primaryKey(),
    name: text().notNull().unique(),
    /** `operator:{id}`. */
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [check('resellers_name', sql`btrim(${t.name}) <> ''`)],
);

/** Who earns which share of a merchant's fees, by date: each row a version that never changes. */
export const commissionRates = pgTable(
  'commission_rates',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    orderKind: text('order_kind').$type<PricedOrder>().notNull(),
    /** 1, 2, 3 … for the same orders: of those that have begun, the newest is in force. */
    version: integer().notNull(),
    resellerId: uuid('reseller_id')
      .notNull()
      .references(() => resellers.id),
    effectiveFrom: at('effective_from').notNull(),
    /** From then on nobody earns a share. */
    ends: boolean().notNull(),
    /** Percent of the fee. */
    percent: percent('percent').notNull(),
    /** The currency's decimal places, to which a commission is rounded. */
    decimals: smallint().notNull(),
    /** The approved change request; it makes one version. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** `operator:{id}`, who proposed it. */
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'commission_rates_currency',
      columns: [t.merchantId, t.currencyCode],
      foreignColumns: [merchantCurrencies.merchantId, merchantCurrencies.currencyCode],
    }),
    unique('commission_rates_version').on(t.merchantId, t.currencyCode, t.orderKind, t.version),
    // The target of references from orders and commissions.
    unique('commission_rates_of_merchant').on(t.id, t.merchantId, t.currencyCode),
    unique('commission_rates_of_reseller').on(t.id, t.merchantId, t.currencyCode, t.resellerId),
    check('commission_rates_kind', sql`${t.orderKind} in ('DEPOSIT', 'WITHDRAWAL')`),
    check('commission_rates_begins', sql`${t.version} > 0 and ${t.effectiveFrom} >= ${t.createdAt}`),
    check('commission_rates_share', sql`${t.percent} > 0 and ${t.percent} <= 100 and ${t.decimals} between 0 and 4`),
  ],
);

/**
 * What resellers have earned: one row for each fee. Its id is that of the deposit, the withdrawal, the payout attempt or
 * the operators' posting that brought the fee. It demands one ledger transfer, and one more once the fee is reversed.
 */
export const commissions = pgTable(
  'commissions',
  {
    id: uuid().primaryKey(),
    source: text().$type<CommissionSource>().notNull(),
    rateId: uuid('rate_id').notNull(),
    resellerId: uuid('reseller_id').notNull(),
    merchantId: uuid('merchant_id').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** The deposit or the withdrawal; null for money that was credited without one. */
    orderId: uuid('order_id'),
    fee: money('fee').notNull(),
    amount: money('amount').notNull(),
    at: at('at').notNull(),
    /** When the fee was reversed, and by which operators' posting. */
    reversedAt: at('reversed_at'),
    reversedBy: uuid('reversed_by'),
  },
  (t) => [
    foreignKey({
      name: 'commissions_rate',
      columns: [t.rateId, t.merchantId, t.currencyCode, t.resellerId],
      foreignColumns: [
        commissionRates.id,
        commissionRates.merchantId,
        commissionRates.currencyCode,
        commissionRates.resellerId,
      ],
    }),
    index('commissions_newest').on(t.at, t.id),
    index('commissions_of_merchant').on(t.merchantId, t.at, t.id),
    index('commissions_of_reseller').on(t.resellerId, t.at, t.id),
    index('commissions_of_order')
      .on(t.orderId)
      .where(sql`${t.orderId} is not null`),
    index('commissions_reversed')
      .on(t.at, t.id)
      .where(sql`${t.reversedAt} is not null`),
    check(
      'commissions_source',
      sql`coalesce(case ${t.source} when 'DEPOSIT' then ${t.orderId} = ${t.id}
        when 'WITHDRAWAL' then ${t.orderId} = ${t.id} when 'LATE_PAYMENT' then ${t.orderId} is not null
        when 'LATE_CREDIT' then true when 'RETURN_REVERSED' then ${t.orderId} is not null end, false)`,
    ),
    check('commissions_amount', sql`${t.amount} > 0 and ${t.amount} <= ${t.fee}`),
    check('commissions_reversal', sql`num_nulls(${t.reversedAt}, ${t.reversedBy}) in (0, 2)`),
  ],
);
