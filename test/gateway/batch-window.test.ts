import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { BatchWindow, WINDOW_MS } from '../../gateway/batch-window';

describe('requests', () => {
  let late = false;
  let turns = 0;
  let counting = true;
  const window = new BatchWindow(() => late);
  /** Enters. @returns in which turn of the event loop it was let in */
  const entered = async (): Promise<number> => {
    await window.enter();
    return turns;
  };

  beforeAll(() => {
    void (async () => {
      for (; counting; turns++) await turn();
    })();
  });
  afterAll(() => {
    counting = false;
  });

  it('enter at once while credits are on time', async () => {
    late = false;
    const before = turns;
    expect(await entered()).toBe(before);
  });

  it('enter together while credits are late, and those that come later with the next ones', async () => {
    late = true;
    const began = performance.now();
    const first = entered();
    await sleep(WINDOW_MS / 4);
    const others = [entered(), entered()];
    const together = await first;
    expect(performance.now() - began).toBeGreaterThan(WINDOW_MS - 2);
    expect(await Promise.all(others)).toEqual([together, together]);
    expect(await entered()).toBeGreaterThan(together);
  });

  it('that wait are let in when credits are on time again', async () => {
    late = true;
    const waiting = entered();
    late = false;
    const before = turns;
    expect(await entered()).toBe(before);
    expect(await waiting).toBeGreaterThan(before);
  });
});
