import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { uuidv7 } from 'uuidv7';
import type { CashierSessionStart } from '../../workflows/cashier-session';
import type { DepositOrderStart } from '../../workflows/deposit-order';
import { changed, ORDERS_TASK_QUEUE } from '../../workflows/shared';
import type { WithdrawalOrderStart } from '../../workflows/withdrawal-order';
import { ownTime } from '../support/stopwatch';
import { devServer, type TestTemporal, workflowBundlePath } from '../support/temporal';
import { until } from '../support/until';
// The tests' runtime writes no log.
import '../support/workers';

/** How long the rows below make their workflow wait, milliseconds. A lost wake would cost this long. */
const UNTIL_DUE = 20_000;

const order = {
  version: 1,
  orderNo: 'X1',
  merchantCode: 'M1',
  currencyCode: 'THB',
  amount: '100.0000',
} as const;

/** A workflow that waits for changes of its row. */
interface Waiting {
  readonly workflow: string;
  readonly start: DepositOrderStart | WithdrawalOrderStart | CashierSessionStart;
  /** The activity that reads the row. */
  readonly reads: string;
  /** The activity that runs when the wait ends without a wake. */
  readonly overdue: string;
  /** The row before and after the change. */
  readonly before: (due: string) => object;
  readonly since: object;
}

const WAITING: readonly Waiting[] = [
  {
    workflow: 'depositOrder',
    reads: 'settleDeposit',
    overdue: 'expireDeposit',
    start: { ...order, depositId: uuidv7() },
    before: (expireAt) => ({ status: 'PENDING', expireAt }),
    since: { status: 'COMPLETED' },
  },
  {
    workflow: 'withdrawalOrder',
    reads: 'settleWithdrawal',
    overdue: 'escalateWithdrawal',
    start: { ...order, withdrawalId: uuidv7() },
    before: (escalatesAt) => ({ status: 'PENDING', waitsFor: 'a decision', escalatesAt }),
    since: { status: 'REJECTED', waitsFor: null, escalatesAt: null, payoutDoubted: false },
  },
  {
    workflow: 'cashierSession',
    reads: 'readCashierSession',
    overdue: 'expireCashierSession',
    start: { ...order, sessionId: uuidv7() },
    before: (expireAt) => ({ status: 'PENDING', expireAt, orderNo: null }),
    since: { status: 'USED', orderNo: 'D1' },
  },
];

/**
 * The row changes between the workflow's read and its wait. The wake must not be lost: otherwise only the sweep finds
 * the order, a minute later.
 */
describe('a wake between the read of a row and the wait', () => {
  let temporal: TestTemporal;

  beforeAll(async () => {
    temporal = await devServer();
  });
  afterAll(async () => {
    await temporal.stop();
  });

  /** Whether the workflow has processed the signal: a workflow task completed after it. */
  async function hasSignal(handle: WorkflowHandle): Promise<boolean> {
    const { events } = await handle.fetchHistory();
    const signal = events?.findIndex((event) => event.workflowExecutionSignaledEventAttributes);
    if (!events || signal === undefined || signal < 0) return false;
    return events.slice(signal).some((event) => event.workflowTaskCompletedEventAttributes);
  }

  it.each(WAITING)('is processed by $workflow within a second', async (waiting) => {
    const { client, nativeConnection } = temporal.env;
    const workflowId = uuidv7();
    const handle = client.workflow.getHandle(workflowId);
    let hasRead = (): void => undefined;
    const read = new Promise<void>((resolve) => (hasRead = resolve));
    let isChanged = false;
    const worker = await Worker.create({
      connection: nativeConnection,
      namespace: 'default',
      taskQueue: ORDERS_TASK_QUEUE,
      workflowBundle: { codePath: workflowBundlePath() },
      activities: {
        [waiting.reads]: async () => {
          if (isChanged) return waiting.since;
          isChanged = true;
          await handle.signal(changed);
          await until('the wake to reach the workflow', async () => await hasSignal(handle));
          hasRead();
          return waiting.before(new Date(Date.now() + UNTIL_DUE).toISOString());
        },
        [waiting.overdue]: () => Promise.resolve(waiting.since),
      },
    });
    await worker.runUntil(async () => {
      await client.workflow.start(waiting.workflow, {
        workflowId,
        taskQueue: ORDERS_TASK_QUEUE,
        args: [waiting.start],
        // A local activity that lasts most of its workflow task starts a new one, which brings the signal.
        workflowTaskTimeout: '2s',
      });
      await read;
      const { ms } = await ownTime(async () => (await handle.result()) as unknown);
      expect(ms).toBeLessThan(1_000);
    });
  });
});
