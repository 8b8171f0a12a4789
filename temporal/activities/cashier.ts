import { ApplicationFailure, log } from '@temporalio/activity';
import type { CashierStatus } from '../../domain/cashier';
import * as db from '../../db/cashier/sessions';
import type { Database } from '../../db/client';
import { refuseInRecovery } from './recovery';

/** The status of a cashier session. */
export interface CashierState {
  readonly status: CashierStatus;
  /** RFC 3339, UTC. */
  readonly expireAt: string;
  /** The number of its order, if there is one yet. */
  readonly orderNo: string | null;
}

/** The dependencies of a cashier session's steps. */
export interface CashierActivityDeps {
  readonly database: Database;
}

/** The steps of `cashierSession`. Each may run twice, and returns the current state. */
export function createCashierActivities({ database }: CashierActivityDeps) {
  async function read(sessionId: string): Promise<CashierState> {
    const state = await db.findCashierState(database, sessionId);
    if (!state)
      throw ApplicationFailure.nonRetryable(`cashier session ${sessionId} does not exist`);
    const { status, expireAt, orderNo } = state;
    return { status, expireAt: expireAt.toISOString(), orderNo };
  }

  return {
    /** Reads the session's state. */
    async readCashierSession(sessionId: string): Promise<CashierState> {
      return await read(sessionId);
    },

    /**
     * Expires the session if the payer has not chosen and its time has come.
     * @param at the workflow's time, RFC 3339
     * @throws a retryable failure in a recovery
     */
    async expireCashierSession(sessionId: string, at: string): Promise<CashierState> {
      if ((await read(sessionId)).status === 'PENDING') await refuseInRecovery(database);
      const expired = await db.expireCashierSession(database, sessionId, new Date(at));
      if (expired) log.info('cashier session expired', { sessionId });
      return await read(sessionId);
    },
  };
}

/** The steps as the workflow sees them. */
export type CashierActivities = ReturnType<typeof createCashierActivities>;
