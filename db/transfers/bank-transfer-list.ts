import type { Fragment, Sql } from 'postgres';
import { LIMITS } from '../../domain/limits';
import type { UnmatchedReason } from '../../domain/matching';
import type { Database } from '../client';
import type { Raw } from '../rows';
import { type BankTransferRow, type BankTransferView, paidBy, transferOf } from './bank-transfers';
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

/** Filter of a list of transfers. All given conditions must hold; absent and null mean none. */
export interface BankTransferFilter {
  readonly accountId?: readonly string[] | null;
  readonly direction?: BankTransferRow['direction'] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly amount?: AmountRange | null;
  /** When the bank booked it, and when we received the report. */
  readonly bankTime?: TimeRange | null;
  readonly receivedAt?: TimeRange | null;
  /** `operator:…` or `agent:…`. */
  readonly source?: string | null;
  /** True: those that wait for an operator; false: those that do not. */
  readonly unmatched?: boolean | null;
  readonly unmatchedReason?: readonly UnmatchedReason[] | null;
}

/** What transfers are sorted by. */
export type BankTransferSortBy = 'RECEIVED_AT' | 'BANK_TIME';

/** How each is sorted. */
export const BANK_TRANSFER_SORTS: Readonly<Record<BankTransferSortBy, SortColumn<BankTransferRow>>> = {
  RECEIVED_AT: {
    column: 't.received_at',
    type: 'timestamptz',
    value: ({ receivedAt }) => receivedAt.toISOString(),
  },
  BANK_TIME: {
    column: 't.bank_time',
    type: 'timestamptz',
    value: ({ bankTime }) => bankTime.toISOString(),
  },
};

/** How far a bank's time may be ahead of ours: a credit is not reported long before its booking time. */
const toldSince = ({ bankTime }: BankTransferFilter): TimeRange | null =>
  bankTime?.from ? { from: new Date(bankTime.from.getTime() - LIMITS.bankClockAheadSeconds * 1000) } : null;

const conditions = (sql: Sql, filter: BankTransferFilter): readonly Condition[] => [
  among(sql, 't.account_id', filter.accountId, 'uuid'),
  filter.direction != null && sql`t.direction = ${filter.direction}`,
  among(sql, 't.currency_code', filter.currencyCode, 'bpchar'),
  amountWithin(sql, 't.amount', filter.amount),
  timeWithin(sql, 't.bank_time', filter.bankTime),
  timeWithin(sql, 't.received_at', filter.receivedAt),
  timeWithin(sql, 't.received_at', toldSince(filter)),
  filter.source != null && sql`t.source = ${filter.source}`,
  filter.unmatched != null &&
    (filter.unmatched ? sql`t.unmatched_reason is not null` : sql`t.unmatched_reason is null`),
  among(sql, 't.unmatched_reason', filter.unmatchedReason),
];

const from = (sql: Sql, filter: BankTransferFilter, ...more: Fragment[]): Fragment =>
  sql`from bank_transfers t where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of transfers, each with the deposit that it pays now. */
export async function listBankTransfers(
  { read: sql }: Database,
  filter: BankTransferFilter,
  page: PageRequest<BankTransferSortBy>,
): Promise<Page<BankTransferView>> {
  const { within, window } = keyset(sql, BANK_TRANSFER_SORTS[page.by], 't.id', page);
  const rows = await sql<Raw<BankTransferView>[]>`
    select t.*, a.deposit_id, d.order_no, d.trace_id as deposit_trace_id
    from (select t.* ${from(sql, filter, within)} ${window}) t
    ${paidBy(sql)}
    ${window}`;
  return pageOf(rows.map(transferOf), page);
}

/** How many transfers match a filter, counted up to `most`. */
export const countBankTransfers = async (
  { read: sql }: Database,
  filter: BankTransferFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
