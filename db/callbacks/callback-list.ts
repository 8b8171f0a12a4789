import type { Fragment, Sql } from 'postgres';
import type { NotificationStatus, NotificationType } from '../../domain/callback';
import type { Database } from '../client';
import type { NotificationRow } from './callbacks';
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

/** Filter of a list of callbacks. All given conditions must hold; absent and null mean none. */
export interface NotificationFilter {
  readonly status?: readonly NotificationStatus[] | null;
  readonly merchantId?: readonly string[] | null;
  readonly notificationType?: readonly NotificationType[] | null;
  /** When its order changed. */
  readonly createdAt?: TimeRange | null;
  /** When its delivery last changed. */
  readonly updatedAt?: TimeRange | null;
  /** Gateway numbers of orders. */
  readonly orderNo?: readonly string[] | null;
  /** The host of its URL, without scheme and port. */
  readonly host?: readonly string[] | null;
}

/** What callbacks are sorted by. */
export type NotificationSortBy = 'CREATED_AT';

/** An id begins with the time at which its row was inserted. */
export const NOTIFICATION_SORTS: Readonly<Record<NotificationSortBy, SortColumn<NotificationRow>>> = {
  CREATED_AT: { column: null, type: 'text', value: () => '' },
};

/** Hosts are compared without port and case. */
const sentTo = (sql: Sql, hosts: readonly string[]): Fragment => sql`
  lower(substring(n.target_url from '^https?://([^/?#:]+)')) =
    any(${hosts.map((host) => host.toLowerCase())}::text[])`;

/** All conditions except the merchant. */
const conditions = (sql: Sql, filter: NotificationFilter): readonly Condition[] => [
  among(sql, 'n.status', filter.status),
  among(sql, 'n.notification_type', filter.notificationType),
  timeWithin(sql, 'n.created_at', filter.createdAt),
  idsOfTime(sql, 'n.id', filter.createdAt),
  timeWithin(sql, 'n.updated_at', filter.updatedAt),
  filter.orderNo != null &&
    sql`n.order_id in (
      select id from deposit_orders where order_no = any(${filter.orderNo as string[]}::text[])
      union all select id from withdrawal_orders where order_no = any(${filter.orderNo as string[]}::text[]))`,
  filter.host != null && sentTo(sql, filter.host),
];

const from = (sql: Sql, filter: NotificationFilter, ...more: Condition[]): Fragment =>
  sql`from notification_logs n where ${all(sql, [...conditions(sql, filter), ...more])}`;

/** A page of callbacks. */
export async function listNotifications(
  { read: sql }: Database,
  filter: NotificationFilter,
  page: PageRequest<NotificationSortBy>,
): Promise<Page<NotificationRow>> {
  const { within, window } = keyset(sql, NOTIFICATION_SORTS[page.by], 'n.id', page);
  const rows = await sql<NotificationRow[]>`
    ${perOwner(
      sql,
      { values: filter.merchantId, type: 'uuid' },
      'n',
      (ofMerchant) => sql`select n.* ${from(sql, filter, within, ofMerchant('n.merchant_id'))} ${window}`,
    )} ${window}`;
  return pageOf(rows, page);
}

/** How many callbacks match a filter, counted up to `most`. */
export const countNotifications = async (
  { read: sql }: Database,
  filter: NotificationFilter,
  most: number,
): Promise<number> => {
  const ofMerchant = among(sql, 'n.merchant_id', filter.merchantId, 'uuid');
  return await countUpTo(sql, from(sql, filter, ofMerchant), most);
};
