import { heartbeat } from '@temporalio/activity';
import type { Database } from '../../db/client';
import { releaseHolds } from '../../db/deposits/holds';

/** The dependencies of the release of holds. */
export interface HoldActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

/** Credits that one transaction releases; it locks their balances until it commits. */
const BATCH = 100;

/** The step of `holdRelease`. It may run twice, and concurrently. */
export function createHoldActivities({ database, clock }: HoldActivityDeps) {
  return {
    /**
     * Releases every held credit whose hold days have ended.
     * @returns how many
     */
    async releaseDueHolds(): Promise<number> {
      const now = await clock();
      let released = 0;
      let batch: number;
      do {
        batch = await releaseHolds(database, BATCH, now);
        released += batch;
        heartbeat();
      } while (batch === BATCH);
      return released;
    },
  };
}

/** The steps as the workflow sees them. */
export type HoldActivities = ReturnType<typeof createHoldActivities>;
