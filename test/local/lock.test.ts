import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from '../../local/lock';
import { findRecord } from '../../local/processes';
import { temporaryFolder } from '../support/temporary-folder';

const file = path.join(temporaryFolder(), 'lock');

function take(): () => void {
  const lock = takeLock(file);
  if (typeof lock !== 'function') throw new Error(`process ${lock.pid} has it`);
  return lock;
}

test('is held by one at a time and can be released', () => {
  const release = take();
  expect(takeLock(file)).toMatchObject({ pid: process.pid });
  release();
  expect(existsSync(file)).toBe(false);
  take()();
});

test('a killed process does not hold it', async () => {
  const holder = spawn('sleep', ['60']);
  writeFileSync(file, JSON.stringify(findRecord(holder.pid ?? 0)));
  expect(takeLock(file)).toMatchObject({ pid: holder.pid });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  take()();
});

test('a process that reuses the holder’s number does not hold it', () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, born: 'in another life' }));
  expect(take()).toBeInstanceOf(Function);
  rmSync(file);
});

test('a lock file cut short by a crash of the machine is ignored', () => {
  writeFileSync(file, '{"pid"');
  expect(take()).toBeInstanceOf(Function);
  rmSync(file);
});
