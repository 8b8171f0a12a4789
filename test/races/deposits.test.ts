import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure, type Logger } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { Random } from '../../chaos/attack/random';
import { CatalogueError } from '../../domain/errors';
import { createCallbackActivities } from '../../temporal/activities/callbacks';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { createCallbackSender } from '../../temporal/http/callback-sender';
import { retryWhileBusy } from '../support/retry-while-busy';
import { readStories } from '../support/deposit-stories';
import { Receiver } from '../support/receiver';
import { inFull } from '../support/in-full';
import { devServer } from '../support/temporal';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { startWorkers } from '../support/workers';

const SEED = '2026-01-02';
/** Orders whose steps race as direct calls; RACES sets another number. */
const BY_STEPS = Number(process.env['RACES'] ?? (inFull ? 160 : 40));
/** Only the steps of one order race with each other; more orders at once would only make all of them wait. */
const AT_ONCE = 8;
/** Orders that race on real workers and a real server. */
const BY_WORKERS = inFull ? 40 : 12;
/** Of the workers' orders, every second one expires this long after its creation; the others expire after the race. */
const EXPIRES_AFTER_MS = 1_500;

const nothing = (): void => undefined;
const quiet: Logger = {
  log: nothing,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

/**
 * Runs racing steps on one order: in random order, each a moment after the previous one. Refusals are expected;
 * any other error fails the test.
 */
async function race(random: Random, steps: readonly (() => Promise<unknown>)[], apartMs: number) {
  let start = 0;
  const begun = random.shuffled(steps).map(async (step) => {
    start += random.next() * apartMs;
    await sleep(start);
    try {
      await step();
    } catch (error) {
      if (!(error instanceof CatalogueError && error.kind === 'BUSINESS_ERROR')) throw error;
    }
  });
  await Promise.all(begun);
}

/** Runs the work for each item, AT_ONCE of them at once. */
async function inLanes<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>) {
  const waiting = [...items].values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

describe('match, expiry, cancellation and resend at the same moment', () => {
  const random = new Random(SEED);
  let tenant: Tenant;
  let merchant: TestMerchant;
  let receiver: Receiver;
  /** The answers of the merchant's server. */
  let answers: readonly number[];
  const received = new Map<string, number>();

  /** Closes a test's workers and their server, if any. */
  let end: () => Promise<void>;

  beforeEach(async () => {
    end = () => Promise.resolve();
    tenant = await Tenant.create();
    const notified = { notifyDepositExpired: true, notifyDepositCancelled: true };
    // A busy machine may answer a callback slowly: an attempt that timed out is not part of the race.
    const settings = { depositExpireMinutes: 30, callbackTimeoutSeconds: 60 };
    merchant = await tenant.merchant({ ...notified, ...settings });
    for (let n = 0; n < 4; n++) await tenant.account();
    received.clear();
    receiver = await Receiver.listen((response, n) => {
      const { order_no } = JSON.parse(receiver.received[n]?.body ?? '{}') as { order_no: string };
      received.set(order_no, (received.get(order_no) ?? 0) + 1);
      response.writeHead(random.pick(answers)).end();
    });
  });
  afterEach(async () => {
    await end();
    await receiver.close();
    await tenant.close();
  });

  const create = async (): Promise<TestDeposit> => await tenant.deposit(merchant, { callbackUrl: receiver.url });

  /** The order's account and, once it exists, its callback. */
  async function find(orderNo: string) {
    const [row] = await tenant.database.sql<
      {
        id: string;
        accountId: string;
        status: string;
        callbackId: string | null;
        callback: string;
      }[]
    >`
      select d.id, d.account_id, d.status, n.id as callback_id, n.status as callback
      from deposit_orders d left join notification_logs n on n.order_id = d.id
      where d.order_no = ${orderNo}`;
    if (!row) throw new Error(`no order ${orderNo}`);
    return row;
  }

  /** Starts the order's workflow, which waits for its expiry. @returns the time of the expiry */
  async function expireSoon({ orderNo }: TestDeposit): Promise<number> {
    const now = new Date();
    const expireAt = now.getTime() + EXPIRES_AFTER_MS;
    await tenant.database.sql`
      update deposit_orders d set expire_at = ${new Date(expireAt)} where order_no = ${orderNo}
      returning wake_deposit(d, ${now})`;
    return expireAt;
  }

  const pay = async ({ orderNo, expectedRemark }: TestDeposit, accountId: string): Promise<void> => {
    await retryWhileBusy(async () => await tenant.notify({ accountId, memo: expectedRemark, bankReference: orderNo }));
  };
  const cancel = async ({ orderNo }: TestDeposit): Promise<void> => {
    await retryWhileBusy(async () => await tenant.operate('CancelDeposit', { orderNo, reason: 'race' }));
  };

  /** Retries for some time: a resend needs an existing callback. */
  const whenThere = async ({ orderNo }: TestDeposit, step: (callbackId: string) => Promise<unknown>): Promise<void> => {
    for (let tries = 0; tries < 8; tries++) {
      const { callbackId } = await find(orderNo);
      if (callbackId !== null) {
        await step(callbackId);
        return;
      }
      await sleep(6);
    }
  };
  const resend = async (callbackId: string): Promise<unknown> =>
    await retryWhileBusy(async () => await tenant.operate('ResendCallback', { id: callbackId, reason: 'race' }));

  async function expectOneStoryEach(orders: number): Promise<void> {
    const outcome = await readStories(tenant, merchant.id, (no) => received.get(no) ?? 0);
    process.stdout.write(
      `races: orders=${orders} ends=${JSON.stringify(outcome.ends)} resends=${outcome.resends} problems=${outcome.problems.length}\n`,
    );
    expect(outcome.problems).toEqual([]);
    expect(Object.values(outcome.ends).reduce((sum, n) => sum + n, 0)).toBe(orders);
    // It was a race: no contender won every order.
    expect(Object.keys(outcome.ends).length).toBeGreaterThanOrEqual(2);
    expect(outcome.resends).toBeGreaterThan(0);
    await expectWholeLedger(tenant);
  }

  it(`${BY_STEPS} orders by direct calls end in one final state each, and the ledger balances`, async () => {
    answers = [200, 200, 200, 200, 500, 400];
    const start = new Date();
    let now = start;
    tenant.now = () => now;
    const { database, sealer } = tenant;
    const clock = (): Promise<Date> => Promise.resolve(now);
    const sender = createCallbackSender({ webhookSslVerify: true });
    const deposits = createDepositActivities({ database, clock });
    const callbacks = createCallbackActivities({
      database,
      clock,
      sealer,
      sender,
      environment: 'sandbox',
      callbackSlots: 500,
      stopping: AbortSignal.any([]),
    });
    // As on a worker, each activity has its own context and signal.
    const perform = async <Result>(step: () => Promise<Result>): Promise<Result> =>
      await retryWhileBusy(async () => await new MockActivityEnvironment({}, { logger: quiet }).run(step));
    /** An attempt that is not the last, or not allowed now, fails so that Temporal retries it. */
    const attempt = async (callbackId: string): Promise<void> => {
      await perform(async () => await callbacks.attemptCallback(callbackId)).catch((error: unknown) => {
        if (!(error instanceof ApplicationFailure) || error.nonRetryable) throw error;
      });
    };

    const orders: TestDeposit[] = [];
    await inLanes(Array(BY_STEPS).keys(), async () => {
      orders.push(await create());
    });

    const due = new Date(orders[0]?.expireAt ?? '');
    now = due;
    await inLanes(orders, async (order) => {
      const { id, accountId } = await find(order.orderNo);
      const settle = async (): Promise<unknown> => await perform(async () => await deposits.settleDeposit(id));
      const expire = async (): Promise<unknown> =>
        await perform(async () => await deposits.expireDeposit(id, due.toISOString()));
      await race(
        random,
        [
          async () => {
            await pay(order, accountId);
            await settle();
          },
          settle,
          // Each step may run twice.
          expire,
          expire,
          async () => {
            await cancel(order);
          },
          async () => {
            await whenThere(order, resend);
          },
          async () => {
            await whenThere(order, attempt);
          },
          async () => {
            await whenThere(order, attempt);
          },
        ],
        8,
      );
    });

    // The remaining time
    for (let left = orders; left.length > 0;) {
      now = new Date(now.getTime() + 31_000);
      const open: TestDeposit[] = [];
      await inLanes(left, async (order) => {
        const { id, callbackId, callback } = await find(order.orderNo);
        if (callbackId !== null && callback !== 'WAITING_RETRY') return;
        open.push(order);
        if (callbackId === null) await perform(async () => await deposits.settleDeposit(id));
        else await attempt(callbackId);
      });
      left = open;
    }

    sender.close();
    await expectOneStoryEach(BY_STEPS);
  }, 300_000);

  it(`${BY_WORKERS} orders by real workers on a real server end in one final state each, and the ledger balances`, async () => {
    // The second attempt is due only after 30 s.
    answers = [200, 400];
    const temporal = await devServer();
    const workers = await startWorkers(tenant, temporal);
    end = async () => {
      await workers.stop();
      await temporal.stop();
    };

    workers.relay.start();

    // Some expire while they are paid and cancelled. On a slow machine the expiry may win each of these; the others
    // are
    // only paid and cancelled, in random order.
    const orders: TestDeposit[] = [];
    await inLanes(Array(BY_WORKERS).keys(), async (n) => {
      const order = await create();
      orders.push(order);
      const { accountId } = await find(order.orderNo);
      // The step runs shortly after its timer.
      if (n % 2 === 0) await sleep((await expireSoon(order)) - Date.now() - 60);
      await race(
        random,
        [
          async () => {
            await pay(order, accountId);
          },
          async () => {
            await cancel(order);
          },
          async () => {
            for (let tries = 0; tries < 1_500; tries++) {
              const { callback, callbackId } = await find(order.orderNo);
              if (callbackId !== null && random.chance(0.3)) {
                await resend(callbackId);
                return;
              }
              if (callback === 'SUCCESS' && random.chance(0.5)) return;
              await sleep(20);
            }
          },
        ],
        120,
      );
    });
    const isOver = async ({ orderNo }: TestDeposit): Promise<boolean> => {
      const { callback } = await find(orderNo);
      return callback === 'SUCCESS' || callback === 'FAILED';
    };
    await until('the end of every order', async () => (await Promise.all(orders.map(isOver))).every(Boolean));
    await expectOneStoryEach(BY_WORKERS);
  }, 300_000);
});
