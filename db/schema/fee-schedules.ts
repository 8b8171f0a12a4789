import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { WalletKind } from '../../domain/channel-deposit';
import type { PricedOrder, TierBasis, TierMode } from '../../domain/fees';
import type { Money } from '../../domain/money';
import { changeRequests } from './change-requests';
import { channels } from './channels';
import { at, money, percent } from './columns';
import { merchantCurrencies } from './merchants';

/**
 * The fees of a merchant's orders, by date: each row a version that never changes. If none is in force, the fees of
 * merchant_currencies apply.
 */
export const feeSchedules = pgTable(
  'fee_schedules',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    orderKind: text('order_kind').$type<PricedOrder>().notNull(),
    /** Only for deposits of one channel, or of one kind of wallet; both null: all. */
    channelId: uuid('channel_id').references(() => channels.id),
    walletKind: text('wallet_kind').$type<WalletKind>(),
    /** 1, 2, 3 … for the same orders: of those that have begun, the newest is in force. */
    version: integer().notNull(),
    effectiveFrom: at('effective_from').notNull(),
    /** The version ends the schedule. */
    ends: boolean().notNull(),
    percent: percent('percent').notNull(),
    fixed: money('fixed').notNull(),
    minimum: money('minimum'),
    maximum: money('maximum'),
    tierMode: text('tier_mode').$type<TierMode>().notNull(),
    /** The tiers, one place each in these three lists; by amount, rising. */
    tierFroms: money('tier_froms').array().$type<readonly Money[]>().notNull(),
    tierPercents: percent('tier_percents').array().$type<readonly Money[]>().notNull(),
    tierFixeds: money('tier_fixeds').array().$type<readonly Money[]>().notNull(),
    /** The approved change request; it makes one version. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** `operator:{id}`, who proposed it. */
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
    /** What selects the tier; null, in older rows: the amount. */
    tierBy: text('tier_by').$type<TierBasis>(),
  },
  (t) => [
    check('fee_schedules_tier_by', sql`${t.tierBy} in ('AMOUNT', 'MONTH_VOLUME')`),
    foreignKey({
      name: 'fee_schedules_currency',
      columns: [t.merchantId, t.currencyCode],
      foreignColumns: [merchantCurrencies.merchantId, merchantCurrencies.currencyCode],
    }),
    unique('fee_schedules_version')
      .on(t.merchantId, t.currencyCode, t.orderKind, t.channelId, t.walletKind, t.version)
      .nullsNotDistinct(),
    // The target of orders' references, which include merchant and currency.
    unique('fee_schedules_of_merchant').on(t.id, t.merchantId, t.currencyCode),
    check(
      'fee_schedules_scope',
      sql`case ${t.orderKind} when 'DEPOSIT' then num_nonnulls(${t.channelId}, ${t.walletKind}) <= 1
        when 'WITHDRAWAL' then num_nonnulls(${t.channelId}, ${t.walletKind}) = 0 else false end`,
    ),
    check('fee_schedules_wallet_kind', sql`${t.walletKind} in ('BKASH', 'NAGAD')`),
    check('fee_schedules_begins', sql`${t.version} > 0 and ${t.effectiveFrom} >= ${t.createdAt}`),
    check(
      'fee_schedules_rule',
      sql`${t.percent} >= 0 and ${t.percent} < 100 and ${t.fixed} >= 0 and ${t.minimum} > 0 and ${t.maximum} > 0
        and (${t.minimum} is null or ${t.maximum} is null or ${t.minimum} <= ${t.maximum})`,
    ),
    check(
      'fee_schedules_tiers',
      sql`${t.tierMode} in ('WHOLE', 'SLICES') and cardinality(${t.tierFroms}) <= 20
        and cardinality(${t.tierPercents}) = cardinality(${t.tierFroms})
        and cardinality(${t.tierFixeds}) = cardinality(${t.tierFroms})
        and 0 < all(${t.tierFroms}) and 0 <= all(${t.tierPercents}) and 100 > all(${t.tierPercents})
        and 0 <= all(${t.tierFixeds}) and (${t.tierMode} = 'WHOLE' or 0 = all(${t.tierFixeds}))`,
    ),
  ],
);

/**
 * A merchant's volume of completed orders of a currency and kind in a month of its time zone, counted since a schedule
 * by volume was approved: the sum of the orders with this volume_month.
 */
export const merchantVolumes = pgTable(
  'merchant_volumes',
  {
    merchantId: uuid('merchant_id').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    orderKind: text('order_kind').$type<PricedOrder>().notNull(),
    /** Its first day. */
    month: date({ mode: 'string' }).notNull(),
    orders: integer().notNull(),
    /** The received amounts of deposits, the paid amounts of withdrawals, without fees. */
    amount: money('amount').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.currencyCode, t.orderKind, t.month] }),
    foreignKey({
      name: 'merchant_volumes_currency',
      columns: [t.merchantId, t.currencyCode],
      foreignColumns: [merchantCurrencies.merchantId, merchantCurrencies.currencyCode],
    }),
    check('merchant_volumes_kind', sql`${t.orderKind} in ('DEPOSIT', 'WITHDRAWAL')`),
    check('merchant_volumes_sum', sql`${t.orders} > 0 and ${t.amount} > 0 and extract(day from ${t.month}) = 1`),
  ],
);
