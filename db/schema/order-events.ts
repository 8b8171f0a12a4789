import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { JSONValue } from 'postgres';
import { at } from './columns';

/** Everything that happened to an order, appended in the transaction that did it; numbered after the commit. */
export const orderEvents = pgTable(
  'order_events',
  {
    id: uuid().primaryKey(),
    orderId: uuid('order_id').notNull(),
    noun: text().notNull(),
    type: text().notNull(),
    /** Who: `merchant:…`, `operator:…`, `agent:…`, `system`. */
    actor: text().notNull(),
    detail: jsonb().$type<JSONValue>().notNull(),
    at: at('at').notNull(),
    /** Drawn while the order's row is locked, so that an order's events are in the order in which they happened. */
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Given by the relay in an order that no reader can miss; null until then. */
    seq: bigint({ mode: 'bigint' }).unique(),
  },
  (t) => [
    index('order_events_order').on(t.orderId, t.position),
    index('order_events_unnumbered')
      .on(t.position)
      .where(sql`${t.seq} is null`),
  ],
);
