import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ChannelActivities } from '../temporal/activities/channels';
import { SWEEP_OPTIONS, PAYOUTS_TASK_QUEUE } from './shared';

const { checkChannels } = proxyActivities<ChannelActivities>({
  ...SWEEP_OPTIONS,
  taskQueue: PAYOUTS_TASK_QUEUE,
});

/**
 * Runs each minute: queries every channel's health and balances.
 * @returns how many are down
 */
export async function channelWatch(): Promise<number> {
  setCurrentDetails('Asks the channels for health and balances');
  return await checkChannels();
}
