import { Type } from 'typebox';

/** The settings as the worker uses them. */
export interface WorkerSizes {
  readonly callbackSlots: number;
  readonly payoutSlots: number;
  readonly channelDepositSlots: number;
  readonly backgroundSlots: number;
  readonly orderTasks: number;
  readonly cachedOrders: number;
  readonly cachedWithdrawals: number;
  readonly pollers: number;
}

/** The sizes without any setting. */
export const DEFAULT_SIZES: WorkerSizes = {
  callbackSlots: 500,
  payoutSlots: 200,
  channelDepositSlots: 200,
  backgroundSlots: 8,
  orderTasks: 8,
  cachedOrders: 1_000,
  cachedWithdrawals: 500,
  pollers: 10,
};

const size = (name: keyof WorkerSizes) => Type.Integer({ minimum: 1, maximum: 100_000, default: DEFAULT_SIZES[name] });

/** How much a worker does at once. docs/production.md says when to change which. */
export const WORKER_SETTINGS = {
  /**
   * Concurrent requests to merchants' servers: each may hang for its merchant's whole timeout, within its lane. A
   * callback's first attempt is part of a workflow's task, so there are as many tasks, and a fifth more.
   */
  WORKER_CALLBACK_SLOTS: size('callbackSlots'),
  /** Concurrent requests to channels, for payouts and for deposits: one that hangs does not delay others. */
  WORKER_PAYOUT_SLOTS: size('payoutSlots'),
  WORKER_CHANNEL_DEPOSIT_SLOTS: size('channelDepositSlots'),
  /** Concurrent sweeps and mails. */
  WORKER_BACKGROUND_SLOTS: size('backgroundSlots'),
  /**
   * Concurrent polls for tasks of orders' and of withdrawals' workflows, twice as many with those of cached ones. A due
   * task waits behind those that run, regardless of its priority.
   */
  WORKER_ORDER_TASKS: size('orderTasks'),
  /** Workflows that stay cached between their tasks. Most withdrawals wait for people or channels. */
  WORKER_CACHED_ORDERS: size('cachedOrders'),
  WORKER_CACHED_WITHDRAWALS: size('cachedWithdrawals'),
  /** The most concurrent long polls of each queue's workflow tasks and of its activities; never more than its slots. */
  WORKER_POLLERS: size('pollers'),
};

/** The settings, as read. */
type Given = { readonly [Name in keyof typeof WORKER_SETTINGS]: number };

/** The sizes of a worker, from its settings. */
export const workerSizesOf = (s: Given): WorkerSizes => ({
  callbackSlots: s.WORKER_CALLBACK_SLOTS,
  payoutSlots: s.WORKER_PAYOUT_SLOTS,
  channelDepositSlots: s.WORKER_CHANNEL_DEPOSIT_SLOTS,
  backgroundSlots: s.WORKER_BACKGROUND_SLOTS,
  orderTasks: s.WORKER_ORDER_TASKS,
  cachedOrders: s.WORKER_CACHED_ORDERS,
  cachedWithdrawals: s.WORKER_CACHED_WITHDRAWALS,
  pollers: s.WORKER_POLLERS,
});
