import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import { openTemporalClient } from '../../temporal/client';
import { freePort } from '../../local/ports';
import { locate, temporalCli } from '../../local/servers';
import { startTemporal, type TemporalServer } from '../../local/temporal-server';
import { DEPLOYMENT_NAME, WorkerVersion } from '../../temporal/worker-version';
import { changed } from '../../workflows/shared';
import { fromSetup, pidFileOf } from '../support/run-folder';
import { SHORT_WORKFLOW_TASKS } from '../support/temporal';
import { until } from '../support/until';
import '../support/workers';
import type { Steps } from './releases/workflows';

const TASK_QUEUE = 'orders';
const log = pino({ level: 'silent' });
type Type = 'shortOrder' | 'shortOrder2' | 'longOrder' | 'pinnedOrder';
type Release = 'a' | 'b' | 'c';

/** Releases on one real server: their workers make themselves current, and open orders pass from one to the next. */
describe('worker versions', () => {
  let port: number;
  let server: TemporalServer;
  let client: ReturnType<typeof openTemporalClient>;
  let code: string;
  const running = new Set<{ stop: () => Promise<void> }>();

  const startServer = async (): Promise<TemporalServer> =>
    await startTemporal({
      binary: locate(temporalCli, process.env),
      port,
      settings: {
        'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 1,
        ...SHORT_WORKFLOW_TASKS,
      },
      log: path.join(fromSetup('folder'), `temporal-${port}.log`),
      pidFile: pidFileOf(fromSetup('folder'), `temporal-${port}`),
    });

  beforeAll(async () => {
    port = await freePort();
    [server, { code }] = await Promise.all([
      startServer(),
      bundleWorkflowCode({
        workflowsPath: path.join(__dirname, 'releases/workflows.ts'),
        logger: pino({ level: 'silent' }) as never,
      }),
    ]);
    client = openTemporalClient({ address: server.address, namespace: 'default' });
  });
  afterEach(async () => {
    await Promise.all(
      [...running].map(async (release) => {
        await release.stop();
      }),
    );
  });
  afterAll(async () => {
    await client.connection.close();
    await server.stop();
  });

  /** A process of a release, as the worker role is one. */
  async function start(release: Release, takesOver = true) {
    const connection = await NativeConnection.connect({ address: server.address });
    const buildId = `build-${release}`;
    const steps: Steps = {
      step: async (name) => await Promise.resolve(`${name} by ${release}`),
    };
    const worker = await Worker.create({
      connection,
      taskQueue: TASK_QUEUE,
      activities: { ...steps },
      // Tasks of a stopped release wait this long for it.
      stickyQueueScheduleToStartTimeout: '500ms',
      workflowBundle: { code: code.replaceAll('release-a', `release-${release}`) },
      workerDeploymentOptions: {
        useWorkerVersioning: true,
        version: { deploymentName: DEPLOYMENT_NAME, buildId },
        defaultVersioningBehavior: 'AUTO_UPGRADE',
      },
    });
    const ended = worker.run();
    // A worker that stops says so; a heartbeat that is late on a busy machine proves nothing.
    const version = new WorkerVersion({
      client,
      buildId,
      log,
      everyMs: 200,
      goneAfterMs: Infinity,
    });
    if (takesOver) version.start();
    const process = {
      version,
      stop: async () => {
        running.delete(process);
        await version.stop();
        worker.shutdown();
        await ended;
        await connection.close();
      },
    };
    running.add(process);
    return process;
  }

  const current = async (): Promise<string | undefined> =>
    (
      await client.connection.workflowService.describeWorkerDeployment({
        namespace: 'default',
        deploymentName: DEPLOYMENT_NAME,
      })
    ).workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? undefined;

  const becomes = async (release: Release): Promise<unknown> =>
    await until(
      `release ${release} is current`,
      async () => (await current().catch(() => undefined)) === `build-${release}`,
    );

  /** Whether a worker of the release has sent a heartbeat. */
  const isListed = async (release: Release): Promise<boolean> => {
    const { workersInfo } = await client.connection.workflowService.listWorkers({
      namespace: 'default',
    });
    return workersInfo.some(
      ({ workerHeartbeat }) => workerHeartbeat?.deploymentVersion?.buildId === `build-${release}`,
    );
  };

  let count = 0;
  const begin = async (type: Type) =>
    await client.workflow.start(type, {
      taskQueue: TASK_QUEUE,
      workflowId: `${type}-${++count}`,
      args: [],
    });
  type Order = Awaited<ReturnType<typeof begin>>;
  /** Begins an order, and waits until its release has done its first step. */
  const begun = async (type: Type): Promise<Order> => {
    const order = await begin(type);
    if (type === 'shortOrder2') return order;
    await until(`${order.workflowId} waits`, async () => {
      const { events } = await order.fetchHistory();
      return events?.some(({ markerRecordedEventAttributes: step }) => step);
    });
    return order;
  };
  const finish = async (order: Order): Promise<unknown> => {
    await order.signal(changed);
    return (await order.result()) as unknown;
  };

  /** Waits until the server reports, also in its lists, that these do not fit the running code. */
  const stuck = async (orders: readonly Order[]): Promise<unknown> =>
    await until('the server reports what is stuck', async () => {
      const { count: found } = await client.workflow.count(
        'TemporalReportedProblems is not null and ExecutionStatus = "Running"',
      );
      return found >= orders.length;
    });

  it('gives waiting tasks to the first release that serves, with any number of workers', async () => {
    const waits = await begin('shortOrder2');
    await waits.signal(changed);
    await Promise.all([start('a'), start('a'), start('a')]);
    expect(await waits.result()).toEqual(['read and credit by a']);
    expect(await current()).toBe('build-a');
  });

  it('leaves the tasks to a newer release that has not sent its first heartbeat', async () => {
    await start('a');
    await until('A is listed', async () => await isListed('a'));
    await start('b');
    await becomes('b');
    const seen = new Set<string | undefined>();
    await until('B is listed', async () => {
      seen.add(await current());
      return await isListed('b');
    });
    expect([...seen]).toEqual(['build-b']);
  });

  it('repairs the workflows of a careless release by one reset of all, after its rollback', async () => {
    const a = await start('a');
    await becomes('a');
    const openBefore = await begun('longOrder');
    await a.stop();
    const careless = await start('c');
    await becomes('c');
    const openMeanwhile = [await begun('longOrder'), await begun('longOrder')];
    await openBefore.signal(changed);
    await stuck([openBefore]);
    await careless.stop();

    await start('a');
    await becomes('a');
    expect(await openBefore.result()).toEqual(['read by a', 'pay by a']);
    for (const order of openMeanwhile) await order.signal(changed);
    await stuck(openMeanwhile);
    const { stdout } = await promisify(execFile)(locate(temporalCli, process.env), [
      ...['workflow', 'reset', '--address', server.address, '--yes'],
      ...['--query', 'TemporalReportedProblems is not null and ExecutionStatus = "Running"'],
      ...['--type', 'FirstWorkflowTask', '--reason', 'begun under a careless release'],
    ]);
    expect(stdout).toContain('Started batch');
    for (const { workflowId } of openMeanwhile) {
      const order = client.workflow.getHandle(workflowId);
      await until(`${workflowId} ends again`, async () => (await order.describe()).status.name === 'COMPLETED');
      expect(await order.result()).toEqual(['read by a', 'pay by a']);
    }
  });

  it('takes over in a Temporal that lost its data', async () => {
    await start('a');
    await becomes('a');
    await server.stop();
    server = await startServer();
    const order = await begin('shortOrder2');
    expect(await finish(order)).toEqual(['read and credit by a']);
    await becomes('a');
  });

  describe('with orders that release A began', () => {
    let open: Record<Type, Order>;
    beforeEach(async () => {
      const a = await start('a');
      await becomes('a');
      open = {
        shortOrder: await begun('shortOrder'),
        shortOrder2: await begun('shortOrder2'),
        longOrder: await begun('longOrder'),
        pinnedOrder: await begun('pinnedOrder'),
      };
      await a.stop();
    });

    it('runs them under B after a restart, new ones in their new shape, pinned ones under A', async () => {
      const b = await start('b');
      await becomes('b');
      expect(await finish(open.shortOrder)).toEqual(['read by a', 'credit by b']);
      expect(await finish(open.longOrder)).toEqual(['read by a', 'pay by b']);
      const [short, long] = [await begun('shortOrder2'), await begun('longOrder')];
      expect(await finish(short)).toEqual(['read and credit by b']);
      expect(await finish(long)).toEqual(['read by b', 'check by b', 'pay by b']);

      // A rollout that keeps the old build: its workers get only pinned orders, and do not take over.
      await open.pinnedOrder.signal(changed);
      const a = await start('a');
      expect(await open.pinnedOrder.result()).toEqual(['read by a', 'release-a by a']);
      expect(await a.version.look()).toBe('others');
      expect(await finish(open.shortOrder2)).toEqual(['read and credit by b']);

      // Rolled back: B's tasks have no worker.
      const rolledBack = await begun('shortOrder');
      await b.stop();
      expect(await finish(rolledBack)).toEqual(['read by b', 'credit by a']);
    });
  });
});
