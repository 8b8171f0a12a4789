import { Client, Connection } from '@temporalio/client';
import { uuidv7 } from 'uuidv7';
import { FLOOR_TASK_QUEUE } from '../floor/activities';
import { timerAndSignal, wake } from '../floor/workflows';
import { keepBusy } from '../harness';
import type { Testbed } from '../testbed';

const SECONDS = 10;
const SHORT_SECONDS = 0.5;
const FLIGHTS = 50;

/** Workflows with only a timer and a signal that this machine completes in a second. @param short a moment's guess */
export async function floorRate(testbed: Testbed, short: boolean): Promise<number> {
  const { temporal } = testbed.servers;
  if (!temporal) throw new Error('there is no Temporal');
  const connection = await Connection.connect({ address: temporal.address });
  const { workflow } = new Client({ connection, namespace: temporal.namespace });
  await testbed.startFloor('worker');
  const { done, seconds: took } = await keepBusy(FLIGHTS, short ? SHORT_SECONDS : SECONDS, async () => {
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
