import { ApplicationFailure, log } from '@temporalio/activity';
import type { CashierStatus } from '../../domain/cashier';
import * as db from '../../db/cashier/sessions';
import type { Database } from '../../db/client';

/** Where a cashier session stands. */
export interface CashierState {
  readonly status: CashierStatus;
  /** RFC 3339, UTC. */
  readonly expireAt: string;
  /** Of the order that came of it. */
  readonly orderNo: string | null;
}

/** What the steps of a cashier session stand on. */
export interface CashierActivityDeps {
  readonly database: Database;
}

/** The steps of `cashierSession`. Each may run twice, and says what is there now. */
export function createCashierActivities({ database }: CashierActivityDeps) {
  async function read(sessionId: string): Promise<CashierState> {
    const state = await db.findCashierState(database, sessionId);
    if (!state) throw ApplicationFailure.nonRetryable(`there is no cashier session ${sessionId}`);
    const { status, expireAt, orderNo } = state;
    return { status, expireAt: expireAt.toISOString(), orderNo };
  }

  return {
    /** Where the session stands. */
    async readCashierSession(sessionId: string): Promise<CashierState> {
      return await read(sessionId);
    },

    /** Expires the session if nobody chose and its time has come. @param at the workflow's time, RFC 3339 */
    async expireCashierSession(sessionId: string, at: string): Promise<CashierState> {
      const expired = await db.expireCashierSession(database, sessionId, new Date(at));
      if (expired) log.info('cashier session expired', { sessionId });
      return await read(sessionId);
    },
  };
}

/** As the workflow sees them. */
export type CashierActivities = ReturnType<typeof createCashierActivities>;
