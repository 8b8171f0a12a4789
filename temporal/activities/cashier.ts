import { ApplicationFailure, log } from '@temporalio/activity';
import type { CashierStatus } from '../../domain/cashier';
import * as db from '../../db/cashier/sessions';
import type { Database } from '../../db/client';
import { refuseEarly } from './due';
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
  readonly clock: () => Promise<Date>;
}

/** The steps of `cashierSession`. Each may run twice, and returns the current state. */
export function createCashierActivities({ database, clock }: CashierActivityDeps) {
  async function read(sessionId: string): Promise<CashierState> {
    const state = await db.findCashierState(database, sessionId);
    if (!state) throw ApplicationFailure.nonRetryable(`cashier session ${sessionId} does not exist`);
    const { status, expireAt, orderNo } = state;
    return { status, expireAt: expireAt.toISOString(), orderNo };
  }

  /** Expires a session that is PENDING, if its time has come by `now`. @returns its state */
  async function expire(sessionId: string, now: Date): Promise<CashierState> {
    const expired = await db.expireCashierSession(database, sessionId, now);
    if (expired) log.info('cashier session expired', { sessionId });
    const state = await read(sessionId);
    // The statement does nothing in a recovery.
    if (!expired && state.status === 'PENDING') await refuseInRecovery(database);
    return state;
  }

  return {
    /**
     * Reads the session's state, and expires it if the payer has not chosen in time: a workflow whose start was delayed
     * until the expiry needs no second step.
     * @throws a retryable failure if it would expire in a recovery
     */
    async readCashierSession(sessionId: string): Promise<CashierState> {
      const state = await read(sessionId);
      const now = await clock();
      return state.status === 'PENDING' && Date.parse(state.expireAt) <= now.getTime()
        ? await expire(sessionId, now)
        : state;
    },

    /**
     * Expires the session if the payer has not chosen and its time has come.
     * @param at the workflow's time, RFC 3339: Temporal's clock, which may be slightly ahead of ours
     * @throws a retryable failure if the session has expired only by that clock, or in a recovery
     */
    async expireCashierSession(sessionId: string, at: string): Promise<CashierState> {
      const { status, expireAt } = await read(sessionId);
      if (status === 'PENDING') refuseEarly(new Date(expireAt), new Date(at), await clock());
      return await expire(sessionId, new Date(at));
    },
  };
}

/** The steps as the workflow sees them. */
export type CashierActivities = ReturnType<typeof createCashierActivities>;
