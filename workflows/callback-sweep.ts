import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../temporal/activities/sweeps';
import { SWEEP_OPTIONS } from './shared';

const { sweepStuckCallbacks } = proxyActivities<SweepActivities>(SWEEP_OPTIONS);

/**
 * Run each minute: callbacks that are SENDING for more than five minutes wait for their next attempt again (contract,
 * "NotificationLog status"). @returns how many
 */
export async function callbackSweep(): Promise<number> {
  setCurrentDetails('Takes callbacks out of attempts that were interrupted');
  return await sweepStuckCallbacks();
}
