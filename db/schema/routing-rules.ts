import { sql } from 'drizzle-orm';
import { char, check, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { KeptRule, RoutedKind } from '../../domain/routing-rules';
import { changeRequests } from './change-requests';
import { at } from './columns';

/**
 * Routing rules of a currency and kind of order: each row a version that never changes, and the newest is in force from
 * its approval. A version without rules ends them.
 */
export const routingRules = pgTable(
  'routing_rules',
  {
    id: uuid().primaryKey(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    orderKind: text('order_kind').$type<RoutedKind>().notNull(),
    /** 1, 2, 3 … of the currency and kind. */
    version: integer().notNull(),
    rules: jsonb().$type<readonly KeptRule[]>().notNull(),
    /** The approved change request; it makes one version. */
    changeId: uuid('change_id')
      .notNull()
      .unique()
      .references(() => changeRequests.id),
    /** `operator:{id}`, who proposed it. */
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull(),
  },
  (t) => [
    unique('routing_rules_version').on(t.currencyCode, t.orderKind, t.version),
    // The target of orders' references.
    unique('routing_rules_of_currency').on(t.id, t.currencyCode),
    check('routing_rules_kind', sql`${t.orderKind} in ('DEPOSIT', 'PAYOUT')`),
    check('routing_rules_numbered', sql`${t.version} > 0`),
    check('routing_rules_list', sql`jsonb_typeof(${t.rules}) = 'array' and jsonb_array_length(${t.rules}) <= 100`),
  ],
);
