import { sql } from 'drizzle-orm';
import { char, check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { at, money } from './columns';
import { operators } from './operators';

/** What one person proposed and another decides on: applied once, in the transaction of its effect. */
export const changeRequests = pgTable(
  'change_requests',
  {
    id: uuid().primaryKey(),
    kind: text().notNull(),
    subjectKind: text('subject_kind').notNull(),
    /** Of what it changes; also of what it makes, which has its id before it is there. */
    subjectId: text('subject_id').notNull(),
    /** As people knew it when it was proposed. */
    subjectName: text('subject_name').notNull(),
    /** The merchant that it concerns; null where it is not about one alone. */
    merchantId: uuid('merchant_id'),
    summary: text().notNull(),
    /** What changes, by field, secrets masked. */
    before: jsonb().notNull(),
    after: jsonb().notNull(),
    /** The fields that change. */
    touches: text().array().notNull(),
    /** The money that it moves. */
    amount: money('amount'),
    currencyCode: char('currency_code', { length: 3 }),
    /** What applying it takes, secrets sealed; gone once it is decided. */
    payload: jsonb(),
    /** The subject as it stood, in one text; approving compares. Null where nothing can have changed. */
    basis: text(),
    reason: text().notNull(),
    evidence: text(),
    evidenceLinks: text('evidence_links').array().notNull(),
    status: text().notNull(),
    /** Why one person was enough; null where it took two. */
    alone: text(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => operators.id),
    proposedAt: at('proposed_at').notNull(),
    /** Nobody may approve it from then on. */
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
    index('change_requests_merchant').on(t.merchantId, t.proposedAt, t.id),
    index('change_requests_proposer').on(t.proposedBy, t.proposedAt, t.id),
    check('change_requests_money', sql`(${t.amount} is null) = (${t.currencyCode} is null)`),
    check('change_requests_alone', sql`${t.alone} in ('CLOSING', 'SANDBOX')`),
    // Two people, unless the row says why not; and what is decided holds nothing to apply any more.
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
