import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { HoldActivities } from '../temporal/activities/holds';
import { SWEEP_OPTIONS } from './shared';

const { releaseDueHolds } = proxyActivities<HoldActivities>(SWEEP_OPTIONS);

/**
 * Runs each minute: releases held credits whose days are over.
 * @returns how many credits
 */
export async function holdRelease(): Promise<number> {
  setCurrentDetails('Releases held credits whose days are over');
  return await releaseDueHolds();
}
