import {
  type ScheduleClient,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { callbackSweep } from '../workflows/callback-sweep';
import type { reconcile } from '../workflows/reconcile';
import { ORDERS_TASK_QUEUE } from '../workflows/shared';

/** Workflows that no order starts but the clock: schedule id → workflow type. A run's id is the schedule's and its time. */
export const SCHEDULES = {
  reconcile: 'reconcile',
  'callback-sweep': 'callbackSweep',
} as const;
/** The id of a schedule. */
export type ScheduleId = keyof typeof SCHEDULES;

type Action = ScheduleOptionsStartWorkflowAction<typeof reconcile | typeof callbackSweep>;

const optionsOf = (scheduleId: ScheduleId): ScheduleOptions<Action> => ({
  scheduleId,
  spec: { intervals: [{ every: '1m' }] },
  policies: {
    // A run that lasts longer than a minute does what the next would have done.
    overlap: ScheduleOverlapPolicy.SKIP,
    // Minutes that the server slept through are no reason to run many times.
    catchupWindow: '1m',
  },
  action: {
    type: 'startWorkflow',
    workflowType: SCHEDULES[scheduleId],
    workflowId: scheduleId,
    taskQueue: ORDERS_TASK_QUEUE,
  },
});

/**
 * Makes the schedules, or brings those that are there up to date; one that a person paused stays paused. Safe to
 * repeat, and for several workers at once.
 */
export async function ensureSchedules(client: ScheduleClient): Promise<void> {
  for (const scheduleId of Object.keys(SCHEDULES) as ScheduleId[]) await ensure(client, scheduleId);
}

async function ensure(client: ScheduleClient, scheduleId: ScheduleId): Promise<void> {
  const options = optionsOf(scheduleId);
  try {
    await client.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client
      .getHandle(scheduleId)
      .update<typeof reconcile | typeof callbackSweep>(({ state }) => ({ ...options, state }));
  }
}
