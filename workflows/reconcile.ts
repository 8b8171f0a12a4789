import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { SweepActivities, OverdueCounts } from '../temporal/activities/sweeps';
import { SWEEP_OPTIONS } from './shared';

const { wakeOverdue } = proxyActivities<SweepActivities>(SWEEP_OPTIONS);

/** Runs each minute: wakes every overdue order whose workflow or outbox row was lost, except payouts under way. */
export async function reconcile(): Promise<OverdueCounts> {
  setCurrentDetails('Wakes overdue deposits and callbacks');
  return await wakeOverdue();
}
