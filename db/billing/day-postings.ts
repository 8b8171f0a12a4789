import { type BilledType, FEE_TYPES } from '../../domain/billing';
import { type Money, money } from '../../domain/money';
import type { Day } from '../../domain/zone';
import type { Database } from '../client';
import type { Page, PageRequest, SortColumn } from '../pages';
import type { BilledBalance } from './statements';

/** Why a day has no file of postings yet. */
export type BillingDayRefusal = 'NO_MONTH' | 'NOT_ENDED' | 'UNSEALED';

/** The month of a day, as billing_month_of returns it; times as PostgreSQL writes them, including -infinity. */
export interface BillingMonth {
  readonly refusal: BillingDayRefusal | null;
  readonly month: Day;
  readonly timeZone: string | null;
  readonly since: string | null;
  readonly beginsAt: string | null;
  readonly until: string | null;
  readonly fromSeq: string | null;
  readonly throughSeq: string | null;
  readonly opening: string | null;
}

/** A posting of a merchant's balance on a day. */
export interface BillingPostingRow {
  /** The number of its link in the chain. */
  readonly seq: string;
  readonly transferId: string;
  readonly type: BilledType;
  readonly at: Date;
  readonly orderNo: string | null;
  readonly merchantOrderNo: string | null;
  /** Before the fee, in the balance's currency. */
  readonly amount: Money;
  readonly fee: Money;
  readonly available: Money;
  readonly frozen: Money;
  readonly receivable: Money;
  /** The balance after it, in the order of the daily files. */
  readonly balance: Money;
}

/** The day, and its month. */
export interface BillingDay extends BilledBalance {
  readonly day: Day;
  readonly month: BillingMonth;
}

/** The file is in the order of links. */
export const BILLING_POSTING_SORTS: Readonly<Record<'SEQ', SortColumn<BillingPostingRow>>> = {
  SEQ: { column: null, type: 'text', value: () => '' },
};

/** The month of a day of a balance. */
export async function findBillingMonth(
  { read: sql }: Database,
  { merchantId, currencyCode }: BilledBalance,
  day: Day,
  now: Date,
): Promise<BillingMonth> {
  const [row] = await sql<BillingMonth[]>`
    select refusal, month, time_zone, since::text, begins_at::text, until::text, from_seq::text, through_seq::text,
      opening::text
    from billing_month_of(${merchantId}, ${currencyCode}::char(3), ${day}::text::date, ${now})`;
  if (!row) throw new Error('a day has no month');
  return row;
}

type Amount = 'amount' | 'fee' | 'available' | 'frozen' | 'receivable' | 'balance';

/** A part of a day's postings, in the order of their links. */
export async function listBillingPostings(
  { read: sql }: Database,
  { merchantId, currencyCode, day, month }: BillingDay,
  { size, after }: PageRequest<'SEQ'>,
): Promise<Page<BillingPostingRow>> {
  const rows = await sql<(Omit<BillingPostingRow, Amount> & Record<Amount, string>)[]>`
    select r.seq::text, r.transfer_id, r.type, r.at, coalesce(d.order_no, w.order_no) as order_no,
      coalesce(d.merchant_order_no, w.merchant_order_no) as merchant_order_no,
      (r.available + r.frozen - r.receivable + r.fee)::text as amount, r.fee::text, r.available::text, r.frozen::text,
      r.receivable::text, r.balance::text
    from (
      select b.*, o.day, ${month.opening}::text::numeric
        + sum(b.available + b.frozen - b.receivable) over (order by o.day, b.seq) as balance
      from billing_postings(${merchantId}, ${currencyCode}::char(3), ${month.since}::text::timestamptz,
          ${month.fromSeq}::text::bigint, ${month.until}::text::timestamptz, ${month.throughSeq}::text::bigint,
          ${FEE_TYPES as string[]}) b,
        lateral (select billing_day(b.at, b.sealed_at, ${month.beginsAt}::text::timestamptz, ${month.month}::text::date,
          ${month.timeZone}) as day) o) r
    left join deposit_orders d on d.id = r.order_id left join withdrawal_orders w on w.id = r.order_id
    where r.day = ${day}::text::date
      and r.seq > ${after?.id ?? '0'}::text::bigint
    order by r.seq limit ${size + 1}`;
  const page = rows.slice(0, size).map((row) => ({
    ...row,
    amount: money(row.amount),
    fee: money(row.fee),
    balance: money(row.balance),
    available: money(row.available),
    frozen: money(row.frozen),
    receivable: money(row.receivable),
  }));
  return { rows: page, hasNext: rows.length > size, hasPrevious: after !== null };
}
