import { requireNoDroppedTypes } from '../../temporal/dropped-types';
import { devServer, type TestTemporal } from '../support/temporal';
import { eventually } from '../support/until';

describe('open workflows of types that this release does not have', () => {
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await devServer();
  });
  afterAll(async () => {
    await temporal.stop();
  });

  it('are named, with what to do, until they have ended', async () => {
    const { client } = temporal.env;
    await expect(requireNoDroppedTypes(client)).resolves.toBeUndefined();
    const options = { taskQueue: 'nobody', args: [] };
    const open = await Promise.all([
      client.workflow.start('callbackBatch', { ...options, workflowId: 'batch' }),
      client.workflow.start('callbackDelivery', { ...options, workflowId: 'one' }),
      client.workflow.start('callbackDelivery', { ...options, workflowId: 'two' }),
      client.workflow.start('callbackDelivery2', { ...options, workflowId: 'three' }),
    ]);
    await eventually(async () => {
      await expect(requireNoDroppedTypes(client)).rejects.toMatchObject({
        name: 'DataRefused',
        message:
          'Temporal has open workflows of types that this release does not have (1 callbackBatch, 2 callbackDelivery): ' +
          'move the data folder of `npm start` away (.causeway, or CAUSEWAY_DATA); on a server of your own, let ' +
          'workers of the earlier release end them, or terminate them.',
      });
    });
    await Promise.all(open.slice(0, 3).map(async (one) => await one.terminate()));
    await eventually(async () => {
      await expect(requireNoDroppedTypes(client)).resolves.toBeUndefined();
    });
  });
});
