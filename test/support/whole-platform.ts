import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Release, takeLock } from '../../local/lock';
import type { Sandbox } from '../../local/sandbox';
import { fromSetup } from './run-folder';

const ROOT = path.join(__dirname, '..', '..');

/** Runs `npm start` from the build that `npm test` makes first: every role and server is a process. */
export interface WholePlatform {
  readonly sandbox: Sandbox;
  /** Everything that it has printed until now. */
  readonly printed: () => string;
  stop(): Promise<void>;
}

/** @throws with its output, if it does not start */
export async function startWholePlatform(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<WholePlatform> {
  const child: ChildProcess = spawn(process.execPath, [path.join(ROOT, 'dist', 'main.js')], {
    cwd: ROOT,
    env: {
      ...process.env,
      CAUSEWAY_DATA: dataDir,
      GATEWAY_PORT: '0',
      GRAPH_PORT: '0',
      POSTGRES_PORT: '0',
      TEMPORAL_PORT: '0',
      TEMPORAL_UI_PORT: '0',
      ...env,
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      printed += text.toString();
    });
  // With all its output; the exit may come before its last lines.
  const ended = once(child, 'close');
  const file = path.join(dataDir, 'sandbox.json');
  while (!existsSync(file)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it did not start:\n${printed}`);
    await sleep(50);
  }
  return {
    sandbox: JSON.parse(readFileSync(file, 'utf8')) as Sandbox,
    printed: () => printed,
    stop: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/**
 * Copies the data of a platform that was started and stopped once: it has its servers' files, its schema and the demo
 * tenant, so that each suite's platform starts in half the time.
 * @param dataDir the target; it must not exist yet
 */
export async function copyPreparedData(dataDir: string): Promise<void> {
  const prepared = await prepareData();
  // Keeps the owner: PostgreSQL starts as another user if we are root.
  await promisify(execFile)('cp', ['-a', prepared, dataDir]);
}

/** Creates that data, once a run. @returns its folder */
export async function prepareData(): Promise<string> {
  const prepared = path.join(fromSetup('folder'), 'prepared-platform');
  const release = await waitForLock(`${prepared}.lock`);
  try {
    if (!existsSync(prepared)) {
      const making = `${prepared}.making`;
      await (await startWholePlatform(making)).stop();
      renameSync(making, prepared);
    }
  } finally {
    release();
  }
  return prepared;
}

async function waitForLock(file: string): Promise<Release> {
  for (;;) {
    const lock = takeLock(file);
    if (typeof lock === 'function') return lock;
    await sleep(100);
  }
}
