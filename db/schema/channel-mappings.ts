import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Plain } from '../../domain/change-request';
import { channels } from './channels';
import { at } from './columns';
import { operators } from './operators';

/** One check of a mapping. */
export interface TrialCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
}

/** Versions of the mappings of channels. None ever changes: another version is added. */
export const channelMappings = pgTable(
  'channel_mappings',
  {
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id),
    /** 1, 2, 3 … of its channel. */
    version: integer().notNull(),
    /** As domain/mapping/schema.ts declares it, in the order in which it was written. */
    mapping: json().$type<Plain>().notNull(),
    /** A note for people about what is new in it. */
    note: text().notNull(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => operators.id),
    createdAt: at('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.version] }), check('channel_mappings_version', sql`${t.version} > 0`)],
);

/** Trials of mappings by the conformance kit. */
export const channelMappingTrials = pgTable(
  'channel_mapping_trials',
  {
    id: uuid().primaryKey(),
    channelId: uuid('channel_id').notNull(),
    version: integer().notNull(),
    passed: boolean().notNull(),
    /** Each check by name, with the actual result if it failed. */
    checks: json().$type<readonly TrialCheck[]>().notNull(),
    triedBy: uuid('tried_by')
      .notNull()
      .references(() => operators.id),
    triedAt: at('tried_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'channel_mapping_trials_version',
      columns: [t.channelId, t.version],
      foreignColumns: [channelMappings.channelId, channelMappings.version],
    }),
    index('channel_mapping_trials_of_version').on(t.channelId, t.version, t.id),
  ],
);
