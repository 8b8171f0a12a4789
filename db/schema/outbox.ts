import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { JSONValue } from 'postgres';
import type { WorkflowNoun } from '../../domain/ids';
import { at } from './columns';

/** Workflows to start or wake. The relay deletes a row once Temporal has it. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    /** The noun of the workflow, as in domain/ids.ts. */
    noun: text().$type<WorkflowNoun>().notNull(),
    /** The workflow id. */
    key: text().notNull(),
    /** The workflow's whole start arguments, with their version. */
    arguments: jsonb().$type<JSONValue>().notNull(),
    /** The lowest first, as in domain/outbox.ts. */
    rank: smallint().notNull().default(2),
    /** The workflow has nothing to do before, unless it is woken; null if it has something to do at once. */
    startAt: at('start_at'),
    /** When it may be claimed: later than now while a relay holds it or after a failure. */
    dueAt: at('due_at').notNull(),
    /** How often Temporal refused it as it is; outages do not count. */
    refusals: integer().notNull(),
    /** Set when the relay parked it for a person. */
    parkedAt: at('parked_at'),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    check('outbox_rank', sql`${t.rank} between 1 and 3`),
    // Ids are in the order of creation: a row that is retried keeps its place.
    index('outbox_rank_order')
      .on(t.rank, t.id)
      .where(sql`${t.parkedAt} is null`),
    index('outbox_starts')
      .on(t.key)
      .where(sql`${t.startAt} is not null`),
    index('outbox_parked')
      .on(t.id)
      .where(sql`${t.parkedAt} is not null`),
  ],
);
