import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRecord, isRunning, isStopped } from '../../local/processes';

describe('a process', () => {
  it('is stopped from SIGSTOP to SIGCONT, and not after its end', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
      stdio: 'ignore',
    });
    const record = findRecord(child.pid ?? 0);
    if (!record) throw new Error('it does not run');
    const untilStopped = async (stopped: boolean): Promise<void> => {
      while (isStopped(record) !== stopped) await sleep(5);
    };
    expect(isStopped(record)).toBe(false);
    child.kill('SIGSTOP');
    await untilStopped(true);
    expect(isRunning(record)).toBe(true);
    child.kill('SIGCONT');
    await untilStopped(false);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect([isStopped(record), isRunning(record)]).toEqual([false, false]);
  });
});
