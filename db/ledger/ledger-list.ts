import type { Fragment, Sql } from 'postgres';
import { ledgerAccount, type TransferType } from '../../domain/ledger';
import type { Database } from '../client';
import { entryOf, type LedgerEntryRow, type RawEntry } from './ledger';
import {
  all,
  among,
  type Condition,
  countUpTo,
  idsOfTime,
  keyset,
  type Page,
  pageOf,
  type PageRequest,
  perOwner,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';

/** Filter of a list of lines of the ledger. All given conditions must hold; absent and null mean none. */
export interface LedgerEntryFilter {
  /** On the accounts of these merchants. */
  readonly merchantId?: readonly string[] | null;
  /** On these accounts of the chart. */
  readonly account?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  /** Of ledger transfers of this type. */
  readonly type?: readonly TransferType[] | null;
  readonly at?: TimeRange | null;
  /** Of ledger transfers about the order with this gateway number. */
  readonly orderNo?: string | null;
}

/** What the ledger's lines are sorted by: the time of their transfer. */
export type LedgerEntrySortBy = 'AT';

/** The id of a ledger transfer begins with its time; its lines are in the order of their numbers. */
export const LEDGER_ENTRY_SORTS: Readonly<Record<LedgerEntrySortBy, SortColumn<LedgerEntryRow>>> = {
  AT: { column: 'e.transfer_id', type: 'uuid', value: ({ transferId }) => transferId },
};

/** The requested accounts; null: all. */
function accountsOf({ account, merchantId }: LedgerEntryFilter): readonly string[] | null {
  if (!merchantId) return account ?? null;
  const theirs = merchantId.flatMap((id) => [
    ledgerAccount.merchantAvailable(id),
    ledgerAccount.merchantFrozen(id),
    ledgerAccount.merchantReceivable(id),
  ]);
  return account ? account.filter((one) => theirs.includes(one)) : theirs;
}

/** The id of the order with a gateway number, of either kind. */
const orderWith = (sql: Sql, orderNo: string): Fragment => sql`
  select id from deposit_orders where order_no = ${orderNo}
  union all select id from withdrawal_orders where order_no = ${orderNo}`;

/** All conditions except the account. */
const from = (sql: Sql, filter: LedgerEntryFilter, ...more: Condition[]): Fragment =>
  sql`from ledger_entries e join ledger_transfers t on t.id = e.transfer_id where ${all(sql, [
    among(sql, 'e.currency_code', filter.currencyCode, 'bpchar'),
    among(sql, 't.type', filter.type),
    timeWithin(sql, 't.at', filter.at),
    idsOfTime(sql, 'e.transfer_id', filter.at),
    filter.orderNo != null && sql`t.order_id = (${orderWith(sql, filter.orderNo)})`,
    ...more,
  ])}`;

/** A page of the ledger's lines, each with its ledger transfer. */
export async function listLedgerEntries(
  { read: sql }: Database,
  filter: LedgerEntryFilter,
  page: PageRequest<LedgerEntrySortBy>,
): Promise<Page<LedgerEntryRow>> {
  const { within, window } = keyset(sql, LEDGER_ENTRY_SORTS[page.by], 'e.line', page, 'smallint');
  const rows = await sql<RawEntry[]>`
    ${perOwner(
      sql,
      { values: accountsOf(filter), type: 'text' },
      'e',
      (onAccount) =>
        sql`select t.type, t.at, t.order_id, t.bank_transfer_id, e.*
          ${from(sql, filter, within, onAccount('e.account'))} ${window}`,
    )} ${window}`;
  return pageOf(rows.map(entryOf), page);
}

/** How many lines match a filter, counted up to `most`. */
export const countLedgerEntries = async (
  { read: sql }: Database,
  filter: LedgerEntryFilter,
  most: number,
): Promise<number> => {
  const onAccount = among(sql, 'e.account', accountsOf(filter));
  return await countUpTo(sql, from(sql, filter, onAccount), most);
};

/** The gateway numbers of orders of either kind. */
export const findOrderNos = async (
  { sql }: Database,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly orderNo: string }[]> =>
  await sql<{ id: string; orderNo: string }[]>`
    select id, order_no from deposit_orders where id = any(${ids as string[]})
    union all select id, order_no from withdrawal_orders where id = any(${ids as string[]})`;
