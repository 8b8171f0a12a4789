import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';

/** Workflows to start or wake. The relay deletes a row once Temporal has it. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    /** The noun whose workflow it is, as in domain/ids.ts. */
    noun: text().notNull(),
    /** The workflow id. */
    key: text().notNull(),
    /** The workflow's whole start arguments, with their version. */
    arguments: jsonb().notNull(),
    dueAt: at('due_at').notNull(),
    /** How often Temporal refused it as it is; being away does not count. */
    refusals: integer().notNull(),
    /** Set when the relay gave up: a person looks at it. */
    parkedAt: at('parked_at'),
    lastError: text('last_error'),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    index('outbox_due')
      .on(t.dueAt)
      .where(sql`${t.parkedAt} is null`),
    index('outbox_parked')
      .on(t.id)
      .where(sql`${t.parkedAt} is not null`),
  ],
);
