import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findRecord } from '../../local/processes';
import { removalLock, removeDeadRuns } from './run-folder';
import { temporaryFolder } from './temporary-folder';

const tmp = temporaryFolder();
/** The folder of a run whose process is this one, or none. */
function runOf(name: string, pid: number, born = findRecord(pid)?.born): string {
  const folder = path.join(tmp, `causeway-test-${name}`);
  mkdirSync(path.join(folder, 'pids'), { recursive: true });
  writeFileSync(path.join(folder, 'owner'), JSON.stringify({ pid, born }));
  return folder;
}

test('a run that was killed is removed by one run at a time, a living one by none', async () => {
  const dead = runOf('dead', process.pid, 'in another life');
  const living = runOf('living', process.pid);
  const other = spawn('sleep', ['60']);
  writeFileSync(removalLock(tmp), JSON.stringify(findRecord(other.pid ?? 0)));
  await removeDeadRuns(tmp);
  expect(existsSync(dead)).toBe(true);

  other.kill('SIGKILL');
  await once(other, 'exit');
  await removeDeadRuns(tmp);
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(living)).toBe(true);
  expect(existsSync(removalLock(tmp))).toBe(false);
});
