import { condition, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import { type DepositStatus, isFinalDeposit } from '../domain/deposit';
import type { DepositActivities } from '../temporal/activities/deposits';
import { DATABASE_STEP, listenForChanges } from './shared';

/** Written by the outbox; ids, codes and amounts only. */
export interface DepositOrderStart {
  readonly version: 1;
  readonly depositId: string;
  readonly orderNo: string;
  readonly merchantCode: string;
  readonly currencyCode: string;
  /** The merchant's own number, if it has one. */
  readonly merchantOrderNo?: string;
  /** What the payer must transfer, four decimals. */
  readonly amount: string;
  /** The trace id of the request that created the order. */
  readonly traceId?: string;
}

const { settleDeposit, expireDeposit } = proxyLocalActivities<DepositActivities>(DATABASE_STEP);

/**
 * One deposit, from its creation to a final state: waits for the payer's money until the order expires. Every change of
 * the row wakes this workflow, which then reads the row.
 */
export async function depositOrder(start: DepositOrderStart): Promise<DepositStatus> {
  const changes = listenForChanges();

  while (true) {
    changes.readingNow();
    let deposit = await settleDeposit(start.depositId);

    if (deposit.status === 'PENDING') {
      setCurrentDetails(
        `PENDING: waits for a transfer of ${start.amount} ${start.currencyCode} until ${deposit.expireAt}`,
      );
      const remaining = Date.parse(deposit.expireAt) - Date.now();
      const woken = remaining > 0 && (await condition(changes.arrived, remaining));
      if (!woken) deposit = await expireDeposit(start.depositId, new Date().toISOString());
    }

    if (isFinalDeposit(deposit.status)) {
      setCurrentDetails(`${deposit.status}: nothing more to do`);
      return deposit.status;
    }
  }
}
