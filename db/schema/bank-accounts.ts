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
  uuid,
} from 'drizzle-orm/pg-core';
import type { AccountMode, AccountStatus } from '../../domain/bank-account';
import { at, code, knownZone, money, moneyFromZero } from './columns';

/** Bank accounts that we manage and payers transfer to. One mode, one currency each. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    bankCode: text('bank_code').notNull(),
    bankName: text('bank_name').notNull(),
    bankBranch: text('bank_branch'),
    accountNo: code('account_no').notNull(),
    accountHolder: text('account_holder').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** The time zone in which its bank counts days, such as Asia/Bangkok; its limits start again at that midnight. */
    timeZone: text('time_zone').notNull().default('UTC'),
    mode: text().$type<AccountMode>().notNull(),
    status: text().$type<AccountStatus>().notNull(),
    /** Why it is paused. */
    statusReason: text('status_reason'),
    /** Limits of one deposit; null is no limit. */
    minAmount: money('min_amount'),
    maxAmount: money('max_amount'),
    /** What it may receive on one day and in one month of its zone, and how often; null is no limit. */
    maxDailyAmount: money('max_daily_amount'),
    maxMonthlyAmount: money('max_monthly_amount'),
    maxDailyCount: integer('max_daily_count'),
    maxMonthlyCount: integer('max_monthly_count'),
    /** The balance that it may hold, including open deposits; null is no limit. */
    maxBalance: money('max_balance'),
    /** Cap on live PENDING deposits. */
    maxOpenDeposits: integer('max_open_deposits').notNull().default(1_000),
    /** Of mode FLOAT: the steps by which an amount may change, and how far up and down. */
    floatStep: money('float_step'),
    floatUp: money('float_up'),
    floatDown: money('float_down'),
    /** Of mode FLOAT: an amount is given to no other deposit until this long after its deposit's expiry. */
    quarantineMinutes: integer('quarantine_minutes').notNull().default(60),
    /** A report without the balance after it waits for an operator. */
    balanceRequired: boolean('balance_required').notNull().default(false),
    /** Without a heartbeat of its agents for so many minutes it is passed over; 0: never; null: by the environment. */
    silentMinutes: integer('silent_minutes'),
    /** The last heartbeat, while its agents are silent; null: they are not, or never sent one. */
    silentSince: at('silent_since'),
    /** The newest balance that the bank reported, and its bank time. */
    bankBalance: money('bank_balance'),
    bankBalanceAt: at('bank_balance_at'),
    /** What does not follow from it so far, as domain/running-balance.ts keeps it: balances, times, ids of credits. */
    balanceChain: jsonb('balance_chain').notNull().default({}),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('bank_accounts_number').on(t.bankCode, t.accountNo),
    index('bank_accounts_by_name').on(t.name, t.id),
    index('bank_accounts_routable')
      .on(t.currencyCode)
      .where(sql`${t.status} = 'ACTIVE'`),
    check('bank_accounts_time_zone', knownZone(t.timeZone)),
    check('bank_accounts_mode', sql`${t.mode} in ('REMARK', 'FLOAT')`),
    check(
      'bank_accounts_limits',
      sql`${t.minAmount} > 0 and ${t.maxAmount} > 0 and ${t.maxDailyAmount} > 0
        and ${t.maxOpenDeposits} > 0 and ${t.quarantineMinutes} between 0 and 10080`,
    ),
    check(
      'bank_accounts_received',
      sql`${t.maxMonthlyAmount} > 0 and ${t.maxDailyCount} > 0 and ${t.maxMonthlyCount} > 0`,
    ),
    check('bank_accounts_held', sql`${t.maxBalance} > 0`),
    check('bank_accounts_silent', sql`${t.silentMinutes} between 0 and 1440`),
    check(
      'bank_accounts_float',
      sql`case ${t.mode}
        when 'FLOAT' then coalesce(${t.floatStep} > 0 and ${t.floatUp} >= 0 and ${t.floatDown} >= 0, false)
        else ${t.floatStep} is null and ${t.floatUp} is null and ${t.floatDown} is null end`,
    ),
    check('bank_accounts_status', sql`${t.status} in ('ACTIVE', 'PAUSED', 'DISABLED')`),
  ],
);

/**
 * What counts against an account's limits on one day of its zone: the shares of deposits created that day, until they
 * end without money or their money is counted; and all bank credits of that day, matched or not.
 */
export const accountDays = pgTable(
  'account_days',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => bankAccounts.id),
    day: date({ mode: 'string' }).notNull(),
    amount: money('amount').notNull(),
    deposits: integer().notNull(),
    received: moneyFromZero('received'),
    credits: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.day] }),
    check('account_days_never_negative', sql`${t.amount} >= 0 and ${t.deposits} >= 0`),
    check('account_days_received', sql`${t.received} >= 0 and ${t.credits} >= 0`),
  ],
);
