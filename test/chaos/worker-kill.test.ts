import { FAILPOINTS } from '../../runtime/failpoints';
import { endOfEarlyRun } from '../support/early-runs';

const STEPS = Object.keys(FAILPOINTS).length;

/** A small run of the campaign `npm run chaos -- worker-kill`; mostly it waits for 30-second retries. */
describe('one kill at each step of the worker', () => {
  it('leaves nothing lost, doubled or stuck', async () => {
    const { code, printed } = await endOfEarlyRun('worker-kill');
    expect({ code, printed }).toMatchObject({ code: 0 });
    expect(printed).toContain(`kills=worker-1 13 steps=${STEPS}/${STEPS}`);
    expect(printed.trimEnd().split('\n').at(-1)).toBe('orders=39 double=0 lost=0 stuck=0');
  }, 480_000);
});
