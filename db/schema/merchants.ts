import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  char,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { LatePayment } from '../../domain/deposit';
import type { Money } from '../../domain/money';
import { pools } from './pools';
import { channels } from './channels';
import { at, code, knownZone, money, moneyFromZero, percent, percentFromZero } from './columns';

/** Customers of the platform, with their settings. */
export const merchants = pgTable(
  'merchants',
  {
    id: uuid().primaryKey(),
    merchantCode: code('merchant_code').notNull().unique(),
    name: text().notNull(),
    enabled: boolean().notNull(),
    canDeposit: boolean('can_deposit').notNull(),
    canWithdraw: boolean('can_withdraw').notNull(),
    depositExpireMinutes: integer('deposit_expire_minutes').notNull(),
    callbackTimeoutSeconds: integer('callback_timeout_seconds').notNull(),
    defaultCallbackUrl: text('default_callback_url'),
    /** Allows http and loopback targets of callbacks: for sandboxes, refused in production. */
    allowInsecureCallbacks: boolean('allow_insecure_callbacks').notNull(),
    /** If set, callbacks go only to these hosts. */
    callbackHosts: text('callback_hosts').array().$type<readonly string[]>(),
    /** False accepts any certificate of its receivers: for sandboxes; production refuses to set it and ignores it. */
    webhookSslVerify: boolean('webhook_ssl_verify').notNull().default(true),
    notifyDepositMatched: boolean('notify_deposit_matched').notNull().default(false),
    notifyDepositExpired: boolean('notify_deposit_expired').notNull(),
    notifyDepositCancelled: boolean('notify_deposit_cancelled').notNull(),
    /** Caps on live PENDING deposits: a faulty client must not fill the platform. */
    maxOpenDeposits: integer('max_open_deposits').notNull().default(10_000),
    maxOpenDepositsPerUser: integer('max_open_deposits_per_user').notNull().default(1_000),
    /** A cashier session expires this long after its creation, independent of its deposit. */
    cashierSessionExpireMinutes: integer('cashier_session_expire_minutes').notNull().default(15),
    /** How the payer's page shows the merchant; by default with its name. */
    cashierName: text('cashier_name'),
    cashierLogoUrl: text('cashier_logo_url'),
    /** #rrggbb */
    cashierColour: text('cashier_colour'),
    /** Where the payer's page leads at its end. */
    cashierReturnUrl: text('cashier_return_url'),
    /** The time zone of its days: for holds, counts of withdrawals, and quiet hours. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** Days of its zone after which credited deposits become available; 0: at once. */
    holdDays: smallint('hold_days').notNull().default(0),
    /** Hides all costs and profits: they are returned as null. */
    hideCosts: boolean('hide_costs').notNull().default(false),
    /** If set, signed requests are accepted only from these addresses and networks. */
    allowedAddresses: text('allowed_addresses').array().$type<readonly string[]>(),
    /** Money for an expired order: OFF waits for two people; REOPEN lets a person's match complete the order. */
    latePayment: text('late_payment').$type<LatePayment>().notNull().default('OFF'),
    /** Whether the fee of a payout that its bank returns is returned, too. */
    returnsPayoutFee: boolean('returns_payout_fee').notNull().default(false),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    check('merchants_late_payment', sql`${t.latePayment} in ('OFF', 'REOPEN')`),
    index('merchants_by_name').on(t.name, t.id),
    index('merchants_name_begins').on(sql`lower(${t.name}) collate "C"`),
    check('merchants_deposit_expire', sql`${t.depositExpireMinutes} between 1 and 1440`),
    check('merchants_cashier_session_expire', sql`${t.cashierSessionExpireMinutes} between 1 and 1440`),
    check('merchants_cashier_colour', sql`${t.cashierColour} ~ '^#[0-9a-f]{6}$'`),
    check('merchants_time_zone', knownZone(t.timeZone)),
    check('merchants_hold_days', sql`${t.holdDays} between 0 and 90`),
    check('merchants_callback_timeout', sql`${t.callbackTimeoutSeconds} between 1 and 60`),
    check('merchants_open_deposits', sql`${t.maxOpenDeposits} > 0 and ${t.maxOpenDepositsPerUser} > 0`),
  ],
);

/** The currencies that a merchant may use, and the fees of a deposit and a withdrawal in each. */
export const merchantCurrencies = pgTable(
  'merchant_currencies',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    enabled: boolean().notNull(),
    depositFeePercent: percent('deposit_fee_percent').notNull(),
    depositFeeFixed: money('deposit_fee_fixed').notNull(),
    /** The accounts and channels that its orders use; null: the default pool of the currency. */
    poolId: uuid('pool_id'),
    /** Limits of one deposit; null is no limit. */
    depositMin: money('deposit_min'),
    depositMax: money('deposit_max'),
    /** The amounts that payers choose from in the cashier. */
    cashierDenominations: money('cashier_denominations').array().$type<readonly Money[]>().notNull().default([]),
    /** If set, any amount within this range may also be chosen. */
    cashierCustomMin: money('cashier_custom_min'),
    cashierCustomMax: money('cashier_custom_max'),
    withdrawalFeePercent: percentFromZero('withdrawal_fee_percent'),
    withdrawalFeeFixed: moneyFromZero('withdrawal_fee_fixed'),
    /** Limits of one withdrawal; null is no limit. */
    withdrawalMin: money('withdrawal_min'),
    withdrawalMax: money('withdrawal_max'),
    /** The mobile wallet that takes its deposits in this currency, instead of everything else; null: it has none. */
    walletChannelId: uuid('wallet_channel_id').references((): AnyPgColumn => channels.id),
    /** Whether the fee of a deposit is held from the balance at its creation, instead of taken from its credit. */
    prepaid: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.merchantId, t.currencyCode] }),
    foreignKey({
      name: 'merchant_currencies_pool',
      columns: [t.poolId, t.currencyCode],
      foreignColumns: [pools.id, pools.currencyCode],
    }),
    check(
      'merchant_currencies_cashier',
      sql`0 < all(${t.cashierDenominations})
        and (${t.cashierCustomMin} is null) = (${t.cashierCustomMax} is null)
        and ${t.cashierCustomMin} > 0 and ${t.cashierCustomMin} <= ${t.cashierCustomMax}`,
    ),
    check(
      'merchant_currencies_fee',
      sql`${t.depositFeePercent} >= 0 and ${t.depositFeePercent} < 100 and ${t.depositFeeFixed} >= 0`,
    ),
    check(
      'merchant_currencies_withdrawal',
      sql`${t.withdrawalFeePercent} >= 0 and ${t.withdrawalFeePercent} < 100 and ${t.withdrawalFeeFixed} >= 0
        and ${t.withdrawalMin} > 0 and ${t.withdrawalMax} > 0`,
    ),
  ],
);

/** Credentials of merchants: found by keyed hash, kept sealed so that callbacks can be signed. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    lookupHash: text('lookup_hash').notNull().unique(),
    sealedKey: text('sealed_key').notNull(),
    /** The last four characters, so that people can tell keys apart. */
    hint: text().notNull(),
    createdAt: at('created_at').notNull(),
    /** The end of a rotated key's validity. */
    retiresAt: at('retires_at'),
    revokedAt: at('revoked_at'),
    /** When the first request with a valid signature by it came. */
    firstUsedAt: at('first_used_at'),
    /** When the first deposit, session or withdrawal was accepted that it signed: from then on it signs callbacks. */
    firstCreateAt: at('first_create_at'),
  },
  (t) => [index('api_keys_merchant').on(t.merchantId, t.createdAt)],
);

/** One namespace of merchant order numbers for all kinds of orders. A claimed number is never released. */
export const merchantOrderNumbers = pgTable(
  'merchant_order_numbers',
  {
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    merchantOrderNo: code('merchant_order_no').notNull(),
    noun: text().notNull(),
    orderId: uuid('order_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.merchantId, t.merchantOrderNo] })],
);
