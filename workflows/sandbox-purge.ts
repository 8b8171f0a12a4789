import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { PURGED, type PurgeCounts } from '../domain/sandbox-purge';
import type { BooksActivities } from '../temporal/activities/books';
import type { PurgeActivities } from '../temporal/activities/purge';
import { SWEEP_OPTIONS } from './shared';

/** The retry policy of every sweep. A step that is lost with its worker runs again after its timeout. */
const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

const { planPurge, endPurge } = proxyActivities<PurgeActivities>({
  // Indexes may have to be built first.
  startToCloseTimeout: '1h',
  retry: RETRY,
});
const { purgeOrders } = proxyActivities<PurgeActivities>({
  startToCloseTimeout: '10m',
  retry: RETRY,
});
const { proveWholeBooks } = proxyActivities<BooksActivities>({
  ...SWEEP_OPTIONS,
  startToCloseTimeout: '12h',
  heartbeatTimeout: '30m',
});

const FIRST = '00000000-0000-0000-0000-000000000000';
/** What remains after this many batches is left for the next night: a history holds no more. */
const BATCHES = 2_000;

/** The result of a purge. */
export interface PurgeReport {
  /** Orders that it deleted; null: the purge is off, or the books did not add up before it. */
  readonly gone: PurgeCounts | null;
  /** Differences that the last proof of the books found; null if there was none. */
  readonly found: number | null;
}

/**
 * Runs each night in a sandbox with a purge: deletes orders that ended long ago, and carries forward what they left in
 * the ledger. If the books do not add up before it, it deletes nothing, so that it hides no difference.
 */
export async function sandboxPurge(): Promise<PurgeReport> {
  setCurrentDetails('Proves the books, and takes away orders that ended long ago');
  const before = await planPurge();
  if (before === null) return { gone: null, found: null };
  const proof = await proveWholeBooks();
  if (proof.found > 0) return { gone: null, found: proof.found };
  const gone = { deposits: 0, withdrawals: 0, sessions: 0 };
  let batches = 0;
  for (const what of PURGED) {
    let after: string | null = FIRST;
    while (after !== null && batches < BATCHES) {
      const batch: Awaited<ReturnType<typeof purgeOrders>> = await purgeOrders(what, {
        before,
        after,
      });
      gone[what] += batch.gone;
      after = batch.last;
      batches++;
    }
  }
  if (Object.values(gone).every((count) => count === 0)) return { gone, found: 0 };
  await endPurge(before, gone);
  return { gone, found: (await proveWholeBooks()).found };
}
