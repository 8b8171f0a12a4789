import { sql } from 'drizzle-orm';
import {
  bigint,
  char,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { at, bytea, money, sum } from './columns';
import { ledgerTransfers } from './ledger';

/**
 * The chain over the postings: append-only, written behind the commit by one sealer. Each link's hash is of the one
 * before and of a posting with all its lines.
 */
export const ledgerSeals = pgTable(
  'ledger_seals',
  {
    seq: bigint({ mode: 'bigint' }).primaryKey(),
    /** Null once a sandbox's purge has deleted the posting. */
    transferId: uuid('transfer_id')
      .unique()
      .references(() => ledgerTransfers.id),
    /** SHA-256. */
    hash: bytea('hash').notNull(),
    /** Of a posting that a purge deleted: the input of its hash, so that the chain can still be verified. */
    digest: bytea('digest'),
    sealedAt: at('sealed_at').notNull(),
  },
  (t) => [
    // Postings that were sealed long after their time.
    index('ledger_seals_late')
      .on(t.seq)
      .where(
        sql`timezone('UTC', ${t.sealedAt}) - timezone('UTC', uuid_extract_timestamp(${t.transferId})) > interval '30 minutes'`,
      ),
    check('ledger_seals_hash', sql`${t.seq} > 0 and octet_length(${t.hash}) = 32`),
    check(
      'ledger_seals_digest',
      sql`(${t.transferId} is null) = (${t.digest} is not null) and octet_length(${t.digest}) = 32`,
    ),
  ],
);

/**
 * What each account of the ledger was credited and debited by the postings up to a link of the chain, so that nobody sums
 * all entries for its balance. The sealer adds to it behind the commit; the proof sums the same entries again.
 */
export const ledgerSums = pgTable(
  'ledger_sums',
  {
    account: text().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    credits: sum('credits').notNull(),
    /** Zero or negative, as in the entries. */
    debits: sum('debits').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.currencyCode] }),
    check('ledger_sums_signs', sql`${t.credits} >= 0 and ${t.debits} <= 0`),
  ],
);

/** One row: the last link of the chain whose posting the sums include. None: they include no posting. */
export const ledgerSumEnds = pgTable(
  'ledger_sum_ends',
  {
    id: integer().primaryKey(),
    seq: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [check('ledger_sum_ends_one', sql`${t.id} = 1 and ${t.seq} > 0`)],
);

/**
 * Books that a sandbox's purge has opened, each of one currency: earlier postings are deleted with their orders, and
 * their balances are carried forward by one posting. Production has none.
 */
export const ledgerBooks = pgTable(
  'ledger_books',
  {
    id: uuid().primaryKey(),
    /** 1, 2, 3 … */
    number: integer().notNull().unique(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    /** Orders whose postings were deleted. */
    orders: integer().notNull(),
    /** Links of the chain whose postings were deleted. */
    links: integer().notNull(),
    /** The head of the chain when the previous book was closed: the posting that opens this one is sealed next. */
    headSeq: bigint('head_seq', { mode: 'bigint' }).notNull(),
    headHash: bytea('head_hash').notNull(),
    /** Orders that changed since then were kept. */
    purgedBefore: at('purged_before').notNull(),
    openedAt: at('opened_at').notNull(),
  },
  (t) => [
    check(
      'ledger_books_counts',
      sql`${t.number} > 0 and ${t.orders} > 0 and ${t.links} >= 0 and ${t.headSeq} >= 0
        and octet_length(${t.headHash}) = 32 and ${t.purgedBefore} <= ${t.openedAt}`,
    ),
  ],
);

/**
 * What a book carries forward: of a merchant's balance a line for each run of versions, of a bank's or a channel's
 * account one for each day and direction, of any other account its sum. Lines of zero are not posted.
 */
export const ledgerBookLines = pgTable(
  'ledger_book_lines',
  {
    bookId: uuid('book_id')
      .notNull()
      .references(() => ledgerBooks.id),
    line: integer().notNull(),
    account: text().notNull(),
    currencyCode: char('currency_code', { length: 3 }).notNull(),
    amount: money('amount').notNull(),
    /** Of a merchant's balance: its versions that are carried together, and the balance around them. */
    firstVersion: bigint('first_version', { mode: 'number' }),
    lastVersion: bigint('last_version', { mode: 'number' }),
    balanceBefore: money('balance_before'),
    balanceAfter: money('balance_after'),
    /** Of a bank's or a channel's account: the day for which it counts, that of the original entries. */
    valueDay: date('value_day', { mode: 'string' }),
  },
  (t) => [
    primaryKey({ columns: [t.bookId, t.line] }),
    index('ledger_book_lines_account').on(t.account, t.currencyCode, t.lastVersion),
    check(
      'ledger_book_lines_kind',
      sql`case when ${t.account} like 'merchant:%'
        then coalesce(${t.firstVersion} > 0 and ${t.lastVersion} >= ${t.firstVersion} and ${t.valueDay} is null
          and ${t.balanceAfter} = ${t.balanceBefore} + ${t.amount}, false)
        else num_nonnulls(${t.firstVersion}, ${t.lastVersion}, ${t.balanceBefore}, ${t.balanceAfter}) = 0
          and (${t.valueDay} is not null) = (${t.account} like 'bank:%' or ${t.account} like 'channel:%') end`,
    ),
  ],
);

/** Each completed proof of the books. */
export const bookProofs = pgTable(
  'book_proofs',
  {
    id: uuid().primaryKey(),
    /** WHOLE: everything. NEW: what was posted or changed since the previous proof. */
    kind: text().$type<'WHOLE' | 'NEW'>().notNull(),
    startedAt: at('started_at').notNull(),
    finishedAt: at('finished_at').notNull(),
    postings: integer().notNull(),
    rows: integer().notNull(),
    /** Differences that it found. */
    found: integer().notNull(),
    /** The newest order event that it has read; the next proof begins there. */
    throughEvent: bigint('through_event', { mode: 'bigint' }).notNull(),
  },
  (t) => [
    index('book_proofs_newest').on(t.kind, t.finishedAt),
    check('book_proofs_kind', sql`${t.kind} in ('WHOLE', 'NEW')`),
  ],
);

/** Differences that proofs found. */
export const bookFindings = pgTable(
  'book_findings',
  {
    id: uuid().primaryKey(),
    subject: text().notNull(),
    problem: text().notNull(),
    firstSeenAt: at('first_seen_at').notNull(),
    lastSeenAt: at('last_seen_at').notNull(),
    /** When a whole proof no longer found it. */
    goneAt: at('gone_at'),
  },
  (t) => [
    unique('book_findings_once').on(t.subject, t.problem),
    index('book_findings_open')
      .on(t.firstSeenAt, t.id)
      .where(sql`${t.goneAt} is null`),
  ],
);
