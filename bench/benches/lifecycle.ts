import { setTimeout as sleep } from 'node:timers/promises';
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { uuidv7 } from 'uuidv7';
import { workflowId } from '../../domain/ids';
import { OUTBOX_RANK } from '../../domain/outbox';
import type { Database } from '../../db/client';
import { issueWarrant } from '../../domain/authority/issue';
import { matchDeposit } from '../../db/deposits/deposits';
import type { Bench } from '../bench';
import { openBesideFloor } from '../beside-floor';
import { FLOOR_TASK_QUEUE } from '../floor/activities';
import { empty, oneActivity, timerAndSignal, wake } from '../floor/workflows';
import { keepBusy, percentile, type Sample, type Variant } from '../harness';
import { wakeCallback } from '../receiver';
import { countStatements } from '../statements';
import { FEE, SeededOrders } from '../seed';

/** Workflows under way at once, of those that end as soon as possible. */
const FLIGHTS = 50;
/** The same for those that wait for signals. */
const WAITING_FLIGHTS = 100;
/** Delay of the payment after the start, milliseconds: the workflow has read its row long before. */
const NEWS_AFTER_MS = 1_000;
/** Pause before a missing workflow is looked up again, milliseconds. */
const LOOK_AGAIN_MS = 50;
/** Workflows whose history is read after a round. */
const LOOKED_AT = 20;
/** The rate for which orders are seeded; a small machine completes about thirty deposits a second. */
const MOST_A_SECOND = 200;

const EMPTY = 'empty workflow';
const ONE_ACTIVITY = 'one-activity workflow';
const TIMER_AND_SIGNAL = 'timer-and-signal workflow';
const DEPOSIT = 'deposit, from its outbox row to COMPLETED';
const CALLBACK = 'callback, from its outbox row to SUCCESS';
const DELAYED = 'empty workflow with a delayed start';
const EXPIRY = 'deposit, from its outbox row to EXPIRED';
/** The variants whose flights wait before they end. */
const WAITING: readonly string[] = [TIMER_AND_SIGNAL, DEPOSIT, DELAYED, EXPIRY];

/** Starts one workflow and lets it end. @returns its handle, and when its last signal was sent */
type Flight = () => Promise<{ readonly handle: WorkflowHandle; readonly since: number }>;

export const lifecycle: Bench = {
  sentence:
    'deposit lifecycle and callback delivery, beside empty, one-activity and timer-and-signal workflows on the same Temporal',
  needs: { temporal: true, countStatements: true },
  async open(testbed, { short }) {
    const few = short ? FLIGHTS / 10 : undefined;
    const { database, servers } = testbed;
    const { connection, client, receiver, merchant, accountId, worker, floor } = await openBesideFloor(testbed);
    const pending = new SeededOrders(testbed, merchant, accountId, 'PENDING', receiver.url);
    const completed = new SeededOrders(testbed, merchant, accountId, 'COMPLETED', receiver.url);

    const startFloor = async (type: () => Promise<void>): Promise<WorkflowHandle> =>
      await client.start(type, { taskQueue: FLOOR_TASK_QUEUE, workflowId: uuidv7() });

    const flights: Record<string, Flight> = {
      [EMPTY]: async () => {
        const since = performance.now();
        return { handle: await startFloor(empty), since };
      },
      [ONE_ACTIVITY]: async () => {
        const since = performance.now();
        return { handle: await startFloor(oneActivity), since };
      },
      [TIMER_AND_SIGNAL]: async () => {
        const handle = await startFloor(timerAndSignal);
        await sleep(NEWS_AFTER_MS);
        const since = performance.now();
        await handle.signal(wake);
        return { handle, since };
      },
      [DEPOSIT]: async () => {
        const { depositId, orderNo, transferId } = pending.take();
        const created = new Date();
        await writeStart(database, depositId, created);
        await sleep(NEWS_AFTER_MS);
        const since = performance.now();
        const match = { transferId, depositId, fee: FEE, actor: 'bench', reason: null };
        await database.transaction(
          async (tx) => await matchDeposit(tx, issueWarrant('matchTransfer'), { ...match, now: new Date() }),
        );
        return { handle: client.getHandle(workflowId('deposit', orderNo)), since };
      },
      [DELAYED]: async () => {
        const handle = await client.start(empty, {
          taskQueue: FLOOR_TASK_QUEUE,
          workflowId: uuidv7(),
          startDelay: NEWS_AFTER_MS,
        });
        await sleep(NEWS_AFTER_MS);
        return { handle, since: performance.now() };
      },
      [EXPIRY]: async () => {
        const { depositId, orderNo } = pending.take();
        const created = new Date();
        await database.sql`
          update deposit_orders set expire_at = ${new Date(created.getTime() + NEWS_AFTER_MS)}
          where id = ${depositId}`;
        await writeStart(database, depositId, created);
        await sleep(NEWS_AFTER_MS);
        const handle = client.getHandle(workflowId('deposit', orderNo));
        return { handle, since: performance.now() };
      },
      [CALLBACK]: async () => {
        const { notificationId, orderNo } = completed.take();
        const arrived = receiver.callbackOf(orderNo);
        const since = performance.now();
        await wakeCallback(database, notificationId);
        await arrived;
        const id = workflowId('callback', `${orderNo}:deposit_completed`);
        return { handle: client.getHandle(id), since };
      },
    };

    const variant = (name: string, seeded?: SeededOrders): Variant => ({
      name,
      watched: [...(seeded ? worker : floor).watched, ...servers.own],
      prepare: async (seconds) => {
        await seeded?.fill(Math.ceil((seconds + NEWS_AFTER_MS / 1000) * MOST_A_SECOND));
      },
      run: async (seconds) => {
        const waits = WAITING.includes(name);
        // The floors run no statements: only the relay's idle polls are counted.
        const statements = await countStatements(database);
        const sample = await flyAll(flights[name] ?? never, few ?? (waits ? WAITING_FLIGHTS : FLIGHTS), seconds);
        return {
          ...sample,
          figures: { ...sample.figures, ...(seeded && (await statements(sample.done))) },
        };
      },
    });

    return {
      heats: [
        {
          name: 'workflows',
          unit: 'ended a second',
          variants: [
            variant(EMPTY),
            variant(ONE_ACTIVITY),
            variant(CALLBACK, completed),
            variant(TIMER_AND_SIGNAL),
            variant(DEPOSIT, pending),
            variant(DELAYED),
            variant(EXPIRY, pending),
          ],
          aims: [
            { of: DEPOSIT, beside: TIMER_AND_SIGNAL, atLeast: 0.8 },
            { of: CALLBACK, beside: ONE_ACTIVITY, atLeast: 1.2 },
            { of: DEPOSIT, beside: EMPTY },
            { of: EXPIRY, beside: DELAYED },
            { of: CALLBACK, beside: EMPTY },
          ],
        },
      ],
      close: async () => {
        receiver.close();
        await connection.close();
      },
    };
  },
};

/** Writes the outbox row of a new deposit, as write_deposits does. */
async function writeStart({ sql }: Database, depositId: string, created: Date): Promise<void> {
  await sql`
    insert into outbox (id, noun, key, arguments, rank, start_at, due_at, refusals, created_at)
    select new_id(${created}), 'deposit', 'deposit:' || d.order_no, deposit_arguments(d, m.merchant_code),
      ${OUTBOX_RANK.start}, d.expire_at, ${created}, 0, ${created}
    from deposit_orders d join merchants m on m.id = d.merchant_id where d.id = ${depositId}`;
}

/** The relay may not have handled it yet. */
async function ended(handle: WorkflowHandle): Promise<void> {
  for (;;)
    try {
      await handle.result();
      return;
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
}

const never: Flight = () => Promise.reject(new Error('there is no such flight'));

/** Keeps flights under way; each is timed from its last signal to the end of its workflow. */
async function flyAll(flight: Flight, callers: number, seconds: number): Promise<Sample> {
  const latencies: number[] = [];
  const landed: WorkflowHandle[] = [];
  const { done, seconds: took } = await keepBusy(callers, seconds, async () => {
    const { handle, since } = await flight();
    await ended(handle);
    latencies.push(performance.now() - since);
    landed.push(handle);
  });
  const lengths = await Promise.all(
    landed.slice(-LOOKED_AT).map(async (handle) => (await handle.describe()).historyLength),
  );
  const events = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return {
    done,
    seconds: took,
    figures: { 'p95 ms': percentile(latencies, 0.95), 'history events each': events },
  };
}
