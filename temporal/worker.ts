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

/** What all activities stand on. */
export type ActivityDeps = DepositActivityDeps &
  CallbackActivityDeps &
  SweepActivityDeps &
  HoldActivityDeps &
  WithdrawalActivityDeps &
  PayoutActivityDeps &
  ChannelActivityDeps &
  MailActivityDeps;

/** What the workers run and where. */
export interface WorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: WorkflowBundleOption;
  readonly deps: ActivityDeps;
}

/** Requests to merchants' servers under way at once: each may hang for its merchant's whole timeout. */
const CALLBACK_SLOTS = 500;
/** Requests to channels under way at once: one that hangs holds up nobody else's payouts. */
const PAYOUT_SLOTS = 200;
/** Orders whose workflow stays in memory between its tasks. */
export const CACHED_WORKFLOWS = 1_000;
/** Callbacks likewise: most end at once, and the history of one that waits is short to replay. */
const CACHED_CALLBACKS = 200;
/** Attempts that last longer are cut off and counted as failed; Temporal makes the next. */
const SHUTDOWN_GRACE = '3s';

/**
 * Runs orders with their short database steps, and, on queues of their own, callbacks with the requests to merchants
 * and payouts with those to channels. The first two know all workflows: a callback that an older release started waits on the orders' queue.
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
          // Of these, routing is a local step; the requests are taken from the payouts' queue.
          ...payouts,
          ...createSweepActivities(deps),
          ...createHoldActivities(deps),
        },
        maxCachedWorkflows: CACHED_WORKFLOWS,
      }),
      await Worker.create({
        ...common,
        taskQueue: CALLBACKS_TASK_QUEUE,
        activities: { ...createCallbackActivities(deps), ...createMailActivities(deps) },
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

  /** Resolves when all have stopped; rejects when one fails. */
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
