import { money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { settlementPlans } from '../schema/settlement-plans';

/** A version of a plan by which a merchant is settled automatically. */
export type SettlementPlanRow = RowOf<typeof settlementPlans>;

const rowOf = rowReader<SettlementPlanRow>(amountFieldsOf(settlementPlans));

/** All versions of the plans of several merchants: by currency, the newest first. */
export async function findSettlementPlans(
  { sql }: Database,
  merchantIds: readonly string[],
): Promise<SettlementPlanRow[]> {
  const rows = await sql<Raw<SettlementPlanRow>[]>`
    select * from settlement_plans where merchant_id = any(${merchantIds as string[]})
    order by currency_code, version desc`;
  return rows.map(rowOf);
}

/** Several versions by their ids. */
export async function findSettlementPlansById({ sql }: Database, ids: readonly string[]): Promise<SettlementPlanRow[]> {
  const rows = await sql<Raw<SettlementPlanRow>[]>`
    select * from settlement_plans where id = any(${ids as string[]})`;
  return rows.map(rowOf);
}

/** The balance of a plan; a place among plans. */
export type PlanPlace = Pick<SettlementPlanRow, 'merchantId' | 'currencyCode'>;

/** A version with the names of its account and its calendar. */
export interface NamedPlan extends SettlementPlanRow {
  readonly accountName: string;
  readonly calendarName: string | null;
}

/** The newest version of a balance's plan. */
export async function findNewestPlan(
  sql: Database['sql'] | Transaction,
  { merchantId, currencyCode }: PlanPlace,
): Promise<NamedPlan | undefined> {
  const [row] = await sql<Raw<NamedPlan>[]>`
    select p.*, a.bank_code || ' ' || a.account_no as account_name, c.name as calendar_name
    from settlement_plans p
    join settlement_accounts a on a.id = p.account_id
    left join calendars c on c.id = p.calendar_id
    where p.merchant_id = ${merchantId} and p.currency_code = ${currencyCode}
    order by p.version desc limit 1`;
  return row && (rowOf(row) as NamedPlan);
}

/** The same, its merchant locked, so that no other version is added. */
export async function lockNewestPlan(tx: Transaction, place: PlanPlace): Promise<NamedPlan | undefined> {
  await tx`select from merchants where id = ${place.merchantId} for no key update`;
  return await findNewestPlan(tx, place);
}

/** Adds the next version of a plan, under the lock of its merchant. */
export async function insertSettlementPlan(tx: Transaction, row: SettlementPlanRow): Promise<void> {
  await tx`
    insert into settlement_plans
    select * from jsonb_populate_record(null::settlement_plans, ${tx.json(columnsOf(row))}::jsonb)`;
}

/** A plan in force, with everything on which its dates depend. */
export interface StandingPlan extends SettlementPlanRow {
  readonly timeZone: string;
  readonly merchantEnabled: boolean;
  readonly available: ReturnType<typeof money>;
  readonly receivable: ReturnType<typeof money>;
  /** The days off of its calendar; null without one. */
  readonly daysOff: readonly number[] | null;
  readonly holidays: readonly string[] | null;
  /** The last day that was settled or skipped; null: none. */
  readonly lastDay: string | null;
}

/** The place before all plans. */
export const FIRST_PLAN: PlanPlace = {
  merchantId: '00000000-0000-0000-0000-000000000000',
  currencyCode: '',
};

/** The plans in force after a given place, by merchant and currency. */
export async function findStandingPlans(
  { sql }: Database,
  after: PlanPlace,
  limit: number,
  now: Date,
): Promise<StandingPlan[]> {
  const rows = await sql<Raw<StandingPlan>[]>`
    select p.*, m.time_zone, m.enabled as merchant_enabled, coalesce(b.available, 0)::text as available,
      coalesce(b.receivable, 0)::text as receivable, c.days_off, c.holidays,
      (select max(r.due_on) from settlement_runs r
        where r.merchant_id = p.merchant_id and r.currency_code = p.currency_code) as last_day
    from settlement_plans_at(${now}) p
    join merchants m on m.id = p.merchant_id
    left join merchant_balances b on b.merchant_id = p.merchant_id and b.currency_code = p.currency_code
    left join calendars c on c.id = p.calendar_id
    where (p.merchant_id, p.currency_code) > (${after.merchantId}::uuid, ${after.currencyCode}::char(3))
    order by p.merchant_id, p.currency_code limit ${limit}`;
  return rows.map(({ available, receivable, ...row }) => ({
    ...(rowOf(row as unknown as Raw<SettlementPlanRow>) as StandingPlan),
    available: money(available),
    receivable: money(receivable),
  }));
}

/** Raises the alert that a plan no longer settles anything, once a month for each version of it. */
export async function tellPlanFails({ sql }: Database, id: string, reason: string, now: Date): Promise<void> {
  await sql`
    select settlement_plan_fails(p, ${reason}, ${now}) from settlement_plans p where p.id = ${id}`;
}
