import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  findRecord,
  isNodeError,
  sendSignal,
  readPidFile,
  stopLeftover,
} from '../../local/processes';
import { writeFileAtomically } from '../../local/files';

/**
 * What one run of the tests leaves on disk while it lasts: clusters, logs, and a pid file of every server that
 * any of its processes starts, so that the end of the run, or the next run, can stop them all.
 */
const PREFIX = 'causeway-test-';

/** Passed from the run's setup to its workers. */
export const shared = {
  folder: 'CAUSEWAY_TEST_FOLDER',
  serverUrl: 'CAUSEWAY_TEST_SERVER',
  template: 'CAUSEWAY_TEST_TEMPLATE',
  workflowBundle: 'CAUSEWAY_TEST_WORKFLOW_BUNDLE',
} as const;

/** @throws outside of a run */
export function fromSetup(name: keyof typeof shared): string {
  const value = process.env[shared[name]];
  if (value === undefined)
    throw new Error(`${shared[name]} is not set: this runs under jest alone`);
  return value;
}

export function makeRunFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  // PostgreSQL runs as a user of its own where we are root.
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'pids'));
  writeFileAtomically(path.join(folder, 'owner'), JSON.stringify(findRecord(process.pid)));
  return folder;
}

/** Where a server of this run notes its process. */
export const pidFileOf = (folder: string, name: string): string =>
  path.join(folder, 'pids', `${name}.pid`);

/** Stops every server of a run and removes what it left. */
export async function removeRunFolder(folder: string): Promise<void> {
  for (const file of pidFilesIn(folder))
    await stopLeftover(file, [
      ['SIGTERM', 3_000],
      ['SIGQUIT', 2_000],
      ['SIGKILL', 2_000],
    ]);
  rmSync(folder, { recursive: true, force: true });
}

/** For a run that is being interrupted: no time to wait. */
export function killServers(folder: string): void {
  for (const file of pidFilesIn(folder)) {
    const server = readPidFile(file);
    // PostgreSQL answers to it at once, with all its children; so does every other server by dying.
    if (server) sendSignal(server.pid, 'SIGQUIT');
  }
}

/** Removes what runs left that were killed. */
export async function removeDeadRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((file) => file.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    if (readPidFile(path.join(folder, 'owner')) === undefined && isOwned(folder))
      await removeRunFolder(folder);
  }
}

/** False for a folder whose run has only begun to make it. */
function isOwned(folder: string): boolean {
  try {
    return readFileSync(path.join(folder, 'owner'), 'utf8') !== '';
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Those of our own making, wherever in the folder a test had them put. */
function pidFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.pid') && path.basename(file) !== 'postmaster.pid')
    .map((file) => path.join(folder, file));
}
