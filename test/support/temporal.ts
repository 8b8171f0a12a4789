import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { findRecord, writePidFile } from '../../local/processes';
import { locate, temporalCli, timeSkippingServer } from '../../local/servers';
import { startTemporal } from '../../local/temporal-server';
import { registerSearchAttributes } from '../../temporal/search-attributes';
import { freePort } from '../../local/ports';
import { fromSetup, pidFileOf } from './run-folder';

const namespace = 'default';

export interface TestTemporal {
  readonly env: TestWorkflowEnvironment;
  readonly address: string;
  /** The server's time: what the activities' clock is in a test, so that skipped time is the time everywhere. */
  readonly clock: () => Promise<Date>;
  readonly stop: () => Promise<void>;
}

/** A bundle of all workflows, for `workflowBundle: { codePath }` of a worker. */
export const workflowBundlePath = (): string => fromSetup('workflowBundle');

/** The SDK gives the server five seconds to start; a busy machine may need more. */
async function startPatiently<Server>(start: () => Promise<Server>): Promise<Server> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries === 8) throw error;
    }
  }
}

/** A server of one's own whose time jumps to the next timer whenever all workflows wait. No schedules, no lists. */
export async function timeSkipping(): Promise<TestTemporal> {
  const folder = fromSetup('folder');
  const name = `test-server-${randomBytes(4).toString('hex')}`;
  const script = path.join(folder, name);
  const program = locate(timeSkippingServer, process.env);
  // The SDK starts the server and keeps its process to itself, so the program notes its own number.
  writeFileSync(script, `#!/bin/sh\necho $$ > '${script}.started'\nexec '${program}' "$@"\n`, {
    mode: 0o755,
  });
  const env = await startPatiently(
    async () =>
      await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path: script } },
      }),
  );
  const record = findRecord(Number(readFileSync(`${script}.started`, 'utf8')));
  if (record) writePidFile(pidFileOf(folder, name), record);
  await registerSearchAttributes(env.connection, namespace);
  return {
    env,
    address: env.address,
    clock: async () => new Date(await env.currentTimeMs()),
    stop: async () => {
      await env.teardown();
      rmSync(pidFileOf(folder, name), { force: true });
    },
  };
}

/**
 * A real server of one's own, in memory: for schedules, lists, and whatever must be as in production. It takes a
 * second to start; a shared one would let one file's worker take another file's tasks.
 */
export async function devServer(): Promise<TestTemporal> {
  const folder = fromSetup('folder');
  const name = `temporal-${randomBytes(4).toString('hex')}`;
  const server = await startTemporal({
    binary: locate(temporalCli, process.env),
    port: await freePort(),
    settings: {
      // A workflow that a test deletes is gone at once, not half a minute later.
      'history.transferProcessorEnsureCloseBeforeDelete': false,
      // What does not fit its code is reported at the second task that fails, not after minutes.
      'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 2,
    },
    log: path.join(folder, `${name}.log`),
    pidFile: pidFileOf(folder, name),
  });
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: server.address });
  await registerSearchAttributes(env.connection, namespace);
  return {
    env,
    address: server.address,
    clock: () => Promise.resolve(new Date()),
    stop: async () => {
      await env.teardown();
      await server.stop();
    },
  };
}
