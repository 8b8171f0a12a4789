import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable, smallint, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';

/** The one row that says which platform this database is of. */
export const platform = pgTable(
  'platform',
  {
    id: smallint().primaryKey(),
    /** Given once, and the same in every copy: by it a copy is compared with what is kept outside. */
    identity: uuid().notNull(),
    /** How often the database was found to be put back: part of every reference of a payout. */
    epoch: integer().notNull(),
  },
  (t) => [check('platform_one', sql`${t.id} = 1 and ${t.epoch} >= 0`)],
);

/**
 * A number that only rises, in a row of its own, as it is raised every few seconds. What is kept of it outside of this
 * database is never ahead of it, but where the database was put back.
 */
export const platformMarker = pgTable(
  'platform_marker',
  {
    id: smallint().primaryKey(),
    marker: bigint({ mode: 'number' }).notNull(),
    /** Null until it is raised first. */
    raisedAt: at('raised_at'),
  },
  (t) => [check('platform_marker_one', sql`${t.id} = 1 and ${t.marker} >= 0`)],
);
