import { ApplicationFailure } from '@temporalio/activity';
import type { Database } from '../../db/client';
import { isInRecovery } from '../../db/platform/recoveries';

/** Pause before a step that waits for the end of a recovery is retried. */
const AGAIN = '30 seconds';

/**
 * Refuses what must not happen during a recovery, because a payer may have paid in the lost period.
 * @throws a retryable failure, so that the order waits for the end of the recovery, and still notices a payment within
 * half a minute
 */
export async function refuseInRecovery(database: Database): Promise<void> {
  if (!(await isInRecovery(database))) return;
  throw ApplicationFailure.create({
    message: 'the database was restored: nothing expires until people have ended the recovery',
    type: 'InRecovery',
    nextRetryDelay: AGAIN,
  });
}
