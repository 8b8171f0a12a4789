import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { findRecord, isNodeError, sendSignal, readPidFile, stopLeftover } from '../../local/processes';
import { writeFileAtomically } from '../../local/files';
import { takeLock } from '../../local/lock';

/**
 * The files of one test run: clusters, logs, and a pid file of every server that any of its processes starts, so that
 * the end of the run, or the next run, can stop them all.
 */
const PREFIX = 'causeway-test-';

/** A file system in memory, if the system has one. */
const IN_MEMORY = '/dev/shm';
/** A run takes at most 2 GB of it; the rest is for running programs. */
const ROOM_BYTES = 4 * 2 ** 30;
const MEMORY_BYTES = 12 * 2 ** 30;

/**
 * Where runs have their folders: in memory if there is room. A run makes some 400 databases of a thousand files each,
 * and a disk takes up to half a second for one.
 */
export function placeOfRuns(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize > ROOM_BYTES && freemem() > MEMORY_BYTES ? IN_MEMORY : tmpdir();
}

/** Passed from the run's setup to its workers. */
export const shared = {
  folder: 'CAUSEWAY_TEST_FOLDER',
  serverUrl: 'CAUSEWAY_TEST_SERVER',
  template: 'CAUSEWAY_TEST_TEMPLATE',
  workflowBundle: 'CAUSEWAY_TEST_WORKFLOW_BUNDLE',
  /** Set in a run that leaves out what takes long (in-full.ts). */
  inShort: 'CAUSEWAY_TEST_IN_SHORT',
} as const;

/** @throws outside of a run */
export function fromSetup(name: keyof typeof shared): string {
  const value = process.env[shared[name]];
  if (value === undefined) throw new Error(`${shared[name]} is not set: this runs under jest alone`);
  return value;
}

export function makeRunFolder(): string {
  const folder = mkdtempSync(path.join(placeOfRuns(), PREFIX));
  // PostgreSQL runs as another user if we are root.
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'pids'));
  writeFileAtomically(path.join(folder, 'owner'), JSON.stringify(findRecord(process.pid)));
  return folder;
}

/** Where a server of this run records its process. */
export const pidFileOf = (folder: string, name: string): string => path.join(folder, 'pids', `${name}.pid`);

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
    // PostgreSQL and its children react to it at once; every other server dies.
    if (server) sendSignal(server.pid, 'SIGQUIT');
  }
}

/**
 * Removes the remains of killed runs. If several runs start at once, one does it, and the others find nothing to do.
 * @param within where runs have their folders
 */
export async function removeDeadRuns(within: string): Promise<void> {
  const release = takeLock(removalLock(within));
  if (typeof release !== 'function') return;
  try {
    for (const name of readdirSync(within).filter((file) => file.startsWith(PREFIX))) {
      const folder = path.join(within, name);
      if (readPidFile(path.join(folder, 'owner')) === undefined && isOwned(folder)) await removeRunFolder(folder);
    }
  } finally {
    release();
  }
}

/** Held by the run that removes dead ones; one lock per user. */
export const removalLock = (within: string): string => path.join(within, `causeway-test.${userInfo().uid}.lock`);

/** False for a folder that its run is still creating. */
function isOwned(folder: string): boolean {
  try {
    return readFileSync(path.join(folder, 'owner'), 'utf8') !== '';
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Files of our own, wherever in the folder a test put them. */
function pidFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.pid') && path.basename(file) !== 'postmaster.pid')
    .map((file) => path.join(folder, file));
}
