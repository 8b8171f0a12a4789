import {
  type ScheduleClient,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { callbackSweep } from '../workflows/callback-sweep';
import type { channelWatch } from '../workflows/channel-watch';
import type { holdRelease } from '../workflows/hold-release';
import type { reconcile } from '../workflows/reconcile';
import { ORDERS_TASK_QUEUE } from '../workflows/shared';

/** Workflows that no order starts but the clock: schedule id → workflow type. A run's id is the schedule's and its time. */
export const SCHEDULES = {
  reconcile: 'reconcile',
  'callback-sweep': 'callbackSweep',
  'channel-watch': 'channelWatch',
  'hold-release': 'holdRelease',
} as const;
/** The id of a schedule. */
export type ScheduleId = keyof typeof SCHEDULES;

type Scheduled = typeof reconcile | typeof callbackSweep | typeof channelWatch | typeof holdRelease;
type Options = ScheduleOptions<ScheduleOptionsStartWorkflowAction<Scheduled>>;

const optionsOf = (scheduleId: ScheduleId): Options => ({
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

const SCHEDULE_IDS = Object.keys(SCHEDULES) as ScheduleId[];

/** Makes the schedules that are not there. Safe to repeat, and for several workers at once. */
export async function createSchedules(client: ScheduleClient): Promise<void> {
  for (const id of SCHEDULE_IDS) {
    try {
      await client.create(optionsOf(id));
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
}

/**
 * Brings the schedules up to date with this version; one that a person paused stays paused. A server that has just
 * started answers after some seconds: nothing should wait for this.
 */
export async function updateSchedules(client: ScheduleClient): Promise<void> {
  for (const id of SCHEDULE_IDS)
    await client.getHandle(id).update<Scheduled>(({ state }) => ({ ...optionsOf(id), state }));
}
