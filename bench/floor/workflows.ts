import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { FloorActivities } from './activities';

/** "Something happened": what the product's workflows are told by. */
export const told = defineSignal('told');

const { nothing } = proxyActivities<FloorActivities>({ startToCloseTimeout: '10s' });

/** Ends as soon as it begins: what any workflow costs. */
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
  setHandler(told, () => {
    arrived = true;
  });
  await condition(() => arrived, '30 minutes');
}
