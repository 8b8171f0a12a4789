import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './activities';

/** Stands in for the product's signal `changed`. */
export const wake = defineSignal('wake');

const { nothing } = proxyActivities<FloorActivities>({ startToCloseTimeout: '10s' });

/** Ends at once: the cost of any workflow. */
export async function empty(): Promise<void> {
  await Promise.resolve();
}

/** The floor under a callback: one activity that does nothing. */
export async function oneActivity(): Promise<void> {
  await nothing();
}

/** The floor under a deposit: waits for a signal, no longer than an order lives. */
export async function timerAndSignal(): Promise<void> {
  let arrived = false;
  setHandler(wake, () => {
    arrived = true;
  });
  await condition(() => arrived, '30 minutes');
}
