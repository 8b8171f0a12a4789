import { ApplicationFailure, log } from '@temporalio/activity';
import { depositCallbackBody } from '../../domain/callback';
import type { DepositStatus } from '../../domain/deposit';
import { feeOfCredit } from '../../domain/fees';
import { depositCredit } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import { Batcher } from '../../db/batcher';
import type { Database } from '../../db/client';
import { CreditWriter } from '../../db/deposits/credits';
import * as db from '../../db/deposits/deposits';
import { refuseEarly } from './due';
import { refuseInRecovery } from './recovery';
import { failpoint } from '../../runtime/failpoints';
import { metrics } from '../../runtime/metrics';

/** The status of a deposit. */
export interface DepositState {
  readonly status: DepositStatus;
  /** RFC 3339, UTC. */
  readonly expireAt: string;
}

/** The dependencies of a deposit's steps. */
export interface DepositActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
}

/** Deposits that are read together: statements under way, and deposits of one. */
const LOOKUPS = { size: 32, underWay: 2 };

const stateOf = (deposit: db.DepositRow): DepositState => ({
  status: deposit.status,
  expireAt: deposit.expireAt.toISOString(),
});

const secondsBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / 1000;

/**
 * Records how long each phase of a deposit took, by the times of its row.
 * @param now when it was credited
 */
function measureCredit(deposit: db.DepositCase, actual: Money, now: Date): void {
  const { createdAt, matchedAt, currencyCode: currency } = deposit;
  // Prometheus has only floats, which suffice for a chart of the money.
  metrics.depositsCredited.inc({ currency }, actual.toNumber());
  if (!matchedAt) return;
  metrics.depositPaymentSeconds.observe(secondsBetween(createdAt, matchedAt));
  metrics.depositCreditSeconds.observe(secondsBetween(matchedAt, now));
}

/** The steps of `depositOrder`. Each is a guarded statement: it may run twice, and returns the current state. */
export function createDepositActivities({ database, clock }: DepositActivityDeps) {
  const credits = new CreditWriter(database);
  const cases = new Batcher(
    async (ids: readonly string[]) => await db.findDepositCases(database, ids),
    LOOKUPS,
    database.patience,
  );

  async function find(depositId: string): Promise<db.DepositCase> {
    const deposit = await cases.call(depositId);
    if (!deposit) throw ApplicationFailure.nonRetryable(`deposit ${depositId} does not exist`);
    return deposit;
  }

  /** The state after a guarded statement, whether this one changed it or an earlier one. */
  async function settled(deposit: db.DepositCase, status: DepositStatus, did: boolean): Promise<DepositState> {
    if (!did) return stateOf(await find(deposit.id));
    metrics.depositsSettled.inc({ status });
    log.info('deposit settled', { orderNo: deposit.orderNo, status });
    return { ...stateOf(deposit), status };
  }

  /** Expires the deposit if it is PENDING and its time has come by `now`. */
  async function expire(deposit: db.DepositCase, now: Date): Promise<DepositState> {
    await failpoint('expire.read', deposit.orderNo);
    const body = deposit.notifyDepositExpired ? depositCallbackBody('EXPIRED', deposit, now) : null;
    const expired = await db.expireDeposit(database, deposit.id, body, now);
    await failpoint('expire.expired', deposit.orderNo);
    // The statement does nothing in a recovery.
    if (!expired && deposit.status === 'PENDING') await refuseInRecovery(database);
    return await settled(deposit, 'EXPIRED', expired);
  }

  return {
    /** Credits the deposit to its merchant if it is MATCHED, and expires it if nobody paid in time. */
    async settleDeposit(depositId: string): Promise<DepositState> {
      const deposit = await find(depositId);
      await failpoint('settle.read', deposit.orderNo);
      // A workflow whose start was delayed until the expiry needs no second step.
      const now = await clock();
      if (deposit.status === 'PENDING' && deposit.expireAt <= now) return await expire(deposit, now);
      if (deposit.status !== 'MATCHED') return stateOf(deposit);
      const { received: actual, charge: fee } = deposit;
      // A bug of ours, which no retry fixes.
      if (actual === null || fee === null)
        throw ApplicationFailure.nonRetryable(`${deposit.orderNo} is MATCHED without a bank credit`);
      await failpoint('settle.crediting', deposit.orderNo);
      const credited = await credits.credit({
        depositId,
        merchantId: deposit.merchantId,
        actual,
        fee,
        postings: depositCredit(deposit.merchantId, actual, feeOfCredit(fee, deposit)),
        callbackBody: depositCallbackBody('COMPLETED', { ...deposit, actualAmount: actual }, now),
        now,
      });
      await failpoint('settle.credited', deposit.orderNo);
      if (credited) measureCredit(deposit, actual, now);
      return await settled(deposit, 'COMPLETED', credited);
    },

    /**
     * Expires the deposit if it is unmatched and its time has come.
     * @param at the workflow's time, RFC 3339: Temporal's clock, which may be slightly ahead of ours
     * @throws a retryable failure if the deposit has expired only by that clock, or in a recovery
     */
    async expireDeposit(depositId: string, at: string): Promise<DepositState> {
      const deposit = await find(depositId);
      const now = new Date(at);
      if (deposit.status === 'PENDING') refuseEarly(deposit.expireAt, now, await clock());
      return await expire(deposit, now);
    },
  };
}

/** The steps as the workflow sees them. */
export type DepositActivities = ReturnType<typeof createDepositActivities>;
