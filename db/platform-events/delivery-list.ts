import type { Fragment, Sql } from 'postgres';
import type { DeliveryKind, DeliveryStatus, PlatformEvent } from '../../domain/platform-event';
import type { Database } from '../client';
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
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';
import type { EventDeliveryRow } from './deliveries';

/** Filter of a list of deliveries. All given conditions must hold; absent and null mean none. */
export interface EventDeliveryFilter {
  readonly status?: readonly DeliveryStatus[] | null;
  readonly event?: readonly PlatformEvent[] | null;
  readonly kind?: readonly DeliveryKind[] | null;
  /** Of events of one of these merchants. */
  readonly merchantId?: readonly string[] | null;
  readonly createdAt?: TimeRange | null;
}

/** An id begins with the time at which its row was inserted. */
export const EVENT_DELIVERY_SORTS: Readonly<Record<'CREATED_AT', SortColumn<EventDeliveryRow>>> = {
  CREATED_AT: { column: null, type: 'text', value: () => '' },
};

const from = (sql: Sql, filter: EventDeliveryFilter, ...more: Condition[]): Fragment => sql`
  from event_deliveries d join platform_events e on e.id = d.event_id
  where ${all(sql, [
    among(sql, 'd.status', filter.status),
    among(sql, 'e.event', filter.event),
    among(sql, 'd.kind', filter.kind),
    among(sql, 'e.merchant_id', filter.merchantId, 'uuid'),
    timeWithin(sql, 'd.created_at', filter.createdAt),
    idsOfTime(sql, 'd.id', filter.createdAt),
    ...more,
  ])}`;

/** A page of deliveries. */
export async function listEventDeliveries(
  { read: sql }: Database,
  filter: EventDeliveryFilter,
  page: PageRequest<'CREATED_AT'>,
): Promise<Page<EventDeliveryRow>> {
  const { within, window } = keyset(sql, EVENT_DELIVERY_SORTS[page.by], 'd.id', page);
  const rows = await sql<EventDeliveryRow[]>`
    select d.*, e.event, e.merchant_id, e.subject_id ${from(sql, filter, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many deliveries match a filter, counted up to `most`. */
export const countEventDeliveries = async (
  { read: sql }: Database,
  filter: EventDeliveryFilter,
  most: number,
): Promise<number> => await countUpTo(sql, from(sql, filter), most);
