import { type ActivityOptions, defineSignal, defineUpdate, setHandler } from '@temporalio/workflow';
import type { WithdrawalStatus } from '../domain/withdrawal';

/** "Your row changed; read it again." It carries no news, so order and repetition do not matter. */
export const changed = defineSignal('changed');

/** Applies the decisions that people have recorded on a withdrawal and says where it stands then. Without a row it does nothing. */
export const applyDecisions = defineUpdate<WithdrawalStatus>('applyDecisions');

/** Listens for `changed`. Call once, before anything else of the workflow. */
export function listenForChanges() {
  let told = false;
  setHandler(changed, () => {
    told = true;
  });
  return {
    /** About to read the row: what was told until now is in it. */
    readingNow: (): void => {
      told = false;
    },
    /** Somebody within the workflow changed the row. */
    tell: (): void => {
      told = true;
    },
    /** Whether the row changed since it was last read. */
    arrived: (): boolean => told,
  };
}

/** What `listenForChanges` gives. */
export type Changes = ReturnType<typeof listenForChanges>;

/** Orders' workflows and their short database steps. */
export const ORDERS_TASK_QUEUE = 'causeway-orders';
/** Callbacks and their requests to merchants' servers: many slots, so that a hanging merchant holds up nobody. */
export const CALLBACKS_TASK_QUEUE = 'causeway-callbacks';

/** Payouts and their requests to channels: many slots too. */
export const PAYOUTS_TASK_QUEUE = 'causeway-payouts';

/**
 * How the sweeps do their one step. It is repeated until it works: while PostgreSQL is away one run waits for it, its
 * failure to be seen as a pending activity, and its schedule starts no other beside it.
 */
export const SWEEP_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '5m',
  // Told after each batch.
  heartbeatTimeout: '30s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
};
