import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at } from './columns';

/** The heartbeats of worker processes, by which others see whether the platform works. */
export const workerHeartbeats = pgTable('worker_heartbeats', {
  /** The id of a process, made at its start. */
  id: uuid().primaryKey(),
  /** The build of its workflows. */
  buildId: text('build_id').notNull(),
  startedAt: at('started_at').notNull(),
  beatAt: at('beat_at').notNull(),
  /** When it ended in order; null while it runs, and of one that died. */
  endedAt: at('ended_at'),
});
