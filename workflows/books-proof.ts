import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { BooksActivities, ProofCounts } from '../temporal/activities/books';
import { SWEEP_OPTIONS } from './shared';

const { proveNewBooks } = proxyActivities<BooksActivities>(SWEEP_OPTIONS);
const { proveWholeBooks } = proxyActivities<BooksActivities>({
  ...SWEEP_OPTIONS,
  // One statement may sum the whole ledger.
  startToCloseTimeout: '12h',
  heartbeatTimeout: '30m',
});

/** Runs each minute: seals new postings, and proves them with the rows that they belong to. */
export async function booksProof(): Promise<ProofCounts> {
  setCurrentDetails('Seals what was posted, and proves what was posted or changed');
  return await proveNewBooks();
}

/** Runs each night: proves all of the books. */
export async function booksProofWhole(): Promise<ProofCounts> {
  setCurrentDetails('Seals and proves all of the books');
  return await proveWholeBooks();
}
