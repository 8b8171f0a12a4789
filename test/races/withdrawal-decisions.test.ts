import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, type Logger } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Random } from '../../chaos/attack/random';
import { CatalogueError } from '../../domain/errors';
import { workflowId } from '../../domain/ids';
import { isFinalWithdrawal, type WithdrawalStatus } from '../../domain/withdrawal';
import { createLogger } from '../../runtime/log';
import { createPayoutActivities } from '../../temporal/activities/payouts';
import { createWithdrawalActivities } from '../../temporal/activities/withdrawals';
import { DecisionDesk } from '../../temporal/decision-desk';
import { inFull } from '../support/in-full';
import { devServer } from '../support/temporal';
import { retryWhileBusy } from '../support/retry-while-busy';
import { type OperatorActor, Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { readWithdrawalStories } from '../support/withdrawal-stories';
import { startWorkers } from '../support/workers';

const SEED = '2026-02-03';
/** Withdrawals whose steps race as direct calls; RACES sets another number. */
const BY_STEPS = Number(process.env['RACES'] ?? (inFull ? 160 : 40));
const AT_ONCE = 20;
/** Withdrawals that race on real workers and a real server. */
const BY_WORKERS = inFull ? 30 : 12;
const DECIDE_WITHIN_MS = 60_000;
/** A contender with fewer steps waits this long, so that it does not always win. */
const CANCEL_LATER_MS = 150;
const DEADLINE_LATER_MS = 100;
/** The time in which an idle machine creates the orders for the workers. */
const QUIET_MS = 500;

const nothing = (): void => undefined;
const quiet: Logger = {
  log: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

interface Withdrawal {
  readonly id: string;
  readonly orderNo: string;
}

type Step = () => Promise<unknown>;

/** The errors that a losing contender may get. Any other fails the test. */
const isRefusal = (error: unknown): boolean =>
  (error instanceof CatalogueError && ['BUSINESS_ERROR', 'CONFLICT'].includes(error.kind)) ||
  (error instanceof ApplicationFailure && error.type === 'PayoutTaken');

/** @returns whether the step succeeded */
async function tried(step: Step): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

/** Runs racing steps on one order: in random order, each a moment after the previous one. */
async function race(random: Random, steps: readonly Step[], apartMs: number): Promise<void> {
  let start = 0;
  const begun = random.shuffled(steps).map(async (step) => {
    start += random.next() * apartMs;
    await sleep(start);
    await tried(step);
  });
  await Promise.all(begun);
}

describe('approval, rejection, cancellation and deadline at the same moment', () => {
  const random = new Random(SEED);
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let bob: OperatorActor;
  let cy: OperatorActor;
  let tess: OperatorActor;
  let tom: OperatorActor;

  /** Closes a test's workers and their server, if any. */
  let end: () => Promise<void>;

  beforeEach(async () => {
    end = () => Promise.resolve();
    tenant = await Tenant.create();
    bob = await tenant.person('bob', ['approve']);
    cy = await tenant.person('cy', ['approve']);
    tess = await tenant.person('tess', ['treasurer']);
    tom = await tenant.person('tom', ['treasurer']);
    accountId = await tenant.account();
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
    merchant = await tenant.merchant({ canWithdraw: true });
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '100000',
      reason: 'test',
      evidence: { text: 'wire' },
    });
    await tenant.operate('PutReviewRules', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      reason: 'test',
      rules: { decideWithinMinutes: DECIDE_WITHIN_MS / 60_000 },
    });
  });
  afterEach(async () => {
    await end();
    await tenant.close();
  });

  /** Withdrawals that wait for a person; nothing receives their callbacks. */
  async function created(orders: number): Promise<Withdrawal[]> {
    const callbackUrl = 'http://127.0.0.1:9/nobody-listens';
    return await Promise.all(
      Array.from(
        { length: orders },
        async () =>
          await tenant.withdrawal<Withdrawal>(merchant, {
            amount: String(1 + random.below(99)),
            callbackUrl,
          }),
      ),
    );
  }

  async function stateOf({ id }: Withdrawal) {
    const [row] = await tenant.database.sql<{ status: WithdrawalStatus; task: string | null }[]>`
      select w.status, a.status as task
      from withdrawal_orders w left join payout_attempts a on a.withdrawal_id = w.id where w.id = ${id}`;
    if (!row) throw new Error(`no withdrawal ${id}`);
    return row;
  }

  const act = async (
    name: string,
    { orderNo }: Withdrawal,
    actor: OperatorActor,
    more: object = {},
  ): Promise<unknown> => await retryWhileBusy(async () => await tenant.operate(name, { orderNo, ...more }, actor));
  const approve = async (order: Withdrawal): Promise<unknown> => await act('ApproveWithdrawal', order, bob);
  const reject = async (order: Withdrawal): Promise<unknown> =>
    await act('RejectWithdrawal', order, cy, { remarks: 'race' });
  const cancel = async (order: Withdrawal): Promise<unknown> =>
    await act('CancelTransfer', order, tom, { reason: 'race' });
  const pay = async (order: Withdrawal): Promise<void> => {
    await act('ClaimTransfer', order, tess, { accountId });
    await act('BeginTransfer', order, tess);
    await act('CompleteTransfer', order, tess, { bankReference: order.orderNo });
  };

  /** Retries until the order is final: a task exists only after the approval. */
  const untilFinal = async (order: Withdrawal, step: Step): Promise<void> => {
    for (;;) {
      const { status, task } = await stateOf(order);
      if (isFinalWithdrawal(status)) return;
      await sleep(6);
      if (task !== null && (await tried(step))) return;
    }
  };
  const untilCancelled = async (order: Withdrawal): Promise<void> => {
    await untilFinal(order, async () => {
      await sleep(random.next() * CANCEL_LATER_MS);
      await cancel(order);
    });
  };
  const untilPaid = async (order: Withdrawal): Promise<void> => {
    await untilFinal(order, async () => {
      await pay(order);
    });
  };

  async function expectOneWinnerEach(orders: number): Promise<void> {
    const { ends, escalated, problems } = await readWithdrawalStories(tenant, merchant.id);
    const winners = Object.values(ends).reduce((sum, n) => sum + n, 0);
    process.stdout.write(
      `races: raced=${orders} winners=${winners} ends=${JSON.stringify(ends)} escalated=${escalated} problems=${problems.length}\n`,
    );
    expect(problems).toEqual([]);
    expect(winners).toBe(orders);
    // It was a race: no contender won every order.
    expect(Object.keys(ends).length).toBeGreaterThanOrEqual(2);
    expect(escalated).toBeGreaterThan(0);
    expect(escalated).toBeLessThan(orders);
    await expectWholeLedger(tenant);
  }

  it('a person ends a transfer between two reads of the workflow: it waits for the wake, and does not fail', async () => {
    const { database } = tenant;
    const clock = (): Promise<Date> => Promise.resolve(new Date());
    const withdrawals = createWithdrawalActivities({ database, clock });
    const { openChannel } = tenant.graph.core;
    const payouts = createPayoutActivities({ database, clock, openChannel, ...tenant.seals });
    const activity = new MockActivityEnvironment({}, { logger: quiet });
    const route = async (id: string): Promise<unknown> => await activity.run(async () => await payouts.routePayout(id));
    for (const end of [pay, cancel]) {
      const [order] = await created(1);
      if (!order) throw new Error('no withdrawal');
      await approve(order);
      const read = await activity.run(async () => await withdrawals.settleWithdrawal(order.id));
      expect(read).toMatchObject({ status: 'APPROVED' });
      expect(await route(order.id)).toEqual({ kind: 'WAIT' });
      await end(order);
      expect(await route(order.id)).toEqual({ kind: 'WAIT' });
    }
  });

  it(`${BY_STEPS} withdrawals by direct calls have one winner each, and the ledger balances`, async () => {
    let now = new Date();
    tenant.now = () => now;
    const { database } = tenant;
    const clock = (): Promise<Date> => Promise.resolve(now);
    const withdrawals = createWithdrawalActivities({ database, clock });
    const { openChannel } = tenant.graph.core;
    const payouts = createPayoutActivities({ database, clock, openChannel, ...tenant.seals });
    const activity = new MockActivityEnvironment({}, { logger: quiet });
    const perform = async (step: Step): Promise<unknown> => await retryWhileBusy(async () => await activity.run(step));
    const settle = async ({ id }: Withdrawal): Promise<unknown> =>
      await perform(async () => await withdrawals.settleWithdrawal(id));
    const escalate = async ({ id }: Withdrawal): Promise<unknown> =>
      await perform(async () => {
        await withdrawals.escalateWithdrawal(id, now.toISOString());
      });
    const deadline = async (order: Withdrawal): Promise<unknown> => {
      await sleep(random.next() * Math.max(DEADLINE_LATER_MS, 2 * decidingMs));
      return await escalate(order);
    };
    /** Duration of the last decision: on a slow machine the deadline must not always win. */
    let decidingMs = 0;
    const route = async ({ id }: Withdrawal): Promise<unknown> =>
      await perform(async () => {
        const step = await payouts.routePayout(id);
        // As the workflow does. A failure that Temporal does not retry would end it.
        if (step.kind === 'ASK') await payouts.askPayout(step.attemptId);
      });

    const orders: Withdrawal[] = [];
    while (orders.length < BY_STEPS) orders.push(...(await created(AT_ONCE)));
    now = new Date(now.getTime() + DECIDE_WITHIN_MS);

    for (let begun = 0; begun < BY_STEPS; begun += AT_ONCE)
      await Promise.all(
        orders.slice(begun, begun + AT_ONCE).map(async (order) => {
          const contenders = [
            ...[approve, reject].map((decide) => async () => {
              const begun = performance.now();
              await decide(order);
              decidingMs = performance.now() - begun;
              await settle(order);
              await route(order);
            }),
            // Each step of the workflow may run twice.
            ...[settle, settle, deadline, deadline, route].map((step) => () => step(order)),
            () => untilCancelled(order),
            () => untilPaid(order),
          ];
          await race(random, contenders, 8);
        }),
      );

    await expectOneWinnerEach(BY_STEPS);
  }, 300_000);

  it(`${BY_WORKERS} withdrawals by real workers on a real server have one winner each, and the ledger balances`, async () => {
    const temporal = await devServer();
    const workers = await startWorkers(tenant, temporal);
    end = async () => {
      await workers.stop();
      await temporal.stop();
    };
    const decisions = new DecisionDesk(temporal.env.client, createLogger('test', 'silent'));
    Object.assign(tenant.graph.core, { decisions });

    // All deadlines are equal, some time after the workflows start: later on a slow machine.
    const begun = Date.now();
    const orders = await created(BY_WORKERS);
    const slowness = Math.max(1, (Date.now() - begun) / QUIET_MS);
    const deadline = Date.now() + 4_000 * slowness;
    await tenant.database.sql`update withdrawal_orders set decide_by = ${new Date(deadline)}`;
    workers.relay.start();
    await sleep(deadline - Date.now() - 100);
    await Promise.all(
      orders.map(async (order) => {
        const contenders = [
          () => approve(order),
          () => reject(order),
          () => untilCancelled(order),
          () => untilPaid(order),
        ];
        await race(random, contenders, 300 * slowness);
      }),
    );
    const { workflow } = temporal.env.client;
    await Promise.all(
      orders.map(async ({ orderNo }) => {
        await workflow.getHandle(workflowId('withdrawal', orderNo)).result();
      }),
    );
    await expectOneWinnerEach(BY_WORKERS);
  }, 300_000);
});
