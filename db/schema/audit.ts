import { sql } from 'drizzle-orm';
import { bigint, check, index, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { Plain } from '../../domain/change-request';
import { at } from './columns';
import { operators } from './operators';

/**
 * What operators and their tools did, one row a mutation, login or export: append-only, each row's hash made over the
 * row and the hash before it.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    /** 1, 2, 3 without a gap. */
    seq: bigint({ mode: 'bigint' }).primaryKey(),
    id: uuid().notNull(),
    at: at('at').notNull(),
    /** The actor; null where unknown, as at a refused login. */
    operatorId: uuid('operator_id').references(() => operators.id),
    login: text(),
    /** `session` or `token`, and which; null without a login. */
    via: text().$type<'session' | 'token'>(),
    credential: text(),
    address: text(),
    userAgent: text('user_agent'),
    /** The mutation, or `export` and the like. */
    action: text().notNull(),
    /** Such as `merchant:{id}`. */
    subject: text(),
    reason: text(),
    /** Secrets masked. */
    before: jsonb().$type<Plain>(),
    after: jsonb().$type<Plain>(),
    /** `OK`, or the kind of the refusal. */
    outcome: text().notNull(),
    traceId: text('trace_id').notNull(),
    hash: text().notNull(),
  },
  (t) => [
    index('audit_log_operator').on(t.operatorId, t.at, t.id),
    index('audit_log_action').on(t.action, t.at, t.id),
    index('audit_log_subject').on(t.subject, t.at, t.id),
    index('audit_log_newest').on(t.at, t.id),
  ],
);

/** The end of the audit log's chain: one row, locked while appending. */
export const auditHead = pgTable(
  'audit_head',
  {
    id: smallint().primaryKey(),
    seq: bigint({ mode: 'bigint' }).notNull(),
    hash: text().notNull(),
  },
  (t) => [check('audit_head_one', sql`${t.id} = 1`)],
);
