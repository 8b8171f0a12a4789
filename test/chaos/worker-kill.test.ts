import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder';
import { FAILPOINTS } from '../../runtime/failpoints';

const STEPS = Object.keys(FAILPOINTS).length;

const run = promisify(execFile);
const ROOT = path.join(__dirname, '..', '..');

/** A small run of the campaign `npm run chaos -- worker-kill`; mostly it waits for 30-second retries. */
describe('one kill at each step of the worker', () => {
  const CAUSEWAY_DATA = path.join(temporaryFolder(), 'data');

  it('leaves nothing lost, doubled or stuck', async () => {
    const { stdout } = await run(
      process.execPath,
      ['dist/chaos/main.js', 'worker-kill', '--orders', '39', '--seed', '1'],
      { cwd: ROOT, env: { ...process.env, CAUSEWAY_DATA } },
    );
    expect(stdout).toContain(`kills=worker-1 13 steps=${STEPS}/${STEPS}`);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('orders=39 double=0 lost=0 stuck=0');
  }, 480_000);
});
