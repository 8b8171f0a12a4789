import {
  allHandlersFinished,
  condition,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { isFinalWithdrawal, type WithdrawalStatus } from '../domain/withdrawal';
import type { WithdrawalActivities } from '../temporal/activities/withdrawals';
import { payOut, reviewPayout } from './payout';
import { applyDecisions, DATABASE_STEP, listenForChanges } from './shared';

/** Written by the outbox; ids, codes and amounts only. */
export interface WithdrawalOrderStart {
  readonly version: 1;
  readonly withdrawalId: string;
  readonly orderNo: string;
  readonly merchantCode: string;
  readonly currencyCode: string;
  /** The merchant's own number, if it has one. */
  readonly merchantOrderNo?: string;
  /** The order's status when it was started or woken. */
  readonly status?: WithdrawalStatus;
  /** The amount that the beneficiary gets, four decimals. */
  readonly amount: string;
  /** The trace id of the request that created the order; null for settlements. */
  readonly traceId?: string;
}

/** What its timer is for, in the UI. */
const DECIDED_BY = { summary: 'Until people should have decided; then an alert' } as const;

const { settleWithdrawal, escalateWithdrawal } = proxyLocalActivities<WithdrawalActivities>(DATABASE_STEP);

/**
 * One withdrawal, from its creation to a final state: waits for people's decisions if the review requires them, then
 * for its payout. Every change of the row wakes this workflow, which then reads the row.
 */
export async function withdrawalOrder(start: WithdrawalOrderStart): Promise<WithdrawalStatus> {
  const changes = listenForChanges();
  setHandler(applyDecisions, async () => {
    const { status } = await settleWithdrawal(start.withdrawalId);
    changes.tell();
    return status;
  });

  while (true) {
    changes.readingNow();
    const withdrawal = await settleWithdrawal(start.withdrawalId);
    setCurrentDetails(`${withdrawal.status}: ${withdrawal.waitsFor ?? 'nothing more to do'}`);

    if (isFinalWithdrawal(withdrawal.status)) {
      if (withdrawal.payoutDoubted) {
        await reviewPayout(start.withdrawalId);
        continue;
      }
      await condition(allHandlersFinished);
      return withdrawal.status;
    }

    if (withdrawal.status === 'APPROVED') {
      await payOut(start.withdrawalId, changes);
      continue;
    }

    if (withdrawal.escalatesAt === null) await condition(changes.arrived);
    else {
      const remaining = Date.parse(withdrawal.escalatesAt) - Date.now();
      const woken = remaining > 0 && (await condition(changes.arrived, remaining, DECIDED_BY));
      if (!woken) await escalateWithdrawal(start.withdrawalId, new Date().toISOString());
    }
  }
}
