import { type Client, isGrpcServiceError, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { WorkflowNoun } from '../domain/ids';
import { OUTBOX_RANK } from '../domain/outbox';
import type { OutboxRow } from '../db/events/outbox';
import { changed } from '../workflows/shared';
import type { ExpiryPace } from './expiry-pace';
import { priorityOf, startOptions, waitingFor } from './starts';

const GRPC_NOT_FOUND = 5;

/** How long a call to Temporal may take, milliseconds. */
const RPC_DEADLINE_MS = 5_000;

/** Nouns whose rows nearly always start a workflow, and seldom wake one. */
const STARTED_FIRST: ReadonlySet<WorkflowNoun> = new Set(['callback', 'withdrawal']);

/** What the rows of one workflow need from Temporal. */
export interface Waking {
  readonly rows: readonly [OutboxRow, ...OutboxRow[]];
  readonly now: Date;
  /** Tasks wait in the queue: money must overtake those of workflows that were started before. */
  readonly overtakes: boolean;
  readonly pace: ExpiryPace;
  /** On the connection of this process's worker; without it no start is eager. */
  readonly eager?: Client | undefined;
}

/**
 * Takes the rows of one workflow to Temporal. They only say "changed", so one call is enough for all of them, and
 * neither order nor repetition matters.
 */
export async function wake(client: Client, { rows, now, overtakes, pace, eager }: Waking): Promise<void> {
  const [first] = rows;
  const rank = Math.min(...rows.map((row) => row.rank));
  const startAt = rows.every((row) => row.startAt !== null) ? first.startAt : null;
  await client.connection.withDeadline(Date.now() + RPC_DEADLINE_MS, async () => {
    if (startAt !== null) {
      await startLater(client, first, startAt, { now, pace });
      return;
    }
    if (overtakes && rank === OUTBOX_RANK.money) await raise(client, first);
    if (STARTED_FIRST.has(first.noun) || rows.some(({ startWaits }) => startWaits)) {
      if (eager && (await startedEagerly(eager, first, rank, now))) return;
      if (!eager && (await started(client, first, rank, now))) return;
    }
    const { type, args, ...options } = startOptions(first.noun, first.arguments as never, rank, now);
    await client.workflow.signalWithStart(type, {
      ...options,
      args,
      workflowId: first.key,
      signal: changed,
    });
  });
}

/**
 * Starts a workflow without a signal: nearly all of these do not run yet, and the signal would be one more event of each.
 * @returns false if its workflow runs: it needs the signal
 */
async function started(
  { workflow }: Client,
  { noun, key, arguments: start }: OutboxRow,
  rank: number,
  now: Date,
  requestEagerStart = false,
): Promise<boolean> {
  const { type, args, ...options } = startOptions(noun, start as never, rank, now);
  try {
    await workflow.start(type, { ...options, args, workflowId: key, requestEagerStart });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/**
 * The same, and the server hands the first task to this process's worker with its answer, if that has a free slot: no task
 * goes through a queue.
 * @returns false also after any other failure: a signal with start says what is wrong
 */
async function startedEagerly(eager: Client, row: OutboxRow, rank: number, now: Date): Promise<boolean> {
  try {
    return await eager.connection.withDeadline(
      Date.now() + RPC_DEADLINE_MS,
      async () => await started(eager, row, rank, now, true),
    );
  } catch {
    return false;
  }
}

/**
 * Starts a workflow that has nothing to do before `startAt`. Temporal keeps it without a task; a signal with start ends
 * the delay. A workflow that runs, or ran, needs no start: a later row has woken it.
 */
async function startLater(
  { workflow }: Client,
  { noun, key, arguments: start, rank }: OutboxRow,
  startAt: Date,
  { now, pace }: Pick<Waking, 'now' | 'pace'>,
): Promise<void> {
  const delayEnds = pace.endOf(startAt, now);
  const { type, args, ...options } = startOptions(noun, start as never, rank, now);
  try {
    await workflow.start(type, {
      ...options,
      args,
      workflowId: key,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      startDelay: Math.max(1, delayEnds.getTime() - now.getTime()),
      staticDetails: waitingFor(noun, start, startAt),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** A workflow keeps the priority of its start: one whose money has come gets that of money. */
async function raise({ connection, options }: Client, { key }: OutboxRow): Promise<void> {
  try {
    await connection.workflowService.updateWorkflowExecutionOptions({
      namespace: options.namespace,
      workflowExecution: { workflowId: key },
      workflowExecutionOptions: {
        priority: { priorityKey: priorityOf(OUTBOX_RANK.money) },
      },
      updateMask: { paths: ['priority.priority_key'] },
    });
  } catch (error) {
    // It is not running: it will be started with the right priority.
    if (!isGrpcServiceError(error) || (error.code as number) !== GRPC_NOT_FOUND) throw error;
  }
}
