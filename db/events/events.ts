import type { Database } from '../client';
import type { RowOf } from '../rows';
import type { orderEvents } from '../schema/order-events';

/** Something that happened to an order. */
export type OrderEventRow = Omit<RowOf<typeof orderEvents>, 'position'>;

/** PostgreSQL's NOTIFY channel; the payload is the last number of an order's event, if there is one. */
export const EVENTS_CHANNEL = 'causeway_events';

/** A numbered event. */
export type PublishedEvent = OrderEventRow & { readonly seq: bigint };

type RawEvent = Omit<OrderEventRow, 'seq'> & { seq: string | null };
const eventOf = (row: RawEvent): OrderEventRow => ({
  ...row,
  seq: row.seq === null ? null : BigInt(row.seq),
});
const publishedOf = (row: RawEvent): PublishedEvent => ({ ...row, seq: BigInt(row.seq ?? '') });

/** All events of several orders, in the order in which they happened. */
export async function findEventsOfOrders({ sql }: Database, orderIds: readonly string[]): Promise<OrderEventRow[]> {
  const rows = await sql<RawEvent[]>`
    select * from order_events where order_id = any(${orderIds as string[]}) order by position`;
  return rows.map(eventOf);
}

/** Published events after a number, in order, at most `limit`. */
export async function findEventsAfter({ sql }: Database, seq: bigint, limit: number): Promise<PublishedEvent[]> {
  const rows = await sql<RawEvent[]>`
    select * from order_events where seq > ${seq.toString()}::bigint order by seq limit ${limit}`;
  return rows.map(publishedOf);
}

/** An order's published events after a number, in order. */
export async function findOrderEventsAfter({ sql }: Database, orderId: string, seq: bigint): Promise<PublishedEvent[]> {
  const rows = await sql<RawEvent[]>`
    select * from order_events
    where order_id = ${orderId} and seq > ${seq.toString()}::bigint order by seq`;
  return rows.map(publishedOf);
}

/** The last number; 0 before the first event. */
export async function lastEventNumber({ sql }: Database): Promise<bigint> {
  const [row] = await sql<{ seq: string | null }[]>`select max(seq)::text as seq from order_events`;
  return BigInt(row?.seq ?? '0');
}

/** The last numbers that were given; null where there was nothing to number. */
export interface Published {
  readonly events: bigint | null;
  readonly alerts: bigint | null;
  readonly transfers: bigint | null;
}

const numberOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/**
 * Numbers the events, alerts and changed bank transfers committed since the last call and notifies listeners, outside any
 * business transaction. @returns null if there were none
 */
export async function publishEvents({ sql }: Database, limit: number): Promise<Published | null> {
  const [row] = await sql<{ events: string | null; alerts: string | null; transfers: string | null }[]>`
    select number_events(${limit})::text as events, number_alerts(${limit})::text as alerts,
      number_transfers(${limit})::text as transfers`;
  if (!row || (row.events ?? row.alerts ?? row.transfers) === null) return null;
  await sql.notify(EVENTS_CHANNEL, row.events ?? '');
  return {
    events: numberOf(row.events),
    alerts: numberOf(row.alerts),
    transfers: numberOf(row.transfers),
  };
}

/**
 * Calls back whenever events were published, and once at the start; survives reconnects. Behind a connection pooler
 * LISTEN does not work: then the callers' own poll, each second, finds them.
 */
export async function listenToEvents({ sql, pooler }: Database, onPublished: () => void): Promise<void> {
  if (pooler) {
    onPublished();
    return;
  }
  await sql.listen(EVENTS_CHANNEL, onPublished, onPublished);
}
