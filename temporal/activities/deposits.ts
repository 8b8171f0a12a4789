import { ApplicationFailure, log } from '@temporalio/activity';
import { depositCallbackBody } from '../../domain/callback';
import type { DepositStatus } from '../../domain/deposit';
import { depositCredit } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import type { Database } from '../../db/client';
import { CreditWriter } from '../../db/deposits/credits';
import * as db from '../../db/deposits/deposits';
import { failpoint } from '../../runtime/failpoints';
import { metrics } from '../../runtime/metrics';

/** Where a deposit stands. */
export interface DepositState {
  readonly status: DepositStatus;
  /** RFC 3339, UTC. */
  readonly expireAt: string;
}

/** What the steps of a deposit stand on. */
export interface DepositActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

const stateOf = (deposit: db.DepositRow): DepositState => ({
  status: deposit.status,
  expireAt: deposit.expireAt.toISOString(),
});

const secondsBetween = (from: Date, to: Date): number =>
  Math.max(0, to.getTime() - from.getTime()) / 1000;

/** Tells how long each stage of a deposit took, by the times of its row. @param now when it was credited */
function measureCredit(deposit: db.DepositCase, actual: Money, now: Date): void {
  const { createdAt, matchedAt, currencyCode: currency } = deposit;
  // Prometheus knows floats alone: a picture of the money.
  metrics.depositsCredited.inc({ currency }, actual.toNumber());
  if (!matchedAt) return;
  metrics.depositPaymentSeconds.observe(secondsBetween(createdAt, matchedAt));
  metrics.depositCreditSeconds.observe(secondsBetween(matchedAt, now));
}

/** The steps of `depositOrder`. Each is a guarded statement: it may run twice, and says what is there now. */
export function createDepositActivities({ database, clock }: DepositActivityDeps) {
  const credits = new CreditWriter(database);

  async function find(depositId: string): Promise<db.DepositCase> {
    const deposit = await db.findDepositCase(database, depositId);
    if (!deposit) throw ApplicationFailure.nonRetryable(`there is no deposit ${depositId}`);
    return deposit;
  }

  /** Says what a guarded statement did, or what it found done. */
  async function settled(
    deposit: db.DepositCase,
    status: DepositStatus,
    did: boolean,
  ): Promise<DepositState> {
    if (!did) return stateOf(await find(deposit.id));
    metrics.depositsSettled.inc({ status });
    log.info('deposit settled', { orderNo: deposit.orderNo, status });
    return { ...stateOf(deposit), status };
  }

  return {
    /** Credits the deposit to its merchant if its money has been recognised. */
    async settleDeposit(depositId: string): Promise<DepositState> {
      const deposit = await find(depositId);
      await failpoint('settle.read', deposit.orderNo);
      if (deposit.status !== 'MATCHED') return stateOf(deposit);
      const { received: actual, charge: fee } = deposit;
      // A fault of ours, which no retry mends.
      if (actual === null || fee === null)
        throw ApplicationFailure.nonRetryable(`${deposit.orderNo} is matched without a transfer`);
      const now = await clock();
      await failpoint('settle.crediting', deposit.orderNo);
      const credited = await credits.credit({
        depositId,
        merchantId: deposit.merchantId,
        actual,
        fee,
        postings: depositCredit(deposit.merchantId, actual, fee),
        callbackBody: depositCallbackBody('COMPLETED', { ...deposit, actualAmount: actual }, now),
        now,
      });
      await failpoint('settle.credited', deposit.orderNo);
      if (credited) measureCredit(deposit, actual, now);
      return await settled(deposit, 'COMPLETED', credited);
    },

    /** Expires the deposit if nothing matched and its time has come. @param at the workflow's time, RFC 3339 */
    async expireDeposit(depositId: string, at: string): Promise<DepositState> {
      const deposit = await find(depositId);
      await failpoint('expire.read', deposit.orderNo);
      const now = new Date(at);
      const body = deposit.notifyDepositExpired
        ? depositCallbackBody('EXPIRED', deposit, now)
        : null;
      const expired = await db.expireDeposit(database, depositId, body, now);
      await failpoint('expire.expired', deposit.orderNo);
      return await settled(deposit, 'EXPIRED', expired);
    },
  };
}

/** As the workflow sees them. */
export type DepositActivities = ReturnType<typeof createDepositActivities>;
