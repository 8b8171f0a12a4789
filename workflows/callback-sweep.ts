import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../temporal/activities/sweeps';
import { SWEEP_OPTIONS } from './shared';

const { sweepStuckCallbacks } = proxyActivities<SweepActivities>(SWEEP_OPTIONS);

/**
 * Runs each minute: returns callbacks that are SENDING for more than five minutes to WAITING_RETRY (contract,
 * "NotificationLog status").
 * @returns how many
 */
export async function callbackSweep(): Promise<number> {
  setCurrentDetails('Takes callbacks out of attempts that were interrupted');
  return await sweepStuckCallbacks();
}
