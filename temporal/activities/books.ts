import { appendFile } from 'node:fs/promises';
import { heartbeat, log } from '@temporalio/activity';
import type { AuditSigner } from '../../crypto/audit-signer';
import { raiseAlert } from '../../db/alerts/alerts';
import type { Database } from '../../db/client';
import { proveBooks } from '../../db/ledger/ledger';
import * as proofs from '../../db/proof/proofs';
import { findHead, type Head, sealLedger, sumLedger } from '../../db/proof/seals';
import { headText } from '../../domain/ledger-head';
import { metrics } from '../../runtime/metrics';

/** The dependencies of the proof of the books. */
export interface BooksActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  /** Signs the chain's head. */
  readonly signer: Pick<AuditSigner, 'sign'>;
  /** A file outside the database that keeps the heads, one per line; null: only the log keeps them. */
  readonly headsFile: string | null;
}

/** What one run has checked and found. */
export interface ProofCounts {
  readonly sealed: number;
  readonly postings: number;
  readonly rows: number;
  readonly found: number;
}

/**
 * Each proof begins this much before the start of the previous one, so that it also checks rows that committed late.
 */
const OVERLAP_MS = 60_000;

/** The steps of `booksProof` and `booksProofWhole`. Each may run twice, and concurrently. */
export function createBooksActivities({ database, clock, signer, headsFile }: BooksActivityDeps) {
  /** Writes the chain's head to the log and the file: a chain that is cut or rewritten later does not fit it. */
  async function tellHead({ seq, hash, sealedAt }: Head): Promise<void> {
    const head = { seq: seq.toString(), hash, sealedAt: sealedAt.toISOString() };
    const line = { ...head, signature: signer.sign(headText(head)) };
    log.info('the books are sealed', line);
    if (headsFile !== null) await appendFile(headsFile, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  async function seal(all: boolean, now: Date): Promise<number> {
    const sealed = await sealLedger(database, all, now, heartbeat);
    const head = await findHead(database);
    if (head) await tellHead(head);
    await sumLedger(database, heartbeat);
    return sealed;
  }

  async function provedAs(
    kind: proofs.ProofRow['kind'],
    sealed: number,
    startedAt: Date,
    scope: Parameters<typeof proveBooks>[1],
  ): Promise<ProofCounts> {
    const throughEvent = await proofs.newestEvent(database);
    const proof = await proveBooks(database, scope, heartbeat);
    const finishedAt = await clock();
    const news = await proofs.noteProof(database, {
      ...proof,
      kind,
      startedAt,
      finishedAt,
      throughEvent,
    });
    const [first] = news;
    if (first) {
      log.error('the books do not add up', { ...first, new: news.length });
      const reason = `${first.subject}: ${first.problem}`;
      const key = `books:${finishedAt.toISOString()}`;
      const about = { reason, differences: String(news.length) };
      await raiseAlert(database, { kind: 'BOOKS_DIFFER', key, about }, finishedAt);
    }
    metrics.booksProven.set({ kind }, finishedAt.getTime() / 1000);
    metrics.booksFindings.set(await proofs.countFindings(database));
    const { postings, rows, discrepancies } = proof;
    return { sealed, postings, rows, found: discrepancies.length };
  }

  return {
    /** Seals and adds up new postings, and proves what was posted or changed since the previous proof. */
    async proveNewBooks(): Promise<ProofCounts> {
      const now = await clock();
      const sealed = await seal(false, now);
      const last = await proofs.findProof(database, 'NEW');
      const from = new Date((last?.startedAt ?? now).getTime() - OVERLAP_MS);
      const after = last?.throughEvent ?? (await proofs.newestEvent(database));
      const rows = await proofs.changedRows(database, { after, since: from });
      return await provedAs('NEW', sealed, now, { from, rows });
    },

    /** Seals and proves everything, including the chain. */
    async proveWholeBooks(): Promise<ProofCounts> {
      const now = await clock();
      const sealed = await seal(true, now);
      return await provedAs('WHOLE', sealed, now, {});
    },
  };
}

/** The steps as the workflows see them. */
export type BooksActivities = ReturnType<typeof createBooksActivities>;
