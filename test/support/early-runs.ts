import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../local/files';
import { findRecord, writePidFile } from '../../local/processes';
import { fromSetup, pidFileOf } from './run-folder';

const ROOT = path.join(__dirname, '..', '..');

/**
 * Programs of the build that mostly wait, by name: in a suite they would block a jest worker for a minute or two. A run
 * of all suites starts them in its set-up; their suite waits for the end and judges it.
 */
const EARLY_RUNS = {
  'worker-kill': ['dist/chaos/main.js', 'worker-kill', '--orders', '39', '--seed', '1'],
} as const satisfies Record<string, readonly string[]>;

export type EarlyRun = keyof typeof EARLY_RUNS;

/** The end of one, and everything that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly printed: string;
}

const endOf = (folder: string, name: EarlyRun): string => path.join(folder, `${name}.ended.json`);
const begunOf = (folder: string, name: EarlyRun): string => path.join(folder, `${name}.begun`);

/** Starts each, and returns at once; `folder` is the run's, whose removal stops those that still run. */
export function startEarlyRuns(folder: string): void {
  for (const name of Object.keys(EARLY_RUNS) as EarlyRun[]) void run(folder, name);
}

/** Waits for the end of one. In a run of some suites, for which the set-up did not start it, starts it first. */
export async function endOfEarlyRun(name: EarlyRun): Promise<Ended> {
  const folder = fromSetup('folder');
  if (!existsSync(begunOf(folder, name))) return await run(folder, name);
  while (!existsSync(endOf(folder, name))) await sleep(100);
  return JSON.parse(readFileSync(endOf(folder, name), 'utf8')) as Ended;
}

async function run(folder: string, name: EarlyRun): Promise<Ended> {
  writeFileAtomically(begunOf(folder, name), '');
  const log = createWriteStream(path.join(folder, `${name}.log`));
  const child = spawn(process.execPath, EARLY_RUNS[name], {
    cwd: ROOT,
    env: { ...process.env, CAUSEWAY_DATA: path.join(folder, name) },
  });
  const record = child.pid === undefined ? undefined : findRecord(child.pid);
  if (record) writePidFile(pidFileOf(folder, name), record);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      printed += text.toString();
      log.write(text);
    });
  await once(child, 'close');
  log.end();
  const ended: Ended = { code: child.exitCode, printed };
  // The run may end first, and remove its folder.
  if (existsSync(folder)) writeFileAtomically(endOf(folder, name), JSON.stringify(ended));
  return ended;
}
