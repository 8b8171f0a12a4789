import { defineSignal, setHandler } from '@temporalio/workflow';

/** "Your row changed; read it again." It carries no news, so order and repetition do not matter. */
export const changed = defineSignal('changed');

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
    /** Whether the row changed since it was last read. */
    arrived: (): boolean => told,
  };
}

/** Workflows and short database steps. */
export const ORDERS_TASK_QUEUE = 'causeway-orders';
/** Requests to merchants' servers: many slots, so that a hanging merchant holds up nobody. */
export const CALLBACKS_TASK_QUEUE = 'causeway-callbacks';
