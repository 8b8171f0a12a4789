import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SettlementActivities } from '../temporal/activities/settlements';
import { SWEEP_OPTIONS } from './shared';

const { settleByPlans } = proxyActivities<SettlementActivities>({
  ...SWEEP_OPTIONS,
  startToCloseTimeout: '1h',
  heartbeatTimeout: '5m',
});

/**
 * Runs each quarter of an hour, at which the times of settlement plans are. Makes the settlements that are due.
 * @returns how many
 */
export async function settlementRun(): Promise<number> {
  setCurrentDetails('Makes the settlements that are due by plans');
  return await settleByPlans();
}
