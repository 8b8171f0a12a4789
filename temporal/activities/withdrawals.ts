import { ApplicationFailure, log } from '@temporalio/activity';
import { withdrawalCallbackBody } from '../../domain/callback';
import { withdrawalReleased } from '../../domain/ledger';
import { withdrawalWaits } from '../../domain/waiting';
import type { WithdrawalStatus } from '../../domain/withdrawal';
import type { Database } from '../../db/client';
import * as db from '../../db/withdrawals/withdrawals';
import { metrics } from '../../runtime/metrics';

/** The state of a withdrawal. */
export interface WithdrawalState {
  readonly status: WithdrawalStatus;
  /** What it waits for, in words; null once it is final. */
  readonly waitsFor: string | null;
  /** When an alert is due because nobody has decided, RFC 3339, UTC; null if none is. */
  readonly escalatesAt: string | null;
  /** A channel reported something that contradicts an attempt's outcome. */
  readonly payoutDoubted: boolean;
}

/** The dependencies of a withdrawal's steps. */
export interface WithdrawalActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

const stateOf = (withdrawal: db.WithdrawalCase): WithdrawalState => ({
  status: withdrawal.status,
  waitsFor: withdrawalWaits(withdrawal)?.waitsFor ?? null,
  escalatesAt:
    withdrawal.status === 'PENDING' && withdrawal.escalatedAt === null ? withdrawal.decideBy.toISOString() : null,
  payoutDoubted: withdrawal.payoutDoubted,
});

/** The steps of `withdrawalOrder`. Each is a guarded statement: it may run twice, and returns the current state. */
export function createWithdrawalActivities({ database, clock }: WithdrawalActivityDeps) {
  async function find(id: string): Promise<db.WithdrawalCase> {
    const withdrawal = await db.findWithdrawalCase(database, id);
    if (!withdrawal) throw ApplicationFailure.nonRetryable(`withdrawal ${id} does not exist`);
    return withdrawal;
  }

  return {
    /** Applies people's decisions to the order, if they suffice. */
    async settleWithdrawal(id: string): Promise<WithdrawalState> {
      const withdrawal = await find(id);
      if (withdrawal.status !== 'PENDING') return stateOf(withdrawal);
      const [rejection] = (await db.findDecisions(database, [id])).filter(({ verdict }) => verdict === 'REJECT');
      const now = await clock();
      const { merchantId, amount, fee, orderNo } = withdrawal;
      const bodies = {
        approved: withdrawalCallbackBody('APPROVED', withdrawal, now),
        rejected: withdrawalCallbackBody('REJECTED', withdrawal, now, {
          reason: rejection?.remarks ?? null,
        }),
        rejection: rejection?.id ?? null,
      };
      const release = withdrawalReleased(merchantId, amount, fee);
      if (!(await db.applyDecisions(database, id, bodies, release, now))) return stateOf(await find(id));
      const decided = await find(id);
      metrics.withdrawalsSettled.inc({ status: decided.status });
      log.info('withdrawal decided', { orderNo, status: decided.status });
      return stateOf(decided);
    },

    /**
     * Raises an alert that the withdrawal was not decided in time.
     * @param at the workflow's time, RFC 3339
     */
    async escalateWithdrawal(id: string, at: string): Promise<void> {
      const { orderNo } = await find(id);
      if (!(await db.escalateWithdrawal(database, id, new Date(at)))) return;
      log.warn('withdrawal not decided in time', { orderNo });
    },
  };
}

/** The steps as the workflow sees them. */
export type WithdrawalActivities = ReturnType<typeof createWithdrawalActivities>;
