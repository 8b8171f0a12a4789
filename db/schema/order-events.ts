import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { JSONValue } from 'postgres';
import { at } from './columns';

/** The events of orders, appended in the transactions that cause them; numbered after the commit. */
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
    /** Assigned while the order's row is locked, so that the events of an order are in the right sequence. */
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Assigned by the relay in commit order, so that no reader misses one; null until then. */
    seq: bigint({ mode: 'bigint' }).unique(),
  },
  (t) => [
    index('order_events_order').on(t.orderId, t.position),
    index('order_events_unnumbered')
      .on(t.position)
      .where(sql`${t.seq} is null`),
  ],
);
