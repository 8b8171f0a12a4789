import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { FailpointFolder } from '../../local/failpoint-folder';
import { temporaryFolder } from '../support/temporary-folder';

/** A process that passes `request.read` with each of these keys in turn, and then ends in order. */
async function passInProcess(folder: string, keys: readonly string[]): Promise<string> {
  const script = `
    const { FailpointFolder } = require(process.argv[1]);
    const { armFailpoints, failpoint } = require(process.argv[2]);
    armFailpoints(new FailpointFolder(process.argv[3]));
    (async () => { for (const key of process.argv.slice(4)) await failpoint('request.read', key); })();`;
  const dist = path.join(__dirname, '..', '..', 'dist');
  const child = spawn(
    process.execPath,
    ['-e', script, `${dist}/local/failpoint-folder.js`, `${dist}/runtime/failpoints.js`, folder, ...keys],
    { stdio: 'ignore' },
  );
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? `exit ${code ?? '?'}`;
}

describe('failpoints in a folder', () => {
  const root = temporaryFolder();
  let count = 0;
  let folder: string;
  let failpoints: FailpointFolder;
  beforeEach(() => {
    folder = path.join(root, String(++count));
    failpoints = new FailpointFolder(folder);
  });

  it('counts the passes of all processes, also of the one that died there', async () => {
    expect(await passInProcess(folder, ['a', 'b'])).toBe('exit 0');
    failpoints.arm({ step: 'request.read', action: 'kill' });
    expect(await passInProcess(folder, ['c', 'd'])).toBe('SIGKILL');
    expect(failpoints.passes('request.read')).toBe(3);
    expect(failpoints.passes('request.authenticated')).toBe(0);
  });

  it('kills one process once, and reports where', async () => {
    const fired = failpoints.arm({ step: 'request.read', action: 'kill' });
    expect(fired()).toBe(false);
    expect(await passInProcess(folder, ['a/b'])).toBe('SIGKILL');
    expect(fired()).toBe(true);
    expect(failpoints.fired()).toEqual([{ step: 'request.read', key: 'a/b' }]);
    expect(await passInProcess(folder, ['a/b', 'c'])).toBe('exit 0');
  });

  it('kills no process twice at one step with one key, however often it is armed', async () => {
    failpoints.arm({ step: 'request.read', action: 'kill' });
    failpoints.arm({ step: 'request.read', action: 'kill' });
    expect(await passInProcess(folder, ['a'])).toBe('SIGKILL');
    expect(await passInProcess(folder, ['a', 'a'])).toBe('exit 0');
    expect(await passInProcess(folder, ['a', 'b'])).toBe('SIGKILL');
    expect(failpoints.fired().map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('waits for its key, or lets a number of passes through', async () => {
    failpoints.arm({ step: 'request.read', action: 'kill', key: 'c' });
    expect(await passInProcess(folder, ['a', 'b'])).toBe('exit 0');
    expect(await passInProcess(folder, ['b', 'c', 'd'])).toBe('SIGKILL');
    failpoints.arm({ step: 'request.read', action: 'kill', after: 2 });
    expect(await passInProcess(folder, ['x', 'y'])).toBe('exit 0');
    expect(await passInProcess(folder, ['z'])).toBe('SIGKILL');
    expect(failpoints.fired().map(({ key }) => key)).toEqual(['c', 'z']);
  });

  it('makes one of many concurrent processes fail', async () => {
    failpoints.arm({ step: 'request.read', action: 'kill' });
    const ends = await Promise.all(['a', 'b', 'c', 'd'].map((key) => passInProcess(folder, [key])));
    expect(ends.filter((end) => end === 'SIGKILL')).toHaveLength(1);
    expect(failpoints.fired()).toHaveLength(1);
  });
});
