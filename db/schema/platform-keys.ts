import { sql } from 'drizzle-orm';
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';

/** The keys of the ring that rows may name; the keys themselves are in no row (docs/keys.md). */
export const platformKeys = pgTable(
  'platform_keys',
  {
    id: text().primaryKey(),
    /** The newest is the current one, with which new values are made. */
    currentFrom: at('current_from').notNull(),
    /** When no row needed it any more; null: each process must have it. */
    releasedAt: at('released_at'),
  },
  (t) => [check('platform_keys_id', sql`${t.id} ~ '^[0-9a-f]{8}$'`)],
);

/** The keys of each process, reported every few seconds. */
export const processKeys = pgTable('process_keys', {
  /** The id of a process, made at its start. */
  id: uuid().primaryKey(),
  role: text().notNull(),
  keyIds: text('key_ids').array().$type<readonly string[]>().notNull(),
  /** The key with which it makes new values. */
  currentId: text('current_id').notNull(),
  seenAt: at('seen_at').notNull(),
});
