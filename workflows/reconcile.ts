import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { NetActivities, OverdueCounts } from '../temporal/activities/nets';
import { NET_OPTIONS } from './shared';

const { wakeOverdue } = proxyActivities<NetActivities>(NET_OPTIONS);

/** Run each minute: wakes whatever is overdue, because its workflow or its outbox row was lost. */
export async function reconcile(): Promise<OverdueCounts> {
  setCurrentDetails('Wakes overdue deposits and callbacks');
  return await wakeOverdue();
}
