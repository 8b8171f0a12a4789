import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DayOffShift, PlanTrigger } from '../../domain/settlement-dates';
import type { SettlementSkip } from '../../domain/settlement-plan';
import { changeRequests } from './change-requests';
import { at, money } from './columns';
import { merchantCurrencies } from './merchants';
import { operators } from './operators';
import { settlementAccounts, settlements } from './settlements';

/** Named lists of the days on which banks do not work. A change replaces the whole list. */
export const calendars = pgTable(
  'calendars',
  {
    id: uuid().primaryKey(),
    name: text().notNull().unique(),
    /** Days of the week that are off, 1 Monday to 7 Sunday. */
    daysOff: smallint('days_off').array().$type<readonly number[]>().notNull(),
    /** Holidays by day, and their names: two parallel lists. */
    holidays: date().array().$type<readonly string[]>().notNull(),
    holidayNames: text('holiday_names').array().$type<readonly string[]>().notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    check(
      'calendars_days_off',
      sql`cardinality(${t.daysOff}) < 7 and 1 <= all(${t.daysOff}) and 7 >= all(${t.daysOff})`,
    ),
    check('calendars_holidays', sql`${t.name} <> '' and cardinality(${t.holidays}) = cardinality(${t.holidayNames})`),
  ],
);

/** Plans by which merchants are settled automatically: each row a version that never changes. */
export const settlementPlans = pgTable(
  'settlement_plans',
  {
    id: uuid().primaryKey(),
    merchantId: uuid('merchant_id').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** 1, 2, 3 … for the same balance: of those that have begun, the newest is in force. */
    version: integer().notNull(),
    /** The end of the cooling period after its approval. */
    effectiveFrom: at('effective_from').notNull(),
    /** The version ends the plan. */
    ends: boolean().notNull(),
    trigger: text().$type<PlanTrigger>().notNull(),
    weekdays: smallint().array().$type<readonly number[]>().notNull(),
    monthDays: smallint('month_days').array().$type<readonly number[]>().notNull(),
    /** HH:MM of the merchant's zone; null with a threshold. */
    time: text(),
    /** The available amount at which it settles. */
    threshold: money('threshold'),
    calendarId: uuid('calendar_id').references(() => calendars.id),
    shift: text().$type<DayOffShift>().notNull(),
    /** The amount that stays in the balance. */
    keep: money('keep').notNull(),
    /** The least amount that is settled. */
    minimum: money('minimum').notNull(),
    /** Up to this amount the plan's approval also approves the settlement; null: each settlement waits for a person. */
    approvedUpTo: money('approved_up_to'),
    accountId: uuid('account_id')
      .notNull()
      .references(() => settlementAccounts.id),
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** Its proposer and its approver; in a sandbox they may be the same person. */
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => operators.id),
    approvedBy: uuid('approved_by')
      .notNull()
      .references(() => operators.id),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'settlement_plans_currency',
      columns: [t.merchantId, t.currencyCode],
      foreignColumns: [merchantCurrencies.merchantId, merchantCurrencies.currencyCode],
    }),
    unique('settlement_plans_version').on(t.merchantId, t.currencyCode, t.version),
    // The target of references from runs.
    unique('settlement_plans_of_merchant').on(t.id, t.merchantId, t.currencyCode),
    check('settlement_plans_begins', sql`${t.version} > 0 and ${t.effectiveFrom} >= ${t.createdAt}`),
    check(
      'settlement_plans_trigger',
      sql`(${t.threshold} is not null) = (${t.trigger} = 'THRESHOLD') and (${t.time} is null) = (${t.trigger} = 'THRESHOLD')
        and (cardinality(${t.weekdays}) > 0) = (${t.trigger} = 'WEEKDAYS')
        and (cardinality(${t.monthDays}) > 0) = (${t.trigger} = 'MONTH_DAYS')
        and ${t.trigger} in ('EVERY_DAY', 'WEEKDAYS', 'MONTH_DAYS', 'THRESHOLD')
        and ${t.shift} in ('NEXT', 'PREVIOUS')`,
    ),
    check(
      'settlement_plans_days',
      sql`1 <= all(${t.weekdays}) and 7 >= all(${t.weekdays}) and 1 <= all(${t.monthDays})
        and 31 >= all(${t.monthDays}) and ${t.time} ~ '^([01][0-9]|2[0-3]):(00|15|30|45)$'`,
    ),
    check(
      'settlement_plans_amounts',
      sql`${t.keep} >= 0 and ${t.minimum} >= 0 and ${t.approvedUpTo} >= 0
        and ${t.threshold} > ${t.keep} and ${t.threshold} - ${t.keep} >= ${t.minimum}`,
    ),
  ],
);

/** Runs of plans' dates: each date of a balance at most once. Rows never change. */
export const settlementRuns = pgTable(
  'settlement_runs',
  {
    id: uuid().primaryKey(),
    planId: uuid('plan_id').notNull(),
    merchantId: uuid('merchant_id').notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** The day of the merchant's zone. */
    dueOn: date('due_on').notNull(),
    dueAt: at('due_at').notNull(),
    ranAt: at('ran_at').notNull(),
    /** Earlier, missed dates that this run includes. */
    missed: integer().notNull(),
    /** The merchant's available balance. */
    available: money('available').notNull(),
    /** Why nothing was settled; null: a settlement was made. */
    skipped: text().$type<SettlementSkip>(),
    withdrawalId: uuid('withdrawal_id')
      .unique()
      .references(() => settlements.withdrawalId),
  },
  (t) => [
    foreignKey({
      name: 'settlement_runs_plan',
      columns: [t.planId, t.merchantId, t.currencyCode],
      foreignColumns: [settlementPlans.id, settlementPlans.merchantId, settlementPlans.currencyCode],
    }),
    unique('settlement_runs_once').on(t.merchantId, t.currencyCode, t.dueOn),
    index('settlement_runs_newest').on(t.ranAt, t.id),
    index('settlement_runs_of_merchant').on(t.merchantId, t.ranAt, t.id),
    check(
      'settlement_runs_outcome',
      sql`num_nonnulls(${t.skipped}, ${t.withdrawalId}) = 1 and ${t.skipped} in ('NO_BALANCE', 'BELOW_MINIMUM',
        'OWES_US', 'MERCHANT_DISABLED', 'ACCOUNT_DISABLED', 'ACCOUNT_COOLING', 'BANK_UNKNOWN')`,
    ),
    check('settlement_runs_due', sql`${t.dueAt} <= ${t.ranAt} and ${t.missed} >= 0`),
  ],
);
