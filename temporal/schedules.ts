import {
  type ScheduleClient,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { booksProof, booksProofWhole } from '../workflows/books-proof';
import type { callbackSweep } from '../workflows/callback-sweep';
import type { channelWatch } from '../workflows/channel-watch';
import type { dayClose } from '../workflows/day-close';
import type { holdRelease } from '../workflows/hold-release';
import type { reconcile } from '../workflows/reconcile';
import { BACKGROUND_TASK_QUEUE } from '../workflows/shared';

/**
 * Workflows that the clock starts, not an order: schedule id → workflow type. A run's id is the schedule's and its
 * time.
 */
export const SCHEDULES = {
  reconcile: 'reconcile',
  'callback-sweep': 'callbackSweep',
  'channel-watch': 'channelWatch',
  'hold-release': 'holdRelease',
  'day-close': 'dayClose',
  'books-proof': 'booksProof',
  'books-proof-whole': 'booksProofWhole',
} as const;
/** The id of a schedule. */
export type ScheduleId = keyof typeof SCHEDULES;

type Scheduled =
  | typeof reconcile
  | typeof callbackSweep
  | typeof channelWatch
  | typeof holdRelease
  | typeof dayClose
  | typeof booksProof
  | typeof booksProofWhole;
type Options = ScheduleOptions<ScheduleOptionsStartWorkflowAction<Scheduled>>;

const optionsOf = (scheduleId: ScheduleId): Options => ({
  scheduleId,
  spec:
    scheduleId === 'books-proof-whole'
      ? { calendars: [{ hour: 2, minute: 30 }] }
      : { intervals: [{ every: scheduleId === 'day-close' ? '15m' : '1m' }] },
  policies: {
    // A run that lasts longer than a minute does the work of the next.
    overlap: ScheduleOverlapPolicy.SKIP,
    // Minutes that the server was down need no runs of their own; a night does.
    catchupWindow: scheduleId === 'books-proof-whole' ? '12h' : '1m',
  },
  action: {
    type: 'startWorkflow',
    workflowType: SCHEDULES[scheduleId],
    workflowId: scheduleId,
    taskQueue: BACKGROUND_TASK_QUEUE,
  },
});

const SCHEDULE_IDS = Object.keys(SCHEDULES) as ScheduleId[];

/** Creates the missing schedules. Safe to repeat, and for several workers at once. */
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
 * Updates the schedules to this version; a paused one stays paused. A server that has just started answers only after
 * some seconds: do not wait for this.
 */
export async function updateSchedules(client: ScheduleClient): Promise<void> {
  for (const id of SCHEDULE_IDS)
    await client.getHandle(id).update<Scheduled>(({ state }) => ({ ...optionsOf(id), state }));
}
