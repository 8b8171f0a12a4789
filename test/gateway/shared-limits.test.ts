import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { DrawnLimits } from '../../gateway/limits/drawn-limits';
import { DrawnRate } from '../../gateway/limits/drawn-rate';
import type { Places } from '../../gateway/limits/limits';
import type { LimitLine } from '../../gateway/limits/questions';
import { SharedLimits } from '../../gateway/limits/shared-limits';

const MOST_PROCESSES = 3;

/** The lines of processes to a parent, which answers a turn of the event loop later, by a clock of the test. */
function parentAt(clock: { now: number }): {
  readonly shared: SharedLimits;
  readonly line: (of: number) => LimitLine;
} {
  const shared = new SharedLimits();
  const line = (of: number): LimitLine => ({
    ask: async (question) => {
      await turn();
      return shared.answer(of, question, clock.now);
    },
    tell: (notice) => {
      shared.note(of, notice, clock.now);
    },
  });
  return { shared, line };
}

describe('the rate of one caller at several processes', () => {
  const ask = fc.record({
    process: fc.nat({ max: MOST_PROCESSES - 1 }),
    after: fc.nat({ max: 1_500 }),
    requests: fc.integer({ min: 1, max: 40 }),
    weight: fc.integer({ min: 1, max: 5 }),
  });

  it('is never above that of one bucket, and below it by no more than what other processes hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 30 }), async (asks) => {
        const clock = { now: 0 };
        const { line } = parentAt(clock);
        // The caller may have 128 at once, and a process 2 to spare.
        const allowance = { atOnce: 128, perSecond: 20 };
        const rates = Array.from({ length: MOST_PROCESSES }, (_, of) => new DrawnRate('merchant', allowance, line(of)));
        let taken = 0;
        let full = true;
        for (const { process, after, requests, weight } of asks) {
          clock.now += after;
          for (const rate of rates) rate.giveBack(clock.now);
          const waits = await Promise.all(
            Array.from({ length: requests }, async () => await rates[process]?.take('one', weight, clock.now)),
          );
          const admitted = waits.filter((wait) => wait === 0).length * weight;
          // No bucket was full when tokens returned to it, so the first burst is exact.
          if (full)
            expect(admitted).toBeGreaterThanOrEqual(
              Math.min(requests * weight, 128 - taken - (MOST_PROCESSES - 1) * 5 - (weight - 1)),
            );
          if (admitted < requests * weight) full = false;
          taken += admitted;
          expect(taken).toBeLessThanOrEqual(128 + (clock.now / 1_000) * 20 + 1e-9);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it('costs a busy caller one question in 65 requests', async () => {
    const clock = { now: 0 };
    const { line } = parentAt(clock);
    const { ask: answer, tell } = line(1);
    const asked = jest.fn(answer);
    const rate = new DrawnRate('merchant', { atOnce: 5_000, perSecond: 1_000 }, { ask: asked, tell });
    for (let n = 0; n < 650; n++) expect(await rate.take('one', 1, 0)).toBe(0);
    expect(asked).toHaveBeenCalledTimes(10);
  });

  it('lets a process have what another one drew and did not use', async () => {
    const clock = { now: 0 };
    const { line } = parentAt(clock);
    const allowance = { atOnce: 64, perSecond: 0.001 };
    const [first, second] = [1, 2].map((of) => new DrawnRate('merchant', allowance, line(of)));
    expect(await first?.take('one', 1, 0)).toBe(0);
    expect(await second?.take('one', 63, 0)).toBeGreaterThan(0);
    first?.giveBack(999);
    expect(await second?.take('one', 62, 0)).toBe(0);
    // The second holds one token, and the first another.
    expect(await second?.take('one', 1, 0)).toBeGreaterThan(0);
    first?.giveBack(1_000);
    expect(await second?.take('one', 1, 0)).toBe(0);
  });

  it('tells when there will be enough tokens', async () => {
    const { line } = parentAt({ now: 0 });
    const rate = new DrawnRate('cashier link', { atOnce: 4, perSecond: 2 }, line(1));
    expect(await rate.take('one', 4, 0)).toBe(0);
    expect(await rate.take('one', 3, 0)).toBe(1_500);
  });
});

describe('the places of one caller at several processes', () => {
  it('are as many as one process would give, and free again when a process ends', async () => {
    const { shared, line } = parentAt({ now: 0 });
    const processes = [1, 2].map((of) => new DrawnLimits(2, line(of)));
    const [first, second] = processes.map((limits) => limits.places('cashier link', 3));
    /** How many of three tries of a caller get a place. */
    const placed = async (at: Places | undefined, caller = 't'): Promise<number> => {
      let count = 0;
      for (let n = 0; n < 3; n++) if ((await at?.take(caller)) === true) count++;
      return count;
    };
    expect(await first?.take('t')).toBe(true);
    expect(await placed(second)).toBe(2);
    expect(await placed(second, 'another')).toBe(3);
    second?.leave('t');
    expect(await placed(first)).toBe(1);
    // The first had two.
    shared.forget(1);
    expect(await placed(second)).toBe(2);
    for (const limits of processes) limits.close();
  });
});
