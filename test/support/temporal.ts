import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { startServer } from '../../local/server-process';
import { locate, temporalCli, timeSkippingServer } from '../../local/servers';
import { startTemporal } from '../../local/temporal-server';
import { registerSearchAttributes } from '../../temporal/search-attributes';
import { freePort } from '../../local/ports';
import { fromSetup, pidFileOf } from './run-folder';

const namespace = 'default';
/** A program that does nothing. Not in the run's folder: programs may not run there. */
const IDLE = path.join(__dirname, 'idle.sh');

export interface TestTemporal {
  readonly env: TestWorkflowEnvironment;
  readonly address: string;
  /** The address of its UI, if it has one. */
  readonly uiUrl?: string;
  /** The server's time, which the activities' clock uses in a test, so that skipped time is the time everywhere. */
  readonly clock: () => Promise<Date>;
  readonly stop: () => Promise<void>;
}

type TemporalSettings = Readonly<Record<string, string | number | boolean>>;

/** After a first failure a worker lets a workflow task time out: a test of that waits for seconds, not ten. */
export const SHORT_WORKFLOW_TASKS = { 'history.defaultWorkflowTaskTimeout': '3s' } as const;

/** A bundle of all workflows, for `workflowBundle: { codePath }` of a worker. */
export const workflowBundlePath = (): string => fromSetup('workflowBundle');

/**
 * A separate server whose time jumps to the next timer whenever all workflows wait. It has no schedules and no lists.
 */
export async function timeSkipping(): Promise<TestTemporal> {
  const folder = fromSetup('folder');
  const name = `test-server-${randomBytes(4).toString('hex')}`;
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const server = await startServer({
    name: 'The time-skipping server',
    command: locate(timeSkippingServer, process.env),
    args: [String(port)],
    log: path.join(folder, `${name}.log`),
    pidFile: pidFileOf(folder, name),
    stopSteps: [['SIGKILL', 10_000]],
    killSignal: 'SIGKILL',
    isReady: () => accepts(address),
  });
  // The SDK skips time only on a server that it has started itself within five seconds, which a busy machine may
  // exceed: so ours already serves, and the program that the SDK starts instead does nothing.
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: IDLE }, port },
  });
  await registerSearchAttributes(env.connection, namespace);
  return {
    env,
    address,
    clock: async () => new Date(await env.currentTimeMs()),
    stop: async () => {
      await env.teardown();
      await server.stop();
    },
  };
}

async function accepts(address: string): Promise<boolean> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 5_000 });
    await connection.close();
    return true;
  } catch {
    // It does not serve yet, and the reason does not matter; startServer gives up after its deadline and shows the log.
    return false;
  }
}

/** The machine's own delay since, seconds of the real clock. */
export function stopwatch(): () => number {
  const begun = performance.now();
  return () => (performance.now() - begun) / 1000;
}

/**
 * Expects exactly this time after on the time-skipping server: never sooner, and later only by the machine's own delay.
 * Its time jumps to a timer, not beyond, and advances like the real one in between.
 */
export function expectSeconds(seconds: number, exactly: number, taken: number): void {
  expect(seconds).toBeGreaterThanOrEqual(exactly);
  expect(seconds).toBeLessThanOrEqual(exactly + taken);
}

/**
 * A separate real server, in memory: for schedules, lists, and everything that must be as in production. It takes a
 * second to start; a shared one would let one file's worker take another file's tasks.
 * @param settings further ones of the server
 * @param withUi whether it has a UI
 */
export async function devServer(settings: TemporalSettings = {}, withUi = false): Promise<TestTemporal> {
  const folder = fromSetup('folder');
  const name = `temporal-${randomBytes(4).toString('hex')}`;
  const server = await startTemporal({
    binary: locate(temporalCli, process.env),
    port: await freePort(),
    ...(withUi && { uiPort: await freePort() }),
    settings: {
      // A workflow that a test deletes is gone at once, not half a minute later.
      'history.transferProcessorEnsureCloseBeforeDelete': false,
      // A workflow that does not fit its code is reported at the second failed task, not after minutes.
      'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 2,
      // A search attribute is known as soon as it is registered.
      'system.forceSearchAttributesCacheRefreshOnRead': true,
      ...settings,
    },
    log: path.join(folder, `${name}.log`),
    pidFile: pidFileOf(folder, name),
  });
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: server.address });
  await registerSearchAttributes(env.connection, namespace);
  return {
    env,
    address: server.address,
    ...(server.uiUrl !== undefined && { uiUrl: server.uiUrl }),
    clock: () => Promise.resolve(new Date()),
    stop: async () => {
      await env.teardown();
      await server.stop();
    },
  };
}
