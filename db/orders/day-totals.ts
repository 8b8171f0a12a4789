import type { Fragment, Sql } from 'postgres';
import type { Money } from '../../domain/money';
import type { Database } from '../client';
import { all, among, timeWithin } from '../pages';
import { type Raw, rowReader } from '../rows';

/** Which orders are summed. */
export interface DayTotalsFilter {
  /** When they were created; both ends are required. */
  readonly createdAt: { readonly from: Date; readonly to: Date };
  /** Null: all merchants. */
  readonly merchantId: readonly string[] | null;
  readonly currencyCode: readonly string[] | null;
  readonly status: readonly string[] | null;
  /** The time zone of the days, by PostgreSQL's name. */
  readonly zone: string;
}

/** The orders of one day, merchant, currency and status. */
export interface DayTotal<Status extends string> {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly status: Status;
  readonly orders: number;
  readonly amount: Money;
  readonly actualAmount: Money;
  readonly fee: Money;
}

const totalOf = rowReader<DayTotal<string>>({ amount: true, actualAmount: true, fee: true });

/** One statement over the orders of a time range, along the index by creation, or by merchant and creation. */
async function totalsOf<Status extends string>(
  sql: Sql,
  orders: Fragment,
  { createdAt, merchantId, currencyCode, status, zone }: DayTotalsFilter,
  most: number,
): Promise<DayTotal<Status>[]> {
  const rows = await sql<Raw<DayTotal<string>>[]>`
    select to_char(d.created_at at time zone ${zone}, 'YYYY-MM-DD') as day, d.merchant_id,
      d.currency_code, d.status, count(*)::int as orders, sum(d.amount) as amount,
      sum(d.actual_amount) as actual_amount, sum(d.fee) as fee
    from ${orders} d
    where ${all(sql, [
      timeWithin(sql, 'd.created_at', createdAt),
      among(sql, 'd.merchant_id', merchantId, 'uuid'),
      among(sql, 'd.currency_code', currencyCode, 'bpchar'),
      among(sql, 'd.status', status),
    ])}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4 limit ${most + 1}`;
  return rows.map(totalOf) as DayTotal<Status>[];
}

/** @returns at most `most`, and one more where there are more */
export const depositTotals = async <Status extends string>(
  { read: sql }: Database,
  filter: DayTotalsFilter,
  most: number,
): Promise<DayTotal<Status>[]> => await totalsOf(sql, sql`deposit_orders`, filter, most);

/** @returns at most `most`, and one more where there are more */
export const withdrawalTotals = async <Status extends string>(
  { read: sql }: Database,
  filter: DayTotalsFilter,
  most: number,
): Promise<DayTotal<Status>[]> => await totalsOf(sql, sql`withdrawal_orders`, filter, most);
