import path from 'node:path';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import { readConfig } from '../../config';
import { createLogger } from '../../runtime/log';
import { installTemporalRuntime } from '../../temporal/runtime';
import { DEFAULT_SIZES } from '../../runtime/worker-settings';
import { FLOOR_TASK_QUEUE, floorActivities } from './activities';

/** A worker of the floors' workflows, set up as the product's is. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  installTemporalRuntime(createLogger('floor', config.logLevel));
  const { address, namespace } = config.temporal;
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    namespace,
    taskQueue: FLOOR_TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, 'workflows.js'),
    }),
    activities: floorActivities,
    maxCachedWorkflows: DEFAULT_SIZES.cachedOrders,
  });
  const end = (): void => {
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('disconnect', end);
  process.send?.({ ready: true });
  await worker.run();
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exit(1);
});
