import type { Fragment, Sql } from 'postgres';
import type { Money } from '../../domain/money';
import type { PricedOrder } from '../../domain/fees';
import type { Database } from '../client';
import { all, among, idsOfTime, timeWithin } from '../pages';
import { type Raw, rowReader } from '../rows';

/** By what the rows of a margin report are grouped, besides the currency. */
export const MARGIN_GROUPS = ['DAY', 'MERCHANT', 'WAY', 'KIND'] as const;
/** One of MARGIN_GROUPS. */
export type MarginGroup = (typeof MARGIN_GROUPS)[number];

/** The parameters of a margin report. */
export interface MarginFilter {
  /** When the money moved; both ends are required. */
  readonly at: { readonly from: Date; readonly to: Date };
  /** Null: all merchants, and money of no merchant. */
  readonly merchantId: readonly string[] | null;
  readonly currencyCode: readonly string[] | null;
  /** The time zone of the days, by PostgreSQL's name. */
  readonly zone: string;
  readonly by: ReadonlySet<MarginGroup>;
}

/** What was earned and what it cost, for one group; null fields are not grouped by. */
export interface MarginRow {
  /** YYYY-MM-DD. */
  readonly day: string | null;
  readonly merchantId: string | null;
  readonly accountId: string | null;
  readonly channelId: string | null;
  readonly kind: PricedOrder | null;
  readonly currencyCode: string;
  /** Completed orders, and the sum that was received or paid. */
  readonly orders: number;
  readonly amount: Money;
  readonly fees: Money;
  readonly channelCost: Money;
  readonly bankCost: Money;
  /** Resellers' share of the fees. */
  readonly commission: Money;
  readonly profit: Money;
  /**
   * What banks charged by the ledger, less their interest. Not part of the profit, which counts the cost of each order.
   */
  readonly bankCharges: Money;
}

const marginOf = rowReader<MarginRow>({
  amount: true,
  fees: true,
  channelCost: true,
  bankCost: true,
  commission: true,
  profit: true,
  bankCharges: true,
});

/** Completed orders of one kind, and what the account's bank charges for each. */
const orders = (sql: Sql, kind: PricedOrder, filter: MarginFilter): Fragment => {
  const deposit = kind === 'DEPOSIT';
  return sql`
    select o.completed_at as at, o.merchant_id, o.account_id,
      case when o.account_id is null then o.channel_id end as channel_id, ${kind}::text as kind, o.currency_code,
      1 as orders, o.actual_amount as amount, 0::numeric as fees, 0::numeric as channel_cost,
      account_cost(o.account_id, ${kind}, ${deposit ? sql`o.actual_amount` : sql`o.amount`}, o.completed_at) as bank_cost, 0::numeric as bank_charges,
      0::numeric as commission
    from ${deposit ? sql`deposit_orders` : sql`withdrawal_orders`} o
    where o.completed_at is not null and ${timeWithin(sql, 'o.completed_at', filter.at)}`;
};

/** Fees and costs by the ledger, with the order or the posting that each concerns. */
const posted = (sql: Sql, { at }: MarginFilter): Fragment => sql`
  select t.at, coalesce(d.merchant_id, w.merchant_id, p.merchant_id, c.merchant_id) as merchant_id,
    coalesce(d.account_id, w.account_id, p.account_id) as account_id,
    case when coalesce(d.account_id, w.account_id, p.account_id) is null
      then coalesce(d.channel_id, w.channel_id, p.channel_id) end as channel_id,
    case when d.id is not null then 'DEPOSIT' when w.id is not null then 'WITHDRAWAL' end as kind, e.currency_code, 0,
    0, case when e.account = 'fee_income' and not s.shares then e.amount else 0 end,
    case e.account when 'channel_cost' then -e.amount else 0 end, 0,
    case e.account when 'bank_cost' then -e.amount else 0 end,
    case when e.account = 'fee_income' and s.shares then -e.amount else 0 end
  from ledger_entries e
  join ledger_transfers t on t.id = e.transfer_id
  cross join lateral (select t.type in ('COMMISSION_EARNED', 'COMMISSION_REVERSED') as shares) s
  left join deposit_orders d on d.id = t.order_id
  left join withdrawal_orders w on w.id = t.order_id
  left join commissions c on s.shares and c.id = split_part(t.key, ':', 2)::uuid
  left join operator_postings p on t.type in (
      'LATE_CREDIT', 'PAYOUT_RETURNED', 'POSTING_REVERSED', 'CHANNEL_CHARGED', 'BANK_CHARGED', 'INTEREST_RECEIVED',
      'PROFIT_TAKEN')
    and p.id = split_part(t.key, ':', 2)::uuid
  where e.account in ('fee_income', 'channel_cost', 'bank_cost') and ${idsOfTime(sql, 'e.transfer_id', at)}
    and ${timeWithin(sql, 't.at', at)} and t.type <> 'BOOK_OPENED' and coalesce(p.kind, '') <> 'PROFIT_TAKEN'`;

/**
 * What orders and other money earned and cost: fees and channels' costs from the ledger, amounts and banks' costs from
 * the orders. One statement. @returns at most `most` rows, and one more if there are more
 */
export async function findMargin({ read: sql }: Database, filter: MarginFilter, most: number): Promise<MarginRow[]> {
  const of = (group: MarginGroup, column: Fragment, type: Fragment): Fragment =>
    filter.by.has(group) ? column : sql`null::${type}`;
  const rows = await sql<Raw<MarginRow>[]>`
    select ${of('DAY', sql`to_char(m.at at time zone ${filter.zone}, 'YYYY-MM-DD')`, sql`text`)} as day,
      ${of('MERCHANT', sql`m.merchant_id`, sql`uuid`)} as merchant_id,
      ${of('WAY', sql`m.account_id`, sql`uuid`)} as account_id,
      ${of('WAY', sql`m.channel_id`, sql`uuid`)} as channel_id,
      ${of('KIND', sql`m.kind`, sql`text`)} as kind,
      m.currency_code, sum(m.orders)::int as orders, sum(m.amount)::numeric(20, 4) as amount,
      sum(m.fees)::numeric(20, 4) as fees, sum(m.channel_cost)::numeric(20, 4) as channel_cost,
      coalesce(sum(m.bank_cost), 0)::numeric(20, 4) as bank_cost,
      sum(m.commission)::numeric(20, 4) as commission,
      (sum(m.fees) - sum(m.channel_cost) - coalesce(sum(m.bank_cost), 0) - sum(m.commission))::numeric(20, 4) as profit,
      sum(m.bank_charges)::numeric(20, 4) as bank_charges
    from (${orders(sql, 'DEPOSIT', filter)} union all ${orders(sql, 'WITHDRAWAL', filter)}
      union all ${posted(sql, filter)}) m
    where ${all(sql, [
      among(sql, 'm.merchant_id', filter.merchantId, 'uuid'),
      among(sql, 'm.currency_code', filter.currencyCode, 'bpchar'),
    ])}
    group by 1, 2, 3, 4, 5, 6 order by 1, 6, 2, 3, 4, 5 limit ${most + 1}`;
  return rows.map(marginOf);
}
