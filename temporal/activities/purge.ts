import { activityInfo, log } from '@temporalio/activity';
import type { AuditSigner } from '../../crypto/audit-signer';
import { appendAuditOnce, auditDigest, entryOfNobody } from '../../db/audit/audit-log';
import type { Database } from '../../db/client';
import { canPurge, findBook, preparePurge, purgeBatch } from '../../db/sandbox/purge';
import type { PurgeBatch, PurgeCounts, Purged } from '../../domain/sandbox-purge';

/** The dependencies of a sandbox's purge. */
export interface PurgeActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  /** Makes the audit log's hashes. */
  readonly signer: Pick<AuditSigner, 'sign'>;
  /** Orders that changed within so many days stay; null: no purge. */
  readonly purgeDays: number | null;
}

/** Orders that one transaction checks; it locks them until it commits. */
const BATCH = 200;
const DAY_MS = 86_400_000;

/** The steps of `sandboxPurge`. Each may run twice, and concurrently. */
export function createPurgeActivities({ database, clock, purgeDays, signer }: PurgeActivityDeps) {
  return {
    /**
     * Prepares the database for a purge. @returns what changed after this time stays; null if nothing is to be deleted
     */
    async planPurge(): Promise<string | null> {
      if (purgeDays === null || !(await canPurge(database))) return null;
      const before = new Date((await clock()).getTime() - purgeDays * DAY_MS);
      await preparePurge(database);
      return before.toISOString();
    },

    /** Deletes what may be deleted of the next orders. */
    async purgeOrders(
      what: Purged,
      { before, after }: { readonly before: string; readonly after: string },
    ): Promise<PurgeBatch> {
      const now = await clock();
      return await purgeBatch(database, what, {
        before: new Date(before),
        after,
        limit: BATCH,
        now,
      });
    },

    /** Records in the audit log what was deleted. */
    async endPurge(before: string, gone: PurgeCounts): Promise<void> {
      const now = await clock();
      const book = await findBook(database);
      const entry = entryOfNobody({
        at: now,
        action: 'sandboxPurge',
        subject: book ? `book:${book.number}` : null,
        reason: `SANDBOX_PURGE_DAYS=${purgeDays ?? ''}`,
        after: { before, ...gone },
        traceId: activityInfo().workflowExecution?.runId ?? '',
      });
      await database.transaction(async (tx) => {
        await appendAuditOnce(tx, entry, auditDigest(signer.sign));
      });
      log.info('the sandbox was purged', { before, ...gone, book: book?.number });
    },
  };
}

/** The steps as the workflow sees them. */
export type PurgeActivities = ReturnType<typeof createPurgeActivities>;
