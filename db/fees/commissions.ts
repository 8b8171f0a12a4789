import type { Fragment, Sql } from 'postgres';
import type { CommissionSource } from '../../domain/commission';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import {
  all,
  among,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { commissionRates, commissions, type resellers } from '../schema/commissions';

/** A reseller, who brought merchants. */
export type ResellerRow = RowOf<typeof resellers>;
/** A version of a commission rate: who earns which share of a merchant's fees. */
export type CommissionRateRow = RowOf<typeof commissionRates>;
/** What a reseller earned of one fee. */
export type CommissionRow = RowOf<typeof commissions>;

const rateOf = rowReader<CommissionRateRow>(amountFieldsOf(commissionRates));
const commissionOf = rowReader<CommissionRow>(amountFieldsOf(commissions));

/** All resellers, by name. */
export const findResellers = async ({ sql }: Database): Promise<ResellerRow[]> =>
  await sql<ResellerRow[]>`select * from resellers order by name`;

/** Several resellers by their ids. */
export const findResellersById = async ({ sql }: Database, ids: readonly string[]): Promise<ResellerRow[]> =>
  await sql<ResellerRow[]>`select * from resellers where id = any(${ids as string[]})`;

/** Adds a reseller. A taken name violates resellers_name_unique. */
export async function insertReseller(tx: Transaction, row: ResellerRow): Promise<void> {
  await tx`
    insert into resellers
    select * from jsonb_populate_record(null::resellers, ${tx.json(columnsOf(row))}::jsonb)`;
}

/** What a reseller has in one currency. */
export interface ResellerSums {
  readonly resellerId: string;
  readonly currencyCode: string;
  /** All that it ever earned, and the part that was reversed with its fees. */
  readonly earned: Money;
  readonly reversed: Money;
  readonly paid: Money;
  /** What is left of that; negative if more was paid out than it kept. */
  readonly owed: Money;
}

/** What several resellers have, by currency. */
export async function findResellerSums({ read: sql }: Database, ids: readonly string[]): Promise<ResellerSums[]> {
  const rows = await sql<
    (Pick<ResellerSums, 'resellerId' | 'currencyCode'> & Record<'earned' | 'reversed' | 'paid' | 'owed', string>)[]
  >`
    select reseller_id, currency_code, earned::text, reversed::text, paid::text, owed::text
    from reseller_sums(${ids as string[]}::uuid[]) order by currency_code`;
  return rows.map(({ resellerId, currencyCode, ...sums }) => ({
    resellerId,
    currencyCode,
    earned: money(sums.earned),
    reversed: money(sums.reversed),
    paid: money(sums.paid),
    owed: money(sums.owed),
  }));
}

/** All versions of the rates of several merchants or resellers: by merchant, currency and kind of order, the newest first. */
export async function findCommissionRates(
  { sql }: Database,
  by: 'merchant_id' | 'reseller_id',
  ids: readonly string[],
): Promise<CommissionRateRow[]> {
  const rows = await sql<Raw<CommissionRateRow>[]>`
    select * from commission_rates where ${sql(by)} = any(${ids as string[]})
    order by merchant_id, currency_code, order_kind, version desc`;
  return rows.map(rateOf);
}

/** Several versions by their ids. */
export async function findCommissionRatesById({ sql }: Database, ids: readonly string[]): Promise<CommissionRateRow[]> {
  const rows = await sql<Raw<CommissionRateRow>[]>`
    select * from commission_rates where id = any(${ids as string[]})`;
  return rows.map(rateOf);
}

/** The orders to which a rate applies. */
export type CommissionKey = Pick<CommissionRateRow, 'merchantId' | 'currencyCode' | 'orderKind'>;

/** The newest version for these orders, its merchant locked: no other is added beside it. */
export async function lockNewestRate(
  tx: Transaction,
  { merchantId, currencyCode, orderKind }: CommissionKey,
): Promise<CommissionRateRow | undefined> {
  await tx`select from merchants where id = ${merchantId} for no key update`;
  const [row] = await tx<Raw<CommissionRateRow>[]>`
    select * from commission_rates
    where merchant_id = ${merchantId} and currency_code = ${currencyCode} and order_kind = ${orderKind}
    order by version desc limit 1`;
  return row && rateOf(row);
}

/** Adds the next version of a rate, under the lock of its merchant. */
export async function insertCommissionRate(tx: Transaction, row: CommissionRateRow): Promise<void> {
  await tx`
    insert into commission_rates
    select * from jsonb_populate_record(null::commission_rates, ${tx.json(columnsOf(row))}::jsonb)`;
}

/** What was earned of several orders, the oldest first. */
export async function findCommissionsOf(
  { sql }: Database,
  orderIds: readonly string[],
): Promise<(CommissionRow & { readonly orderId: string })[]> {
  const rows = await sql<(Raw<CommissionRow> & { orderId: string })[]>`
    select * from commissions where order_id = any(${orderIds as string[]}) order by at, id`;
  return rows.map((row) => ({ ...commissionOf(row), orderId: row.orderId }));
}

/** Filter of a list of commissions. All given conditions must hold; absent and null mean none. */
export interface CommissionFilter {
  readonly resellerId?: readonly string[] | null;
  readonly merchantId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly source?: readonly CommissionSource[] | null;
  /** Whether it was reversed. */
  readonly reversed?: boolean | null;
  readonly at?: TimeRange | null;
}

/** How commissions are sorted. */
export const COMMISSION_SORTS: Readonly<Record<'AT', SortColumn<CommissionRow>>> = {
  AT: { column: 'c.at', type: 'timestamptz', value: ({ at }) => at.toISOString() },
};

const from = (sql: Sql, filter: CommissionFilter, ...more: Fragment[]): Fragment =>
  sql`from commissions c where ${all(sql, [
    among(sql, 'c.reseller_id', filter.resellerId, 'uuid'),
    among(sql, 'c.merchant_id', filter.merchantId, 'uuid'),
    among(sql, 'c.currency_code', filter.currencyCode, 'bpchar'),
    among(sql, 'c.source', filter.source),
    filter.reversed != null && (filter.reversed ? sql`c.reversed_at is not null` : sql`c.reversed_at is null`),
    timeWithin(sql, 'c.at', filter.at),
    ...more,
  ])}`;

/** A page of commissions. */
export async function listCommissions(
  { read: sql }: Database,
  filter: CommissionFilter,
  page: PageRequest<'AT'>,
): Promise<Page<CommissionRow>> {
  const { within, window } = keyset(sql, COMMISSION_SORTS[page.by], 'c.id', page);
  const rows = await sql<Raw<CommissionRow>[]>`select c.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(commissionOf), page);
}

/** How many commissions match a filter, counted up to `most`. */
export const countCommissions = async (
  { read: sql }: Database,
  filter: CommissionFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
