import {
  type ActivityOptions,
  defineSignal,
  defineUpdate,
  type LocalActivityOptions,
  setHandler,
} from '@temporalio/workflow';
import type { WithdrawalStatus } from '../domain/withdrawal';

/** "Your row changed; read it again." It carries no data, so order and repetition do not matter. */
export const changed = defineSignal('changed');

/** Applies the recorded decisions on a withdrawal and returns its status. Without a decision row it does nothing. */
export const applyDecisions = defineUpdate<WithdrawalStatus>('applyDecisions');

/** Listens for `changed`. Call once, before anything else in the workflow. */
export function listenForChanges() {
  let signalled = false;
  setHandler(changed, () => {
    signalled = true;
  });
  return {
    /** Call before reading the row: changes signalled until now are in it. */
    readingNow: (): void => {
      signalled = false;
    },
    /** A step of the workflow itself changed the row. */
    tell: (): void => {
      signalled = true;
    },
    /** Whether the row changed since it was last read. */
    arrived: (): boolean => signalled,
  };
}

/** The result of `listenForChanges`. */
export type Changes = ReturnType<typeof listenForChanges>;

/** Workflows of deposits and cashier sessions, with their short database steps. */
export const ORDERS_TASK_QUEUE = 'causeway-orders';
/** Workflows of withdrawals: they never queue behind deposits. */
export const WITHDRAWALS_TASK_QUEUE = 'causeway-withdrawals';
/** Sweeps and mails: no money waits for them. */
export const BACKGROUND_TASK_QUEUE = 'causeway-background';
/**
 * Callbacks and their requests to merchants' servers: many slots, so that a merchant whose server hangs delays no
 * other.
 */
export const CALLBACKS_TASK_QUEUE = 'causeway-callbacks';

/** Payouts and their requests to channels: many slots too. */
export const PAYOUTS_TASK_QUEUE = 'causeway-payouts';
/** Deposits' requests to channels: payouts and deposits never wait for each other. */
export const CHANNEL_DEPOSITS_TASK_QUEUE = 'causeway-channel-deposits';

/**
 * A step on the database, in the worker that runs the workflow. A pause of more than a few seconds is a timer of
 * Temporal's server: waiting in the worker would hold a slot that another workflow needs.
 */
export const DATABASE_STEP: LocalActivityOptions = {
  startToCloseTimeout: '10s',
  localRetryThreshold: '3s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};

/**
 * Retry policy of the scheduled sweeps: one activity, retried until it succeeds. While PostgreSQL is unavailable, one
 * run waits for it, its failure visible as a pending activity, and its schedule starts no second run.
 */
export const SWEEP_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '5m',
  // A heartbeat is sent after each batch.
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};
