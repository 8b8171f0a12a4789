import { condition, proxyLocalActivities, setCurrentDetails } from '@temporalio/workflow';
import type { CashierStatus } from '../domain/cashier';
import type { CashierActivities } from '../temporal/activities/cashier';
import { DATABASE_STEP, listenForChanges } from './shared';

/** Written by the outbox; ids and codes only. */
export interface CashierSessionStart {
  readonly version: 1;
  readonly sessionId: string;
  readonly merchantCode: string;
  readonly currencyCode: string;
  /** The trace id of the request that opened the session. */
  readonly traceId?: string;
}

const { readCashierSession, expireCashierSession } = proxyLocalActivities<CashierActivities>(DATABASE_STEP);

/**
 * One cashier session: waits for the payer's choice until the session expires. Every change of the row wakes this
 * workflow, also a merchant's request that reuses the session and extends its expiry.
 */
export async function cashierSession(start: CashierSessionStart): Promise<CashierStatus> {
  const changes = listenForChanges();

  while (true) {
    changes.readingNow();
    let session = await readCashierSession(start.sessionId);

    if (session.status === 'PENDING') {
      setCurrentDetails(`PENDING: waits for a payer of ${start.merchantCode} to choose, until ${session.expireAt}`);
      const remaining = Date.parse(session.expireAt) - Date.now();
      const woken = remaining > 0 && (await condition(changes.arrived, remaining));
      if (!woken) session = await expireCashierSession(start.sessionId, new Date().toISOString());
    }

    if (session.status !== 'PENDING') {
      setCurrentDetails(
        session.orderNo === null
          ? `${session.status}: nothing more to do`
          : `${session.status}: its order is ${session.orderNo}`,
      );
      return session.status;
    }
  }
}
