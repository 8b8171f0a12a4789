import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HoldActivities } from '../temporal/activities/holds';
import { SWEEP_OPTIONS } from './shared';

const { releaseDueHolds } = proxyActivities<HoldActivities>(SWEEP_OPTIONS);

/** Run each minute: what merchants were credited with and waited for becomes available. @returns how many credits */
export async function holdRelease(): Promise<number> {
  setCurrentDetails('Releases held credits whose days are over');
  return await releaseDueHolds();
}
