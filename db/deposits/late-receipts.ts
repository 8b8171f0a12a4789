import type { Fragment, Sql } from 'postgres';
import type { Money } from '../../domain/money';
import type { Database } from '../client';
import {
  all,
  among,
  type AmountRange,
  amountWithin,
  type Condition,
  countUpTo,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { type depositOrders, lateReceipts } from '../schema/deposits';

/** Money that a channel received for an order that had ended without it. Amounts in its currency, times UTC. */
export type LateReceiptRow = Omit<RowOf<typeof lateReceipts>, 'attemptId'> &
  Pick<RowOf<typeof depositOrders>, 'orderNo' | 'merchantId' | 'currencyCode'> & {
    /** The id of the attempt at the channel. */
    readonly id: string;
    readonly depositId: string;
    readonly channelId: string;
    /** The part that still waits. */
    readonly rest: Money;
  };

const receiptOf = rowReader<LateReceiptRow>({ ...amountFieldsOf(lateReceipts), rest: true });

const COLUMNS = (sql: Sql): Fragment => sql`
  l.attempt_id as id, a.deposit_id, d.order_no, d.merchant_id, a.channel_id, d.currency_code, l.amount::text, l.cost::text,
  late_rest(l.attempt_id)::text as rest, l.at, l.ended_at`;

/** What channels received late for these deposits, in the order of the attempts. */
export async function findLateReceipts(
  { sql }: Pick<Database, 'sql'>,
  depositIds: readonly string[],
): Promise<LateReceiptRow[]> {
  const rows = await sql<Raw<LateReceiptRow>[]>`
    select ${COLUMNS(sql)}
    from deposit_attempts a join late_receipts l on l.attempt_id = a.id join deposit_orders d on d.id = a.deposit_id
    where a.deposit_id = any(${depositIds as string[]}) order by a.deposit_id, a.number`;
  return rows.map(receiptOf);
}

/** Filter of a list of late money. All given conditions must hold; absent and null mean none. */
export interface LateReceiptFilter {
  readonly merchantId?: readonly string[] | null;
  readonly channelId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  /** What the channel received. */
  readonly amount?: AmountRange | null;
  readonly at?: TimeRange | null;
  /** Whether some of it still waits. */
  readonly waits?: boolean | null;
}

/** How late money is sorted. */
export const LATE_RECEIPT_SORTS: Readonly<Record<'AT', SortColumn<LateReceiptRow>>> = {
  AT: { column: 'l.at', type: 'timestamptz', value: ({ at }) => at.toISOString() },
};

const conditions = (sql: Sql, filter: LateReceiptFilter): readonly Condition[] => [
  among(sql, 'l.merchant_id', filter.merchantId, 'uuid'),
  among(sql, 'a.channel_id', filter.channelId, 'uuid'),
  among(sql, 'd.currency_code', filter.currencyCode, 'bpchar'),
  amountWithin(sql, 'l.amount', filter.amount),
  timeWithin(sql, 'l.at', filter.at),
  filter.waits === true && sql`l.ended_at is null`,
  filter.waits === false && sql`l.ended_at is not null`,
];

const from = (sql: Sql, filter: LateReceiptFilter, ...more: Fragment[]): Fragment => sql`
  from late_receipts l join deposit_attempts a on a.id = l.attempt_id join deposit_orders d on d.id = a.deposit_id
  where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of late money. */
export async function listLateReceipts(
  { read: sql }: Database,
  filter: LateReceiptFilter,
  page: PageRequest<'AT'>,
): Promise<Page<LateReceiptRow>> {
  const { within, window } = keyset(sql, LATE_RECEIPT_SORTS[page.by], 'l.attempt_id', page);
  const rows = await sql<Raw<LateReceiptRow>[]>`select ${COLUMNS(sql)} ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(receiptOf), page);
}

/** How many late receipts match a filter, counted up to `most`. */
export const countLateReceipts = async (
  { read: sql }: Database,
  filter: LateReceiptFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
