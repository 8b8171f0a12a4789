import { setMaxListeners } from 'node:events';
import {
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
  type WorkerOptions as SdkWorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { WORKER_QUEUES, type WorkerQueue } from '../domain/worker-queues';
import { DEFAULT_SIZES, type WorkerSizes } from '../runtime/worker-settings';
import { type BillingActivityDeps, createBillingActivities } from './activities/billing';
import { type BooksActivityDeps, createBooksActivities } from './activities/books';
import { type CallbackActivityDeps, createCallbackActivities } from './activities/callbacks';
import { createCashierActivities } from './activities/cashier';
import { type ChannelDepositActivityDeps, createChannelDepositActivities } from './activities/channel-deposits';
import { createDepositActivities, type DepositActivityDeps } from './activities/deposits';
import { measureActivities, tellAfter } from './activity-metrics';
import { createMailActivities, type MailActivityDeps } from './activities/mails';
import { createPlatformEventActivities, type PlatformEventActivityDeps } from './activities/platform-events';
import { createPayoutActivities, type PayoutActivityDeps } from './activities/payouts';
import { createChannelActivities, type ChannelActivityDeps } from './activities/channels';
import { traceActivities } from './activity-trace';
import { type CloseActivityDeps, createCloseActivities } from './activities/closes';
import { createHoldActivities, type HoldActivityDeps } from './activities/holds';
import { createPurgeActivities, type PurgeActivityDeps } from './activities/purge';
import { createSweepActivities, type SweepActivityDeps } from './activities/sweeps';
import { createSettlementActivities, type SettlementActivityDeps } from './activities/settlements';
import { DEPLOYMENT_NAME } from './worker-version';
import { createWithdrawalActivities, type WithdrawalActivityDeps } from './activities/withdrawals';
import {
  BACKGROUND_TASK_QUEUE,
  CALLBACKS_TASK_QUEUE,
  CHANNEL_DEPOSITS_TASK_QUEUE,
  ORDERS_TASK_QUEUE,
  PAYOUTS_TASK_QUEUE,
  WITHDRAWALS_TASK_QUEUE,
} from '../workflows/shared';

/** The dependencies of all activities. */
export type ActivityDeps = DepositActivityDeps &
  ChannelDepositActivityDeps &
  Omit<CallbackActivityDeps, 'callbackSlots' | 'stopping'> &
  SweepActivityDeps &
  CloseActivityDeps &
  BillingActivityDeps &
  SettlementActivityDeps &
  HoldActivityDeps &
  BooksActivityDeps &
  PurgeActivityDeps &
  WithdrawalActivityDeps &
  PayoutActivityDeps &
  ChannelActivityDeps &
  MailActivityDeps &
  PlatformEventActivityDeps;

/** What the workers run, and on which server. */
export interface WorkerOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly workflowBundle: WorkflowBundleOption;
  /** The build of the workflows' code, for worker versioning; without it the workers are unversioned. */
  readonly buildId?: string;
  /** The queues to serve; by default all. */
  readonly queues?: readonly WorkerQueue[];
  /** How much they do at once. */
  readonly sizes?: WorkerSizes;
  readonly deps: ActivityDeps;
  /** Called after each step: it may have committed work for the relay. */
  readonly afterStep?: () => void;
}

/** Workflows of the background queue that stay cached between their tasks. */
const CACHED_BACKGROUND = 50;
/**
 * Slots that no poll holds: for first tasks that come with the answer to a start. With 5 half of a rush's deposits found
 * none free, and went through the queue. Callbacks have enough.
 */
const EAGER_TASKS = 32;
/** Activities of a queue that sets no number: the SDK's own default. */
const OTHER_ACTIVITIES = 100;
/** On shutdown, attempts that last longer than this are aborted and counted as failed; Temporal makes the next. */
const SHUTDOWN_GRACE_MS = 3_000;

/** An open workflow continues on the current version: on one machine no older one keeps running. */
const deploymentOptions = (buildId: string): WorkerDeploymentOptions => ({
  useWorkerVersioning: true,
  version: { deploymentName: DEPLOYMENT_NAME, buildId },
  defaultVersioningBehavior: 'AUTO_UPGRADE',
});

/**
 * Runs deposits, withdrawals, callbacks with their requests to merchants, payouts with their requests to channels, and
 * background work, each on a queue with slots of its own. The orders' queue knows all workflows and their steps.
 */
export class Workers {
  private constructor(
    private readonly workers: readonly Worker[],
    private readonly stopping: AbortController,
  ) {}

  static async create({
    connection,
    namespace,
    workflowBundle,
    buildId,
    queues = WORKER_QUEUES,
    sizes = DEFAULT_SIZES,
    deps,
    afterStep = () => undefined,
  }: WorkerOptions): Promise<Workers> {
    /** Slots of workflow tasks and of activities, with as many polls as both the slots and the setting allow. */
    const tasks = (most: number) => ({
      maxConcurrentWorkflowTaskExecutions: most,
      maxConcurrentWorkflowTaskPolls: Math.min(sizes.pollers, most),
    });
    const activities = (most: number) => ({
      maxConcurrentActivityTaskExecutions: most,
      maxConcurrentActivityTaskPolls: Math.min(sizes.pollers, most),
    });
    /** The same, with slots for first tasks: polls of new workflows and of cached ones hold a slot each, twice as many in all. */
    const eagerTasks = (most: number) => ({
      ...tasks(most),
      maxConcurrentWorkflowTaskExecutions: 2 * most + EAGER_TASKS,
    });
    // A callback's workflow task lasts as long as the first attempt in it: as many as attempts, and some without one.
    const callbackTasks = Math.ceil(sizes.callbackSlots * 1.2);
    const all = {
      connection,
      namespace,
      shutdownGraceTime: SHUTDOWN_GRACE_MS,
      interceptors: { activity: [traceActivities, measureActivities, tellAfter(afterStep)] },
      ...(buildId !== undefined && { workerDeploymentOptions: deploymentOptions(buildId) }),
    };
    const common = { ...all, workflowBundle };
    const stopping = new AbortController();
    // Each attempt under way adds a listener.
    setMaxListeners(0, stopping.signal);
    const callbacks = { callbackSlots: sizes.callbackSlots, stopping: stopping.signal };
    const payouts = createPayoutActivities(deps);
    const channelDeposits = createChannelDepositActivities(deps);
    // Routing is a local step; the requests run on the payouts' queue.
    const withdrawals = { ...createWithdrawalActivities(deps), ...payouts };
    const mails = createMailActivities(deps);
    const background = {
      ...createSweepActivities(deps),
      ...createCloseActivities(deps),
      ...createBillingActivities(deps),
      ...createSettlementActivities(deps),
      ...createHoldActivities(deps),
      ...createBooksActivities(deps),
      ...createPurgeActivities(deps),
      ...mails,
      ...createPlatformEventActivities(deps),
    };
    const options: Readonly<Record<WorkerQueue, SdkWorkerOptions>> = {
      orders: {
        ...common,
        taskQueue: ORDERS_TASK_QUEUE,
        activities: {
          ...createDepositActivities(deps),
          ...channelDeposits,
          ...createCashierActivities(deps),
          ...withdrawals,
          ...background,
        },
        maxCachedWorkflows: sizes.cachedOrders,
        ...eagerTasks(sizes.orderTasks),
        ...activities(OTHER_ACTIVITIES),
        // Most orders have a single task, for which nothing is cached.
        nonStickyToStickyPollRatio: 0.8,
      },
      withdrawals: {
        ...common,
        taskQueue: WITHDRAWALS_TASK_QUEUE,
        activities: withdrawals,
        maxCachedWorkflows: sizes.cachedWithdrawals,
        ...eagerTasks(sizes.orderTasks),
        ...activities(OTHER_ACTIVITIES),
      },
      background: {
        ...common,
        taskQueue: BACKGROUND_TASK_QUEUE,
        activities: background,
        maxCachedWorkflows: CACHED_BACKGROUND,
        ...tasks(sizes.backgroundSlots),
        ...activities(sizes.backgroundSlots),
      },
      callbacks: {
        ...common,
        taskQueue: CALLBACKS_TASK_QUEUE,
        activities: {
          ...createCallbackActivities({ ...deps, ...callbacks }),
          ...mails,
        },
        maxCachedWorkflows: callbackTasks,
        ...tasks(callbackTasks),
        maxConcurrentLocalActivityExecutions: sizes.callbackSlots,
        ...activities(sizes.callbackSlots),
      },
      payouts: {
        ...all,
        taskQueue: PAYOUTS_TASK_QUEUE,
        activities: { ...payouts, ...createChannelActivities(deps) },
        ...activities(sizes.payoutSlots),
      },
      'channel-deposits': {
        ...all,
        taskQueue: CHANNEL_DEPOSITS_TASK_QUEUE,
        activities: channelDeposits,
        ...activities(sizes.channelDepositSlots),
      },
    };
    // At the same time: each starts a thread, which loads the SDK and the workflows.
    const workers = await Promise.all(queues.map(async (queue) => await Worker.create(options[queue])));
    return new Workers(workers, stopping);
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
    setTimeout(() => {
      this.stopping.abort();
    }, SHUTDOWN_GRACE_MS).unref();
    for (const worker of this.workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  }
}
