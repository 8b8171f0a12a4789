import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NetActivities } from '../temporal/activities/nets';
import { NET_OPTIONS } from './shared';

const { sweepStuckCallbacks } = proxyActivities<NetActivities>(NET_OPTIONS);

/**
 * Run each minute: callbacks that are SENDING for more than five minutes wait for their next attempt again (contract,
 * "NotificationLog status"). @returns how many
 */
export async function callbackSweep(): Promise<number> {
  setCurrentDetails('Takes callbacks out of attempts that were interrupted');
  return await sweepStuckCallbacks();
}
