import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { type CallbackActivityDeps, createCallbackActivities } from './activities/callbacks';
import { createCashierActivities } from './activities/cashier';
import { createDepositActivities, type DepositActivityDeps } from './activities/deposits';
import { measureActivities } from './activity-metrics';
import { createMailActivities, type MailActivityDeps } from './activities/mails';
import { createPayoutActivities, type PayoutActivityDeps } from './activities/payouts';
import { createChannelActivities, type ChannelActivityDeps } from './activities/channels';
import { traceActivities } from './activity-trace';
import { createHoldActivities, type HoldActivityDeps } from './activities/holds';
import { createSweepActivities, type SweepActivityDeps } from './activities/sweeps';
import { createWithdrawalActivities, type WithdrawalActivityDeps } from './activities/withdrawals';
import { CALLBACKS_TASK_QUEUE, ORDERS_TASK_QUEUE, PAYOUTS_TASK_QUEUE } from '../workflows/shared';

/** The dependencies of all activities. */
export type ActivityDeps = DepositActivityDeps &
  Omit<CallbackActivityDeps, 'callbackSlots'> &
  SweepActivityDeps &
  HoldActivityDeps &
  WithdrawalActivityDeps &
  PayoutActivityDeps &
  ChannelActivityDeps &
  MailActivityDeps;

/** What the workers run, and where. */
export interface WorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: WorkflowBundleOption;
  readonly deps: ActivityDeps;
}

/** Concurrent requests to merchants' servers: each may hang for its merchant's whole timeout, within its lane. */
const CALLBACK_SLOTS = 500;
/** Concurrent requests to channels: one that hangs delays no other payout. */
const PAYOUT_SLOTS = 200;
/** Orders whose workflow is cached between its tasks. */
export const CACHED_WORKFLOWS = 1_000;
/** The same for callbacks: most end at once, and a waiting one has a short history to replay. */
const CACHED_CALLBACKS = 200;
/** On shutdown, attempts that last longer than this are aborted and counted as failed; Temporal makes the next. */
const SHUTDOWN_GRACE = '3s';

/**
 * Runs orders with their short database steps, and, on queues of their own, callbacks with their requests to merchants
 * and payouts with their requests to channels. The first two queues know all workflows: a callback that an older
 * release started waits on the orders' queue.
 */
export class Workers {
  private constructor(private readonly workers: readonly Worker[]) {}

  static async create({
    connection,
    namespace,
    workflowBundle,
    deps,
  }: WorkerOptions): Promise<Workers> {
    const common = {
      connection,
      namespace,
      workflowBundle,
      shutdownGraceTime: SHUTDOWN_GRACE,
      interceptors: { activity: [traceActivities, measureActivities] },
    };
    const payouts = createPayoutActivities(deps);
    return new Workers([
      await Worker.create({
        ...common,
        taskQueue: ORDERS_TASK_QUEUE,
        activities: {
          ...createDepositActivities(deps),
          ...createCashierActivities(deps),
          ...createWithdrawalActivities(deps),
          // Routing is a local step; the requests run on the payouts' queue.
          ...payouts,
          ...createSweepActivities(deps),
          ...createHoldActivities(deps),
        },
        maxCachedWorkflows: CACHED_WORKFLOWS,
      }),
      await Worker.create({
        ...common,
        taskQueue: CALLBACKS_TASK_QUEUE,
        activities: {
          ...createCallbackActivities({ ...deps, callbackSlots: CALLBACK_SLOTS }),
          ...createMailActivities(deps),
        },
        maxCachedWorkflows: CACHED_CALLBACKS,
        maxConcurrentActivityTaskExecutions: CALLBACK_SLOTS,
      }),
      await Worker.create({
        ...{ connection, namespace, interceptors: common.interceptors },
        shutdownGraceTime: SHUTDOWN_GRACE,
        taskQueue: PAYOUTS_TASK_QUEUE,
        activities: { ...payouts, ...createChannelActivities(deps) },
        maxConcurrentActivityTaskExecutions: PAYOUT_SLOTS,
      }),
    ]);
  }

  /** Resolves when all workers have stopped; rejects when one fails. */
  async run(): Promise<void> {
    await Promise.all(
      this.workers.map(async (worker) => {
        await worker.run();
      }),
    );
  }

  shutdown(): void {
    for (const worker of this.workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  }
}
