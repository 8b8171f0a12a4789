import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from '../local/data-folder';
import type { Release } from '../local/lock';
import { stopLeftoverPostgres } from '../local/postgres';
import { readPidFile, signalFamily, stopLeftover } from '../local/processes';
import { STOP_ROLE } from '../local/role-process';
import { stopLeftoverTemporal, temporalFiles } from '../local/temporal-server';
import { PAIR_FOLDERS } from './postgres-pair';
import { SmallDisk } from './small-disk';

/**
 * Empties a campaign's folder and locks it for this process; stops processes that a killed campaign left running there.
 * The folder keeps its logs and data until the next campaign of that name.
 * @throws if another campaign runs there
 */
export async function takeFreshFolder(folder: string): Promise<Release> {
  const lock = lockDataFolder(folder);
  if (typeof lock !== 'function') throw new Error(`A campaign already runs in ${folder} (process ${lock.pid}).`);
  const inFolder = (...parts: string[]): string => path.join(folder, ...parts);
  const frozen = readPidFile(inFolder('postgres', 'postgres.pid'));
  if (frozen) signalFamily(frozen, 'SIGCONT');
  for (const file of filesIn(inFolder('run'))) await stopLeftover(file, STOP_ROLE);
  await stopLeftoverTemporal(temporalFiles(inFolder('temporal')).pidFile);
  for (const server of [...PAIR_FOLDERS, path.join('temporal', 'postgres')])
    await stopLeftoverPostgres(inFolder(server));
  for (const server of ['postgres', 'temporal']) SmallDisk.unmountLeftover(inFolder(server));
  for (const file of filesIn(folder))
    if (path.basename(file) !== 'lock') rmSync(file, { recursive: true, force: true });
  return lock;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    // It does not exist yet.
    return [];
  }
}
