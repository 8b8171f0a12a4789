import type { Fragment, Sql } from 'postgres';
import type { PostingKind } from '../../domain/operator-posting';
import type { Database } from '../client';
import {
  all,
  among,
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
import type { Raw } from '../rows';
import { operatorPostingOf, type OperatorPostingRow } from './operator-postings';

/** Filter of a list of postings. All given conditions must hold; absent and null mean none. */
export interface OperatorPostingFilter {
  readonly kind?: readonly PostingKind[] | null;
  readonly accountId?: readonly string[] | null;
  readonly channelId?: readonly string[] | null;
  /** The merchants whose balance they concern. */
  readonly merchantId?: readonly string[] | null;
  /** The resellers whose commissions were paid. */
  readonly resellerId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly at?: TimeRange | null;
}

/** What postings are sorted by. */
export type OperatorPostingSortBy = 'AT';

/** How each is sorted. */
export const OPERATOR_POSTING_SORTS: Readonly<Record<OperatorPostingSortBy, SortColumn<OperatorPostingRow>>> = {
  AT: { column: 'p.at', type: 'timestamptz', value: ({ at }) => at.toISOString() },
};

const conditions = (sql: Sql, filter: OperatorPostingFilter): readonly Condition[] => [
  among(sql, 'p.kind', filter.kind),
  among(sql, 'p.account_id', filter.accountId, 'uuid'),
  among(sql, 'p.channel_id', filter.channelId, 'uuid'),
  among(sql, 'p.merchant_id', filter.merchantId, 'uuid'),
  among(sql, 'p.reseller_id', filter.resellerId, 'uuid'),
  among(sql, 'p.currency_code', filter.currencyCode),
  timeWithin(sql, 'p.at', filter.at),
];

const from = (sql: Sql, filter: OperatorPostingFilter, ...more: Fragment[]): Fragment =>
  sql`from operator_postings p where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of what operators posted. */
export async function listOperatorPostings(
  { read: sql }: Database,
  filter: OperatorPostingFilter,
  page: PageRequest<OperatorPostingSortBy>,
): Promise<Page<OperatorPostingRow>> {
  const { within, window } = keyset(sql, OPERATOR_POSTING_SORTS[page.by], 'p.id', page);
  const rows = await sql<Raw<OperatorPostingRow>[]>`
    select p.* ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(operatorPostingOf), page);
}

/** How many postings match a filter, counted up to `most`. */
export const countOperatorPostings = async (
  { read: sql }: Database,
  filter: OperatorPostingFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
