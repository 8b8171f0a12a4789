import { sql } from 'drizzle-orm';
import { check, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { ChartAccount } from '../../domain/journal-chart';
import { at } from './columns';

/**
 * Charts of accounts of the operating company's bookkeeping: which of its accounts each kind of ledger account becomes.
 */
export const journalCharts = pgTable(
  'journal_charts',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    accounts: jsonb().$type<readonly ChartAccount[]>().notNull(),
    updatedBy: text('updated_by').notNull(),
    createdAt: at('created_at').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    unique('journal_charts_name').on(t.name),
    check('journal_charts_accounts', sql`jsonb_array_length(${t.accounts}) > 0`),
  ],
);
