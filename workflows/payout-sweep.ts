import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities } from '../temporal/activities/sweeps';
import { SWEEP_OPTIONS } from './shared';

const { wakeSilentPayouts } = proxyActivities<SweepActivities>(SWEEP_OPTIONS);

/**
 * Runs each 15 s: wakes every payout by a channel whose workflow or outbox row was lost.
 * @returns how many
 */
export async function payoutSweep(): Promise<number> {
  setCurrentDetails('Wakes silent payouts');
  return await wakeSilentPayouts();
}
