import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { Bench } from '../bench';
import { openBesideFloor } from '../beside-floor';
import { FLOOR_TASK_QUEUE } from '../floor/activities';
import { oneActivity } from '../floor/workflows';
import { keepBusy, percentile, type Sample, secondsSince, type Variant } from '../harness';
import { wakeCallback } from '../receiver';
import { SeededOrders } from '../seed';

/** Workflows of the floor under way at once. */
const FLIGHTS = 50;
/** Callbacks a second of an idle platform. */
const IDLE_A_SECOND = 5;
/** The share of the floor's rate at which callbacks come. */
const SHARE = 0.7;

const FLOOR = 'one-activity workflows, as fast as they end';
const IDLE = `callbacks, ${IDLE_A_SECOND} a second`;
const LOADED = `callbacks, at ${SHARE} of the floor's rate`;

export const callbacks: Bench = {
  sentence: `how long callbacks take, from their outbox row to the merchant's server, at ${SHARE * 100} % of the rate of one-activity workflows, beside an idle platform`,
  needs: { temporal: true, countStatements: false },
  async open(testbed, { short }) {
    const { database, servers } = testbed;
    const { connection, client, receiver, merchant, accountId, worker, floor } = await openBesideFloor(testbed);
    const seeded = new SeededOrders(testbed, merchant, accountId, 'COMPLETED', receiver.url);
    let floorRate = IDLE_A_SECOND;

    const saturated = async (seconds: number): Promise<Sample> => {
      const sample = await keepBusy(short ? FLIGHTS / 10 : FLIGHTS, seconds, async () => {
        const options = { taskQueue: FLOOR_TASK_QUEUE, workflowId: uuidv7() };
        await client.execute(oneActivity, options);
      });
      floorRate = sample.done / sample.seconds;
      return sample;
    };

    /** Callbacks that become due evenly, whether or not earlier ones have arrived. */
    const paced = async (seconds: number, perSecond: number): Promise<Sample> => {
      const count = Math.max(1, Math.floor(seconds * perSecond));
      await seeded.fill(count);
      const latencies: number[] = [];
      const begun = performance.now();
      const one = async (): Promise<void> => {
        const { notificationId, orderNo } = seeded.take();
        const arrived = receiver.callbackOf(orderNo);
        const since = performance.now();
        await wakeCallback(database, notificationId);
        await arrived;
        latencies.push(performance.now() - since);
      };
      const sent: Promise<void>[] = [];
      for (let n = 0; n < count; n++) {
        await sleep(Math.max(0, begun + (n * 1_000) / perSecond - performance.now()));
        sent.push(one());
      }
      await Promise.all(sent);
      return {
        done: count,
        seconds: secondsSince(begun),
        figures: { 'p50 ms': percentile(latencies, 0.5), 'p95 ms': percentile(latencies, 0.95) },
      };
    };

    const watched = [...worker.watched, ...servers.own];
    const variants: Variant[] = [
      { name: FLOOR, watched: [...floor.watched, ...servers.own], run: saturated },
      { name: IDLE, watched, run: async (seconds) => await paced(seconds, IDLE_A_SECOND) },
      { name: LOADED, watched, run: async (seconds) => await paced(seconds, SHARE * floorRate) },
    ];
    return {
      heats: [
        {
          name: 'callbacks',
          unit: 'a second',
          variants,
          aims: [
            { of: LOADED, beside: IDLE, figure: 'p95 ms', atMost: 2 },
            { of: LOADED, beside: FLOOR },
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
