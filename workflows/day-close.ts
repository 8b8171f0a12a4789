import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { CloseActivities } from '../temporal/activities/closes';
import { SWEEP_OPTIONS } from './shared';

const { proposeDayCloses } = proxyActivities<CloseActivities>(SWEEP_OPTIONS);

/**
 * Runs each quarter of an hour, because days end at different times. Proposes to close the days that have ended; people
 * close them.
 * @returns how many proposals are new
 */
export async function dayClose(): Promise<number> {
  setCurrentDetails('Proposes to close the days that have ended');
  return await proposeDayCloses();
}
