import {
  type ScheduleClient,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  type ScheduleOptionsStartWorkflowAction,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { PAYOUT_SWEEP_EVERY_SECONDS } from '../domain/overdue';
import type { booksProof, booksProofWhole } from '../workflows/books-proof';
import type { billingIssue } from '../workflows/billing-issue';
import type { callbackSweep } from '../workflows/callback-sweep';
import type { channelWatch } from '../workflows/channel-watch';
import type { dayClose } from '../workflows/day-close';
import type { holdRelease } from '../workflows/hold-release';
import type { payoutSweep } from '../workflows/payout-sweep';
import type { reconcile } from '../workflows/reconcile';
import type { sandboxPurge } from '../workflows/sandbox-purge';
import type { settlementRun } from '../workflows/settlement-run';
import { BACKGROUND_TASK_QUEUE } from '../workflows/shared';

/**
 * Workflows that a schedule starts, not an order: schedule id → workflow type. A run's id consists of the schedule's id
 * and the time.
 */
export const SCHEDULES = {
  reconcile: 'reconcile',
  'payout-sweep': 'payoutSweep',
  'callback-sweep': 'callbackSweep',
  'channel-watch': 'channelWatch',
  'hold-release': 'holdRelease',
  'day-close': 'dayClose',
  'billing-issue': 'billingIssue',
  'settlement-run': 'settlementRun',
  'books-proof': 'booksProof',
  'books-proof-whole': 'booksProofWhole',
  'sandbox-purge': 'sandboxPurge',
} as const;
/** The id of a schedule. */
export type ScheduleId = keyof typeof SCHEDULES;

type Scheduled =
  | typeof reconcile
  | typeof payoutSweep
  | typeof callbackSweep
  | typeof channelWatch
  | typeof holdRelease
  | typeof dayClose
  | typeof billingIssue
  | typeof settlementRun
  | typeof booksProof
  | typeof booksProofWhole
  | typeof sandboxPurge;
type Options = ScheduleOptions<ScheduleOptionsStartWorkflowAction<Scheduled>>;

/** Most run each minute. Time zones' days and months end at quarters, and settlement plans' times are quarters. */
const EVERY_SECONDS: Readonly<Partial<Record<ScheduleId, number>>> = {
  'payout-sweep': PAYOUT_SWEEP_EVERY_SECONDS,
  'day-close': 900,
  'billing-issue': 900,
  'settlement-run': 900,
};

/** At night, UTC: the purge ends before the proof of all books begins. */
const NIGHTS: Readonly<Partial<Record<ScheduleId, { hour: number; minute: number }>>> = {
  'sandbox-purge': { hour: 1, minute: 30 },
  'books-proof-whole': { hour: 2, minute: 30 },
};

const optionsOf = (scheduleId: ScheduleId): Options => ({
  scheduleId,
  spec: NIGHTS[scheduleId]
    ? { calendars: [NIGHTS[scheduleId]] }
    : { intervals: [{ every: (EVERY_SECONDS[scheduleId] ?? 60) * 1000 }] },
  policies: {
    // A run that lasts longer than its interval does the work of the next.
    overlap: ScheduleOverlapPolicy.SKIP,
    // Frequent runs that the server missed are not made up for; nightly ones are.
    catchupWindow: NIGHTS[scheduleId] ? '12h' : '1m',
  },
  action: {
    type: 'startWorkflow',
    workflowType: SCHEDULES[scheduleId],
    workflowId: scheduleId,
    taskQueue: BACKGROUND_TASK_QUEUE,
  },
});

/** @param purges whether this is a sandbox that is purged */
const idsOf = (purges: boolean): ScheduleId[] =>
  (Object.keys(SCHEDULES) as ScheduleId[]).filter((id) => purges || id !== 'sandbox-purge');

/**
 * Creates the missing schedules. Safe to repeat, also by several workers at once.
 * @param purges whether this is a sandbox that is purged
 */
export async function createSchedules(client: ScheduleClient, purges: boolean): Promise<void> {
  for (const id of idsOf(purges)) {
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
 * @param purges whether this is a sandbox that is purged; if not, an existing schedule of a purge is deleted
 */
export async function updateSchedules(client: ScheduleClient, purges: boolean): Promise<void> {
  for (const id of idsOf(purges))
    await client.getHandle(id).update<Scheduled>(({ state }) => ({ ...optionsOf(id), state }));
  if (purges) return;
  try {
    await client.getHandle('sandbox-purge').delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
