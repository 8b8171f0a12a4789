import { Client, Connection } from '@temporalio/client';
import { CallbackReceiver } from './receiver';
import type { Testbed } from './testbed';

/**
 * What a bench of workflows beside those of the floor needs: a worker of each, and a merchant with a server.
 * @throws if the testbed has no Temporal
 */
export async function openBesideFloor(testbed: Testbed) {
  const { temporal } = testbed.servers;
  if (!temporal) throw new Error('there is no Temporal');
  const connection = await Connection.connect({ address: temporal.address });
  const { workflow: client } = new Client({ connection, namespace: temporal.namespace });
  const receiver = await CallbackReceiver.listen();
  const [merchant] = await testbed.merchants(1);
  const [accountId = ''] = await testbed.accounts(1);
  if (!merchant) throw new Error('there is no merchant');
  const worker = await testbed.startRole('worker');
  const floor = await testbed.startFloor('worker');
  return { connection, client, receiver, merchant, accountId, worker, floor };
}
