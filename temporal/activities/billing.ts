import { heartbeat, log } from '@temporalio/activity';
import * as db from '../../db/billing/statements';
import type { Database } from '../../db/client';
import { sealLedger } from '../../db/proof/seals';

/** The dependencies of billing statements. */
export interface BillingActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

/** Balances that one statement reads. */
const BATCH = 100;

/** The step of `billingIssue`. It may run twice, and concurrently. */
export function createBillingActivities({ database, clock }: BillingActivityDeps) {
  /** Issues the due statements of a balance; several months where none was issued before. */
  async function issueAll(balance: db.BilledBalance, now: Date): Promise<number> {
    for (let issued = 0; ;) {
      let answer = await db.issueBillingStatement(database, balance, now);
      if (answer === 'UNSEALED') {
        // Also seals what was posted with an earlier time; otherwise the sealer finds that only at night.
        await sealLedger(database, true, now);
        answer = await db.issueBillingStatement(database, balance, now);
      }
      heartbeat();
      if (answer !== 'ISSUED') {
        if (answer === 'UNSEALED') log.warn('a posting waits for its seal', { ...balance });
        return issued;
      }
      issued++;
    }
  }

  return {
    /**
     * Issues every billing statement whose month has ended.
     * @returns how many
     */
    async issueBillingStatements(): Promise<number> {
      const now = await clock();
      let issued = 0;
      let after = db.FIRST_BALANCE;
      for (;;) {
        const balances = await db.findBillingCandidates(database, after, BATCH, now);
        for (const balance of balances) issued += await issueAll(balance, now);
        after = balances.at(-1) ?? after;
        if (balances.length < BATCH) return issued;
      }
    },
  };
}

/** The step as the workflow sees it. */
export type BillingActivities = ReturnType<typeof createBillingActivities>;
