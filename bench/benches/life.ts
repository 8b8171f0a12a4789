import { Client, Connection } from '@temporalio/client';
import { uuidv7 } from 'uuidv7';
import type { Bench, Finding } from '../bench';
import { FLOOR_TASK_QUEUE } from '../floor/activities';
import { timerAndSignal, wake } from '../floor/workflows';
import { keepBusy } from '../harness';
import type { Testbed } from '../testbed';
import { paidFindings, PayingMerchants } from './paying';

/** Shares of the machine's floor. */
const SHARES = [0.1, 0.25, 0.5];
/** How long each rate is held, seconds. */
const HELD = 120;
const FLOOR_SECONDS = 10;
const FLIGHTS = 50;
const PAID_AFTER_MS = 2_000;
const TASK = { patienceMs: 60_000, queryEveryMs: 100 };

/** Workflows with only a timer and a signal that this machine completes in a second. */
async function floorRate(testbed: Testbed, seconds: number): Promise<number> {
  const { temporal } = testbed.servers;
  if (!temporal) throw new Error('there is no Temporal');
  const connection = await Connection.connect({ address: temporal.address });
  const { workflow } = new Client({ connection, namespace: temporal.namespace });
  await testbed.startFloor('worker');
  const { done, seconds: took } = await keepBusy(FLIGHTS, seconds, async () => {
    const handle = await workflow.start(timerAndSignal, {
      taskQueue: FLOOR_TASK_QUEUE,
      workflowId: uuidv7(),
    });
    await handle.signal(wake);
    await handle.result();
  });
  await connection.close();
  return done / took;
}

export const life: Bench = {
  sentence:
    'whole orders from the create to the callback, at 10, 25 and 50 % of the rate of timer-and-signal workflows on this machine, as an open loop',
  needs: { temporal: true, countStatements: false },
  async open(testbed, { short }) {
    const scale = short ? 0.01 : 1;
    const floor = await floorRate(testbed, Math.max(0.5, FLOOR_SECONDS * scale));
    const merchants = await PayingMerchants.open(testbed, { merchants: 0, expireMinutes: 60 });
    return {
      heats: [],
      findings: async () => {
        const findings: Finding[] = [{ what: 'the floor', value: floor, unit: 'a second' }];
        for (const share of SHARES) {
          const perSecond = floor * share;
          const paid = await merchants.payments.run({
            orders: Math.ceil(perSecond * HELD * scale),
            perSecond,
            paidAfterMs: short ? PAID_AFTER_MS / 10 : PAID_AFTER_MS,
            ...TASK,
          });
          findings.push(...paidFindings(`${share * 100} %`, paid));
        }
        return findings;
      },
      close: () => {
        merchants.close();
      },
    };
  },
};
