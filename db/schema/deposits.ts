import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DepositAttemptStatus, JsonObject, MockDepositOutcome } from '../../domain/channel-deposit';
import type { DepositOrderType, DepositStatus } from '../../domain/deposit';
import type { PayerOutcome } from '../../domain/payer-rules';
import { bankAccounts } from './bank-accounts';
import { channels } from './channels';
import { at, code, money } from './columns';
import { commissionRates } from './commissions';
import { feeSchedules } from './fee-schedules';
import { merchantOrderNumbers, merchants } from './merchants';

/** Deposits (contract, "DepositOrder"). */
export const depositOrders = pgTable(
  'deposit_orders',
  {
    id: uuid().primaryKey(),
    orderNo: code('order_no').notNull().unique(),
    merchantId: uuid('merchant_id').notNull(),
    merchantOrderNo: code('merchant_order_no').notNull(),
    orderType: text('order_type').$type<DepositOrderType>().notNull(),
    /** The session that made it; only of a CASHIER order. */
    cashierSessionId: uuid('cashier_session_id'),
    /** The managed account to which it is paid; null for a channel order. */
    accountId: uuid('account_id').references(() => bankAccounts.id),
    /** The channel that takes it; with an account, the one that reports on the account. */
    channelId: uuid('channel_id').references(() => channels.id),
    /** The channel's number of it, once it has opened it. */
    channelOrderNo: text('channel_order_no'),
    /** The channel's payment details: a page, or fields. */
    paymentUrl: text('payment_url'),
    paymentInfo: jsonb('payment_info').$type<JsonObject>(),
    /** The channel's charge: expected at routing, and actual once completed. */
    estimatedChannelCost: money('estimated_channel_cost'),
    actualChannelCost: money('actual_channel_cost'),
    requestedAmount: money('requested_amount').notNull(),
    /** What the payer must transfer. */
    amount: money('amount').notNull(),
    /** The quote at creation, the charge once completed. */
    fee: money('fee').notNull(),
    /** Gross received; zero until completed. */
    actualAmount: money('actual_amount').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    expectedRemark: code('expected_remark'),
    /** The day of its account's or channel's limits that holds its share; null if it has none or it was released. */
    quotaDay: date('quota_day', { mode: 'string' }),
    /** Names the request that made it, in every log line about it. */
    traceId: text('trace_id'),
    status: text().$type<DepositStatus>().notNull(),
    expireAt: at('expire_at').notNull(),
    matchedAt: at('matched_at'),
    completedAt: at('completed_at'),
    callbackUrl: text('callback_url'),
    extraData: text('extra_data'),
    userId: code('user_id'),
    /** Sealed (domain/sealed-for.ts). */
    payerName: text('payer_name'),
    /** Sealed, as the two below, with what each is found by (domain/search-forms.ts). */
    payerMobile: text('payer_mobile'),
    payerMobileIndex: code('payer_mobile_index'),
    payerEmail: text('payer_email'),
    payerEmailIndex: code('payer_email_index'),
    payerBankCode: text('payer_bank_code'),
    payerAccountNo: text('payer_account_no'),
    payerAccountIndex: code('payer_account_index'),
    payerAccountLast4: text('payer_account_last4'),
    /** What the payer was shown: an object of strings. */
    paymentSnapshot: jsonb('payment_snapshot').$type<Readonly<Record<string, string>>>().notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
    /** The schedule's version that priced it; null: the fee of its merchant's currency at the time. */
    feeScheduleId: uuid('fee_schedule_id'),
    /** If the merchant prepays fees: the fee, frozen in its balance at creation. Null: the credit pays the fee. */
    feeHeld: money('fee_held'),
    /** The part of it that became our fee with the credit; the rest was released. */
    feeCaptured: money('fee_captured'),
    /** When all of it was released, because the order ended without money. */
    feeReleasedAt: at('fee_released_at'),
    /** The routing rules in force when it was created; null: there were none. */
    routingRulesId: uuid('routing_rules_id'),
    /** The number of the rule that routed it, from 1; null: no rule matched. */
    routingRule: smallint('routing_rule'),
    /** The outcome of the payer rules at its creation, and the findings as text; null without findings. */
    payerOutcome: text('payer_outcome').$type<PayerOutcome>(),
    payerFindings: jsonb('payer_findings').$type<readonly string[]>(),
    /** The merchant's volume of the month by which it was priced; null: its tiers depend on the amount. */
    feeVolume: money('fee_volume'),
    /** The month to whose volume it counts, in its merchant's zone, by its first day; null: none. */
    volumeMonth: date('volume_month', { mode: 'string' }),
    /** The commission rate in force at its creation; null: none. */
    commissionRateId: uuid('commission_rate_id'),
  },
  (t) => [
    foreignKey({
      name: 'deposit_orders_commission_rate',
      columns: [t.commissionRateId, t.merchantId, t.currencyCode],
      foreignColumns: [commissionRates.id, commissionRates.merchantId, commissionRates.currencyCode],
    }),
    check(
      'deposit_orders_volume',
      sql`${t.feeVolume} is null or ${t.feeVolume} >= 0 and ${t.feeScheduleId} is not null`,
    ),
    check(
      'deposit_orders_volume_month',
      sql`${t.volumeMonth} is null or ${t.status} = 'COMPLETED' and extract(day from ${t.volumeMonth}) = 1`,
    ),
    // A trigger checks that routing_rules_id is a version of the currency's rules (db/functions/routing-rules.sql).
    check(
      'deposit_orders_routing_rule',
      sql`${t.routingRule} is null or (${t.routingRule} > 0 and ${t.routingRulesId} is not null)`,
    ),
    foreignKey({
      name: 'deposit_orders_fee_schedule',
      columns: [t.feeScheduleId, t.merchantId, t.currencyCode],
      foreignColumns: [feeSchedules.id, feeSchedules.merchantId, feeSchedules.currencyCode],
    }),
    foreignKey({
      name: 'deposit_orders_number',
      columns: [t.merchantId, t.merchantOrderNo],
      foreignColumns: [merchantOrderNumbers.merchantId, merchantOrderNumbers.merchantOrderNo],
    }),
    // merchant_order_numbers makes a number unique, and orders are found by it. A remark names one order of its account
    // and is never reused.
    unique('deposit_orders_remark').on(t.expectedRemark, t.accountId),
    // The lists, each read in either direction; docs/performance.md says what each costs.
    index('deposit_orders_newest').on(t.createdAt, t.id),
    index('deposit_orders_of_merchant').on(t.merchantId, t.createdAt, t.id),
    index('deposit_orders_of_account').on(t.accountId, t.createdAt, t.id),
    // Earlier payments of a payer (db/routing/routing-rules.ts).
    index('deposit_orders_paid_by_user')
      .on(t.userId, t.merchantId, t.completedAt, t.id)
      .where(sql`${t.status} = 'COMPLETED' and ${t.userId} is not null`),
    index('deposit_orders_of_user')
      .on(t.userId, t.createdAt, t.id)
      .where(sql`${t.userId} is not null`),
    index('deposit_orders_of_payer')
      .on(t.payerAccountLast4, t.createdAt, t.id)
      .where(sql`${t.payerAccountLast4} is not null`),
    // The orders of a payer are counted along these.
    index('deposit_orders_by_email')
      .on(t.payerEmailIndex, t.createdAt)
      .where(sql`${t.payerEmailIndex} is not null`),
    index('deposit_orders_by_mobile')
      .on(t.payerMobileIndex, t.createdAt)
      .where(sql`${t.payerMobileIndex} is not null`),
    index('deposit_orders_by_payer_account')
      .on(t.payerAccountIndex, t.createdAt)
      .where(sql`${t.payerAccountIndex} is not null`),
    index('deposit_orders_by_amount').on(t.amount, t.id),
    index('deposit_orders_by_completion')
      .on(t.completedAt, t.id)
      .where(sql`${t.completedAt} is not null`),
    // A session makes one order.
    uniqueIndex('deposit_orders_of_session')
      .on(t.cashierSessionId)
      .where(sql`${t.cashierSessionId} is not null`),
    // Indexes of rare states: most orders leave them when they end.
    index('deposit_orders_unsettled')
      .on(t.status, t.createdAt, t.id)
      .where(sql`${t.status} not in ('COMPLETED', 'EXPIRED')`),
    // The caps on live orders count along these.
    index('deposit_orders_pending_of_merchant')
      .on(t.merchantId, t.userId)
      .where(sql`${t.status} = 'PENDING'`),
    index('deposit_orders_pending_of_account')
      .on(t.accountId)
      .where(sql`${t.status} = 'PENDING'`),
    index('deposit_orders_open')
      .on(t.expireAt)
      .where(sql`${t.status} in ('PENDING', 'MATCHED')`),
    index('deposit_orders_of_channel')
      .on(t.channelId, t.createdAt, t.id)
      .where(sql`${t.channelId} is not null`),
    // The shares of channels' limits.
    index('deposit_orders_shares_of_channel')
      .on(t.channelId)
      .where(sql`${t.quotaDay} is not null and ${t.accountId} is null`),
    check('deposit_orders_way', sql`num_nonnulls(${t.accountId}, ${t.channelId}) > 0`),
    check(
      'deposit_orders_payer',
      sql`num_nulls(${t.payerOutcome}, ${t.payerFindings}) in (0, 2)
        and ${t.payerOutcome} in ('WAIT', 'WATCH', 'ALLOW') and jsonb_typeof(${t.payerFindings}) = 'array'`,
    ),
    check('deposit_orders_type', sql`${t.orderType} in ('DIRECT', 'CASHIER')`),
    check('deposit_orders_cashier', sql`${t.cashierSessionId} is null or ${t.orderType} = 'CASHIER'`),
    check(
      'deposit_orders_status',
      sql`${t.status} in ('PENDING', 'MATCHED', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')`,
    ),
    check(
      'deposit_orders_amounts',
      sql`${t.requestedAmount} > 0 and ${t.amount} > 0 and ${t.fee} >= 0 and ${t.actualAmount} >= 0`,
    ),
    check(
      'deposit_orders_channel_cost',
      sql`${t.actualChannelCost} >= 0 and ${t.actualChannelCost} <= ${t.amount} + ${t.estimatedChannelCost}`,
    ),
    check(
      'deposit_orders_completed',
      sql`(${t.status} = 'COMPLETED') = (${t.completedAt} is not null)
        and (${t.status} = 'COMPLETED') = (${t.actualAmount} > 0)
        and (${t.completedAt} is null or (${t.matchedAt} is not null and ${t.fee} < ${t.actualAmount}))`,
    ),
    // A held fee stays while its order is open, and ends once: a reopened order holds none.
    check(
      'deposit_orders_held_fee',
      sql`case when ${t.feeHeld} is null then num_nonnulls(${t.feeCaptured}, ${t.feeReleasedAt}) = 0
        else ${t.feeHeld} > 0 and num_nonnulls(${t.feeCaptured}, ${t.feeReleasedAt}) <= 1
          and (${t.feeCaptured} is null or ${t.status} = 'COMPLETED' and ${t.feeCaptured} = least(${t.fee}, ${t.feeHeld}))
          and (${t.status} in ('PENDING', 'MATCHED') or num_nonnulls(${t.feeCaptured}, ${t.feeReleasedAt}) = 1) end`,
    ),
  ],
);

/** The attempts of a deposit at channels: one after the other, and never two at the same channel. */
export const depositAttempts = pgTable(
  'deposit_attempts',
  {
    id: uuid().primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => depositOrders.id),
    /** 1, 2, 3 … of its deposit. */
    number: smallint().notNull(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    /** Our reference at the channel, never reused: `{order_no}-{number}-{epoch}-{channel_code}`. */
    reference: text().notNull().unique(),
    status: text().$type<DepositAttemptStatus>().notNull(),
    /** The channel's own number of it. */
    channelOrderNo: text('channel_order_no'),
    /** What the channel reports as paid, our fee on it and its own charge; null until it does. */
    received: money('received'),
    charge: money('charge'),
    cost: money('cost'),
    /**
     * The day of the channel's limits to which the received amount counts; null: no limits, or nothing was received.
     */
    countedDay: date('counted_day', { mode: 'string' }),
    /** Of a mock channel: the outcome that an operator set for this one. */
    mockOutcome: text('mock_outcome').$type<MockDepositOutcome>(),
    lastError: text('last_error'),
    /** Set before the request to the channel is sent: from then on only queries show its outcome. */
    sentAt: at('sent_at'),
    /** When the channel contradicted the order's final status; null once it was queried. */
    doubtedAt: at('doubted_at'),
    /** When its channel is queried again, after the order ended without its money; null: no more. */
    recheckAt: at('recheck_at'),
    /** How often messages woke its workflow, and for when the last wake was written. */
    wakes: integer().notNull().default(0),
    wokenAt: at('woken_at'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('deposit_attempts_number').on(t.depositId, t.number),
    unique('deposit_attempts_channel').on(t.depositId, t.channelId),
    uniqueIndex('deposit_attempts_one')
      .on(t.depositId)
      .where(sql`${t.status} <> 'REFUSED'`),
    index('deposit_attempts_of_channel').on(t.channelId, t.sentAt),
    index('deposit_attempts_counted')
      .on(t.channelId, t.countedDay)
      .where(sql`${t.countedDay} is not null`),
    index('deposit_attempts_doubted')
      .on(t.doubtedAt, t.id)
      .where(sql`${t.doubtedAt} is not null`),
    index('deposit_attempts_recheck')
      .on(t.recheckAt, t.id)
      .where(sql`${t.recheckAt} is not null`),
    check('deposit_attempts_status', sql`${t.status} in ('PREPARED', 'SENT', 'OPEN', 'REFUSED', 'PAID', 'FAILED')`),
    check('deposit_attempts_sent', sql`(${t.status} = 'PREPARED') = (${t.sentAt} is null) or ${t.status} = 'REFUSED'`),
    check(
      'deposit_attempts_paid',
      sql`(${t.status} = 'PAID') = (${t.received} is not null)
        and num_nonnulls(${t.received}, ${t.charge}, ${t.cost}) in (0, 3) and ${t.received} > 0`,
    ),
  ],
);

/**
 * Money that a channel received for an order that had ended without it, once for each attempt. It waits in suspense
 * until operators have used all of it.
 */
export const lateReceipts = pgTable(
  'late_receipts',
  {
    attemptId: uuid('attempt_id')
      .primaryKey()
      .references(() => depositAttempts.id),
    /** That of the order. */
    merchantId: uuid('merchant_id')
      .notNull()
      .references(() => merchants.id),
    amount: money('amount').notNull(),
    /** What the channel charged for it. */
    cost: money('cost').notNull(),
    at: at('at').notNull(),
    /** When all of it was used; null while some of it waits. */
    endedAt: at('ended_at'),
  },
  (t) => [
    index('late_receipts_waiting')
      .on(t.at, t.attemptId)
      .where(sql`${t.endedAt} is null`),
    index('late_receipts_by_time').on(t.at, t.attemptId),
    index('late_receipts_of_merchant').on(t.merchantId, t.at, t.attemptId),
    check('late_receipts_amounts', sql`${t.amount} > 0 and ${t.cost} >= 0`),
  ],
);

/** The assigned amounts of accounts of mode FLOAT: each identifies one deposit, and stays reserved for a while. */
export const reservedAmounts = pgTable(
  'reserved_amounts',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => depositOrders.id),
    /** Until then no other deposit gets this amount. */
    freeAt: at('free_at').notNull(),
    /** When it was last assigned; null in older rows. */
    usedAt: at('used_at'),
    /** Another payer's order had it within the history days: the amount alone does not identify the payer. */
    contested: boolean('contested').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.currencyCode, t.amount] })],
);
