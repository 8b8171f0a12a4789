import { sql } from 'drizzle-orm';
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';

/** The keys of the ring that rows may name; the keys themselves are in no row (docs/keys.md). */
export const platformKeys = pgTable(
  'platform_keys',
  {
    id: text().primaryKey(),
    /** The newest is the current one: what is new is made with it. */
    currentFrom: at('current_from').notNull(),
    /** Since then no row needs it; null: each process must have it. */
    releasedAt: at('released_at'),
  },
  (t) => [check('platform_keys_id', sql`${t.id} ~ '^[0-9a-f]{8}$'`)],
);

/** Which keys the processes have, by their own word every few seconds. */
export const processKeys = pgTable('process_keys', {
  /** Of one process, given at its start. */
  id: uuid().primaryKey(),
  role: text().notNull(),
  keyIds: text('key_ids').array().$type<readonly string[]>().notNull(),
  /** What it makes new things with. */
  currentId: text('current_id').notNull(),
  seenAt: at('seen_at').notNull(),
});
