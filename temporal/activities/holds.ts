import { heartbeat } from '@temporalio/activity';
import type { Database } from '../../db/client';
import { releaseHolds } from '../../db/deposits/holds';

/** What releasing holds stands on. */
export interface HoldActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

/** Credits that one transaction releases: their balances are locked for as long. */
const BATCH = 100;

/** The step of `holdRelease`. It may run twice, and at once. */
export function createHoldActivities({ database, clock }: HoldActivityDeps) {
  return {
    /** Makes every held credit available whose days are over. @returns how many */
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

/** As the workflow sees them. */
export type HoldActivities = ReturnType<typeof createHoldActivities>;
