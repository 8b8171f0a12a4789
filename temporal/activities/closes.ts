import { heartbeat } from '@temporalio/activity';
import type { Database } from '../../db/client';
import { proposeCloses } from '../../db/closes/closes';

/** The dependencies of the daily close. */
export interface CloseActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

/** Days that one statement proposes: it sums each day's postings. */
const BATCH = 20;

/** The step of `dayClose`. It may run twice, and concurrently. */
export function createCloseActivities({ database, clock }: CloseActivityDeps) {
  return {
    /**
     * Proposes to close every day that has ended.
     * @returns how many proposals are new
     */
    async proposeDayCloses(): Promise<number> {
      const now = await clock();
      let proposed = 0;
      let batch: number;
      do {
        batch = await proposeCloses(database, BATCH, now);
        proposed += batch;
        heartbeat();
      } while (batch === BATCH);
      return proposed;
    },
  };
}

/** The step as the workflow sees it. */
export type CloseActivities = ReturnType<typeof createCloseActivities>;
