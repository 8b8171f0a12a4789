import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ChannelHealth, ChannelKind, MockOutcome } from '../../domain/channel';
import type { MockDepositOutcome, MockOpening, WalletKind } from '../../domain/channel-deposit';
import type { HealthState } from '../../domain/health';
import { bankAccounts } from './bank-accounts';
import { at, bytea, code, knownZone, money, moneyFromZero, percent, percentFromZero } from './columns';

/**
 * Payment channels, for payouts and deposits besides our own accounts: the sandbox's mock, and upstreams reached over
 * HTTP.
 */
export const channels = pgTable(
  'channels',
  {
    id: uuid().primaryKey(),
    /** Names it in addresses and settings: a-z, 0-9 and -. */
    channelCode: code('channel_code').notNull().unique(),
    name: text().notNull(),
    kind: text().$type<ChannelKind>().notNull(),
    /** Currencies of payouts, ISO 4217. */
    currencies: text().array().$type<readonly string[]>().notNull(),
    /** Limits of one payout; null is no limit. */
    minAmount: money('min_amount'),
    maxAmount: money('max_amount'),
    /** A balance at it below this raises an alert, in each currency; null: never. */
    lowBalance: money('low_balance'),
    /** The lowest goes first; among equals the weight says how often. */
    priority: integer().notNull(),
    weight: integer().notNull(),
    enabled: boolean().notNull(),
    /** The time zone in which it counts days, such as Asia/Dhaka. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** Of a mock channel: the outcome of each payout from now on. */
    mockOutcome: text('mock_outcome').$type<MockOutcome>(),
    /** Of an HTTP channel: its URL, and the signing key, whose secret is sealed. */
    baseUrl: text('base_url'),
    keyId: text('key_id'),
    sealedSecret: text('sealed_secret'),
    /** Timeout of one request, seconds. */
    timeoutSeconds: integer('timeout_seconds').notNull(),
    /** The cost of a payout: percent of the amount, and a fixed part in its currency. */
    costPercent: percent('cost_percent').notNull(),
    costFixed: money('cost_fixed').notNull(),
    /** A failure that the channel reports is final only after this, if a query confirms it then; seconds. */
    failureFinalDelaySeconds: integer('failure_final_delay_seconds').notNull(),
    /** Without a clear answer for this long, a payout waits for a person; seconds. */
    answerWithinSeconds: integer('answer_within_seconds').notNull(),
    /** A refusal counts only if a query finds nothing; until then no other channel gets the payout. */
    confirmRefusals: boolean('confirm_refusals').notNull().default(false),
    /** Currencies of deposits, ISO 4217; none by default. */
    depositCurrencies: text('deposit_currencies').array().$type<readonly string[]>().notNull().default([]),
    /** What one deposit may be; null is no limit. */
    depositMin: money('deposit_min'),
    depositMax: money('deposit_max'),
    /** What it may receive in each currency on one day and in one month of its zone, and how often; null is no limit. */
    depositMaxDailyAmount: money('deposit_max_daily_amount'),
    depositMaxMonthlyAmount: money('deposit_max_monthly_amount'),
    depositMaxDailyCount: integer('deposit_max_daily_count'),
    depositMaxMonthlyCount: integer('deposit_max_monthly_count'),
    /** Tried before the managed accounts instead of after them. */
    depositsFirst: boolean('deposits_first').notNull().default(false),
    /** The cost of a deposit. */
    depositCostPercent: percentFromZero('deposit_cost_percent'),
    depositCostFixed: moneyFromZero('deposit_cost_fixed'),
    /** Of a mobile wallet: only merchants that have it set use it. */
    walletKind: text('wallet_kind').$type<WalletKind>(),
    /** Merchants' contact data of payers is forwarded to it; never in BDT. */
    acceptsContact: boolean('accepts_contact').notNull().default(false),
    /** The platform's own contact data, which is sent to it instead in BDT. */
    contactMobile: text('contact_mobile'),
    contactEmail: text('contact_email'),
    /** The account on which it reports: deposits to the account are announced to it. It takes no others. */
    boundAccountId: uuid('bound_account_id').references(() => bankAccounts.id),
    /** Of a mock channel: what it does when a deposit is opened. */
    mockOpening: text('mock_opening').$type<MockOpening>(),
    /** Of a mock channel: it accepts only these amounts, with four decimals, each with its outcome. */
    mockAmounts: jsonb('mock_amounts').$type<Readonly<Record<string, MockDepositOutcome>>>(),
    /** It uses a declared mapping instead of our own protocol; never changes. */
    mapped: boolean().notNull().default(false),
    /** The version of its mapping in force; null: none yet. */
    mappingVersion: integer('mapping_version'),
    /** The result of the last health check. */
    health: text().$type<ChannelHealth>().notNull(),
    healthReason: text('health_reason'),
    healthAt: at('health_at'),
    /** When its breaker opens (domain/health.ts); without a percentage and a number of failures it never does. */
    breakerPercent: integer('breaker_percent'),
    breakerFailures: integer('breaker_failures'),
    breakerOrders: integer('breaker_orders').notNull().default(10),
    breakerMinutes: integer('breaker_minutes').notNull().default(10),
    breakerPause: integer('breaker_pause').notNull().default(60),
    /** The state of its breaker, since when and why; the present pause, seconds, and the order on trial. */
    breakerState: text('breaker_state').$type<HealthState>().notNull().default('HEALTHY'),
    breakerSince: at('breaker_since'),
    breakerReason: text('breaker_reason'),
    breakerPausedFor: integer('breaker_paused_for'),
    /** When one order may be tried. */
    breakerTrialAt: at('breaker_trial_at'),
    trialOrderId: uuid('trial_order_id'),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    index('channels_by_name').on(t.name, t.id),
    check('channels_code', sql`${t.channelCode} ~ '^[a-z0-9][a-z0-9-]{0,31}$'`),
    check('channels_time_zone', knownZone(t.timeZone)),
    check('channels_kind', sql`${t.kind} in ('MOCK', 'HTTP')`),
    check('channels_currencies', sql`cardinality(${t.currencies}) + cardinality(${t.depositCurrencies}) > 0`),
    uniqueIndex('channels_bound_account')
      .on(t.boundAccountId)
      .where(sql`${t.boundAccountId} is not null`),
    check(
      'channels_deposits',
      sql`${t.depositMin} > 0 and ${t.depositMax} > 0
        and ${t.depositCostPercent} >= 0 and ${t.depositCostPercent} < 100 and ${t.depositCostFixed} >= 0
        and (${t.walletKind} is null or ${t.boundAccountId} is null)`,
    ),
    check(
      'channels_received',
      sql`${t.depositMaxDailyAmount} > 0 and ${t.depositMaxMonthlyAmount} > 0
        and ${t.depositMaxDailyCount} > 0 and ${t.depositMaxMonthlyCount} > 0`,
    ),
    check('channels_wallet_kind', sql`${t.walletKind} in ('BKASH', 'NAGAD')`),
    check(
      'channels_mock_deposits',
      sql`(${t.kind} = 'MOCK' or num_nonnulls(${t.mockOpening}, ${t.mockAmounts}) = 0)
        and ${t.mockOpening} in ('OPEN', 'REFUSE', 'SILENT')`,
    ),
    check(
      'channels_mapped',
      sql`(not ${t.mapped} or ${t.kind} = 'HTTP') and (${t.mapped} or ${t.mappingVersion} is null)
        and (not ${t.mapped} or not ${t.enabled} or ${t.mappingVersion} is not null)`,
    ),
    check('channels_health', sql`${t.health} in ('UNKNOWN', 'UP', 'DOWN')`),
    check(
      'channels_breaker',
      sql`${t.breakerPercent} between 1 and 100 and ${t.breakerFailures} between 1 and 1000
        and ${t.breakerOrders} between 1 and 10000 and ${t.breakerMinutes} between 1 and 1440
        and ${t.breakerPause} between 10 and 3600`,
    ),
    check(
      'channels_breaker_state',
      sql`case ${t.breakerState}
        when 'HEALTHY' then num_nonnulls(${t.breakerPausedFor}, ${t.breakerTrialAt}, ${t.trialOrderId}) = 0
        else ${t.breakerState} in ('DOWN', 'TRIAL') and ${t.breakerSince} is not null
          and ${t.breakerPausedFor} >= 0 and ${t.breakerTrialAt} is not null
          and (${t.breakerState} = 'TRIAL') = (${t.trialOrderId} is not null) end`,
    ),
    check(
      'channels_of_kind',
      sql`case ${t.kind}
        when 'MOCK' then coalesce(${t.mockOutcome} in ('PENDING', 'COMPLETED', 'FAILED'), false)
          and num_nonnulls(${t.baseUrl}, ${t.keyId}, ${t.sealedSecret}) = 0
        else ${t.mockOutcome} is null and num_nulls(${t.baseUrl}, ${t.keyId}, ${t.sealedSecret}) = 0 end`,
    ),
    check(
      'channels_numbers',
      sql`${t.minAmount} > 0 and ${t.maxAmount} > 0 and ${t.priority} between 0 and 1000
        and ${t.weight} between 1 and 1000 and ${t.timeoutSeconds} between 1 and 60
        and ${t.costPercent} >= 0 and ${t.costPercent} < 100 and ${t.costFixed} >= 0
        and ${t.failureFinalDelaySeconds} between 0 and 604800
        and ${t.answerWithinSeconds} between 1 and 604800`,
    ),
  ],
);

/** A channel's codes of our banks, by currency; it cannot pay to a bank without a code. */
export const channelBanks = pgTable(
  'channel_banks',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** Ours, as in the bank directory. */
    bankCode: text('bank_code').notNull(),
    channelBankCode: text('channel_bank_code').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.currencyCode, t.bankCode] })],
);

/** Our balances at channels, as last reported. */
export const channelBalances = pgTable(
  'channel_balances',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    balance: money('balance').notNull(),
    at: at('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.currencyCode] })],
);

/**
 * What counts against a channel's limits in a currency on one day of its zone: the shares of deposits given to it that
 * day, until they end or are paid; and everything that it received on that day.
 */
export const channelDays = pgTable(
  'channel_days',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    day: date({ mode: 'string' }).notNull(),
    amount: money('amount').notNull(),
    deposits: integer().notNull(),
    received: moneyFromZero('received'),
    credits: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.currencyCode, t.day] }),
    check('channel_days_never_negative', sql`${t.amount} >= 0 and ${t.deposits} >= 0`),
    check('channel_days_received', sql`${t.received} >= 0 and ${t.credits} >= 0`),
  ],
);

/** Messages of channels as received, each once; deleted after a while. */
export const channelMessages = pgTable(
  'channel_messages',
  {
    id: uuid().primaryKey(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    /** The channel's own id of the message. */
    messageId: text('message_id').notNull(),
    /** Our reference of the payout or deposit that it is about. */
    reference: text().notNull(),
    /** The state that it reports: domain/payout.ts. */
    told: text().notNull(),
    headers: jsonb().notNull(),
    /** The exact bytes in base64, sealed; of older messages the bytes themselves. */
    body: bytea('body').notNull(),
    receivedAt: at('received_at').notNull(),
  },
  (t) => [
    unique('channel_messages_once').on(t.channelId, t.messageId),
    index('channel_messages_reference').on(t.reference, t.id),
    index('channel_messages_received').on(t.receivedAt),
  ],
);
