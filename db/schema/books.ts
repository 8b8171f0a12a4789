import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at, bytea } from './columns';
import { ledgerTransfers } from './ledger';

/**
 * The chain over the postings: append-only, written behind the commit by one sealer. Each link's hash is of the one
 * before and of a posting with all its lines.
 */
export const ledgerSeals = pgTable(
  'ledger_seals',
  {
    seq: bigint({ mode: 'bigint' }).primaryKey(),
    transferId: uuid('transfer_id')
      .notNull()
      .unique()
      .references(() => ledgerTransfers.id),
    /** SHA-256. */
    hash: bytea('hash').notNull(),
    sealedAt: at('sealed_at').notNull(),
  },
  (t) => [check('ledger_seals_hash', sql`${t.seq} > 0 and octet_length(${t.hash}) = 32`)],
);

/** Each proof of the books that came to its end. */
export const bookProofs = pgTable(
  'book_proofs',
  {
    id: uuid().primaryKey(),
    /** WHOLE: everything. NEW: what was posted and what changed since the proof before. */
    kind: text().$type<'WHOLE' | 'NEW'>().notNull(),
    startedAt: at('started_at').notNull(),
    finishedAt: at('finished_at').notNull(),
    postings: integer().notNull(),
    rows: integer().notNull(),
    /** Differences that it found. */
    found: integer().notNull(),
    /** The newest order event that it has seen the order of; the next begins there. */
    throughEvent: bigint('through_event', { mode: 'bigint' }).notNull(),
  },
  (t) => [
    index('book_proofs_newest').on(t.kind, t.finishedAt),
    check('book_proofs_kind', sql`${t.kind} in ('WHOLE', 'NEW')`),
  ],
);

/** What proofs found and no whole proof has found gone since. */
export const bookFindings = pgTable(
  'book_findings',
  {
    id: uuid().primaryKey(),
    subject: text().notNull(),
    problem: text().notNull(),
    firstSeenAt: at('first_seen_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    /** When a whole proof did not find it any more. */
    goneAt: at('gone_at'),
  },
  (t) => [
    unique('book_findings_once').on(t.subject, t.problem),
    index('book_findings_open')
      .on(t.firstSeenAt, t.id)
      .where(sql`${t.goneAt} is null`),
  ],
);
