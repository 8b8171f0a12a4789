import { sql } from 'drizzle-orm';
import { char, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { AloneReason, ChangeKind, ChangeStatus, Plain, Settings, SubjectKind } from '../../domain/change-request';
import { at, money } from './columns';
import { operators } from './operators';

/** A proposal of one operator on which another decides; applied once, in the transaction of its effect. */
export const changeRequests = pgTable(
  'change_requests',
  {
    id: uuid().primaryKey(),
    kind: text().$type<ChangeKind>().notNull(),
    subjectKind: text('subject_kind').$type<SubjectKind>().notNull(),
    /** The id of its subject; a subject that it will create has its id already. */
    subjectId: text('subject_id').notNull(),
    /** The subject's name when it was proposed. */
    subjectName: text('subject_name').notNull(),
    /** The merchant that it concerns; null if it does not concern a single one. */
    merchantId: uuid('merchant_id'),
    summary: text().notNull(),
    /** What changes, by field, secrets masked. */
    before: jsonb().$type<Settings>().notNull(),
    after: jsonb().$type<Settings>().notNull(),
    /** The fields that change. */
    touches: text().array().$type<readonly string[]>().notNull(),
    /** The amount that it moves. */
    amount: money('amount'),
    currencyCode: char('currency_code', { length: 3 }),
    /** The payload that applies it, secrets sealed; deleted once it is decided. */
    payload: jsonb().$type<Plain>(),
    /** The subject's state as one text, which the approval compares. Null if it cannot have changed. */
    basis: text(),
    reason: text().notNull(),
    evidence: text(),
    evidenceLinks: text('evidence_links').array().$type<readonly string[]>().notNull(),
    status: text().$type<ChangeStatus>().notNull(),
    /** Why one person was enough; null if two were needed. */
    alone: text().$type<AloneReason>(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => operators.id),
    proposedAt: at('proposed_at').notNull(),
    /** When it can no longer be approved. */
    expiresAt: at('expires_at').notNull(),
    decidedBy: uuid('decided_by').references(() => operators.id),
    decidedAt: at('decided_at'),
    decisionReason: text('decision_reason'),
  },
  (t) => [
    index('change_requests_newest').on(t.proposedAt, t.id),
    index('change_requests_open')
      .on(t.proposedAt, t.id)
      .where(sql`${t.status} = 'PROPOSED'`),
    index('change_requests_subject').on(t.subjectKind, t.subjectId, t.proposedAt, t.id),
    index('change_requests_kind').on(t.kind, t.proposedAt, t.id),
    index('change_requests_merchant').on(t.merchantId, t.proposedAt, t.id),
    index('change_requests_proposer').on(t.proposedBy, t.proposedAt, t.id),
    check('change_requests_money', sql`(${t.amount} is null) = (${t.currencyCode} is null)`),
    check('change_requests_alone', sql`${t.alone} in ('CLOSING', 'SANDBOX')`),
    // Two people, unless the row has a reason; a decided row has no payload.
    check(
      'change_requests_decision',
      sql`coalesce((${t.status} = 'PROPOSED') = (${t.payload} is not null)
        and (${t.status} = 'PROPOSED') = (${t.decidedAt} is null)
        and case ${t.status}
          when 'PROPOSED' then ${t.decidedBy} is null and ${t.alone} is null
          when 'APPLIED' then (${t.decidedBy} = ${t.proposedBy}) = (${t.alone} is not null)
          when 'REJECTED' then ${t.decidedBy} <> ${t.proposedBy} and ${t.alone} is null
          when 'WITHDRAWN' then ${t.decidedBy} = ${t.proposedBy} and ${t.alone} is null
          when 'EXPIRED' then ${t.decidedBy} is null and ${t.alone} is null
        end, false)`,
    ),
  ],
);
