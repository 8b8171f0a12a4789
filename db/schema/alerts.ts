import { sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { AlertKind } from '../../domain/alert';
import { at } from './columns';
import { merchants } from './merchants';
import { operators } from './operators';

/**
 * What operators should look at. Numbered after the commit, and again with each change, so that subscribers see the
 * present state of each alert and miss none.
 */
export const alerts = pgTable(
  'alerts',
  {
    id: uuid().primaryKey(),
    kind: text().$type<AlertKind>().notNull(),
    /** A repetition with the same key raises no second alert. */
    key: text().notNull().unique(),
    /** The merchant that it concerns; null if none. */
    merchantId: uuid('merchant_id').references(() => merchants.id),
    /** What it is about: ids, numbers and reasons. */
    about: jsonb().$type<Readonly<Record<string, string | null>>>().notNull(),
    raisedAt: at('raised_at').notNull(),
    acknowledgedAt: at('acknowledged_at'),
    acknowledgedBy: uuid('acknowledged_by').references(() => operators.id),
    /** When its mails were queued; null until then. */
    mailedAt: at('mailed_at'),
    position: bigint({ mode: 'bigint' }).notNull().generatedAlwaysAsIdentity(),
    /** Given by the relay; null until then, and again after a change. */
    seq: bigint({ mode: 'bigint' }).unique(),
  },
  (t) => [
    index('alerts_raised').on(t.raisedAt, t.id),
    index('alerts_of_merchant').on(t.merchantId, t.raisedAt, t.id),
    index('alerts_waiting')
      .on(t.raisedAt, t.id)
      .where(sql`${t.acknowledgedAt} is null`),
    index('alerts_unnumbered')
      .on(t.position)
      .where(sql`${t.seq} is null`),
    index('alerts_unmailed')
      .on(t.raisedAt)
      .where(sql`${t.mailedAt} is null`),
    index('alerts_mailed').on(t.mailedAt, t.id),
    check('alerts_acknowledged', sql`(${t.acknowledgedAt} is null) = (${t.acknowledgedBy} is null)`),
  ],
);
