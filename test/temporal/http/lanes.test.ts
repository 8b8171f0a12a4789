import fc from 'fast-check';
import { type Entry, Lanes } from '../../../temporal/http/lanes';

const SLOTS = 500;
/** The longest attempt. */
const LONGEST_MS = 10_000;

describe('lanes', () => {
  let now = 0;
  let lanes: Lanes;
  beforeEach(() => {
    now = 0;
    lanes = new Lanes(SLOTS, () => now);
  });

  const enter = (lane: string, who = 'somebody'): Entry => lanes.enter([lane], who, LONGEST_MS);

  /** Fills a lane with attempts that do not end by themselves. */
  function fill(lane: string): (() => void)[] {
    const inside: (() => void)[] = [];
    for (let entry = enter(lane); entry.entered; entry = enter(lane)) inside.push(entry.leave);
    return inside;
  }

  test('one alone has 55 slots of 500, and fewer the more others hold; a new one is always admitted', () => {
    expect(fill('dead.example')).toHaveLength(55);
    const others = Array.from({ length: 200 }, (_, n) => fill(`dead-${n}.example`).length);
    expect(others[0]).toBeLessThanOrEqual(55);
    expect(Math.min(...others)).toBe(1);
    expect(enter('good.example').entered).toBe(true);
  });

  test('a slot counts in each of its lanes: many servers of one merchant share its lane', () => {
    let entered = 0;
    while (lanes.enter(['merchant', `https://dead-${entered}.example`], 'x', LONGEST_MS).entered) entered++;
    expect(entered).toBe(55);
    expect(lanes.enter(['merchant 2', 'https://good.example'], 'y', LONGEST_MS).entered).toBe(true);
  });

  test('attempts that find a lane full retry in turn, at the pace of the lane’s attempts, and within a minute', () => {
    fill('dead.example');
    const backs = Array.from({ length: 600 }, (_, n) => enter('dead.example', `late ${n}`)).map((entry) =>
      entry.entered ? 0 : entry.backAfterMs,
    );
    expect(Math.min(...backs)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...backs)).toBeLessThanOrEqual(60_000);
    // 55 slots of 10 s are 5.5 turns a second: few more start in any second, except those that share a turn.
    for (let second = 1; second < 60; second++) {
      const turns = backs.filter((back) => Math.floor(back / 1_000) === second);
      expect(turns.length).toBeLessThanOrEqual(3 * 6);
    }
    expect(lanes.waiting).toBe(601);
  });

  test('a lane of short attempts is retried after the shortest pause', () => {
    const inside = fill('quick.example');
    now += 20;
    inside.pop()?.();
    enter('quick.example');
    const entry = enter('quick.example', 'late');
    expect(entry).toEqual({ entered: false, backAfterMs: expect.any(Number) as number });
    expect(entry.entered ? 0 : entry.backAfterMs).toBeLessThan(1_200);
    for (const leave of inside) leave();
    expect(enter('quick.example', 'late').entered).toBe(true);
  });

  test('an attempt that never retries does not count as waiting', () => {
    fill('dead.example');
    now += 120_000;
    expect(lanes.waiting).toBe(0);
  });

  test('in any sequence: no more attempts than slots, at most an eighth of the free ones, none lost', () => {
    const step = fc.record({ lane: fc.integer({ min: 0, max: 30 }), leaves: fc.nat({ max: 3 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const some = new Lanes(64, () => (now += 100));
        const inside: { lane: number; leave: () => void }[] = [];
        for (const { lane, leaves } of steps) {
          const before = inside.filter((one) => one.lane === lane).length;
          const most = Math.max(1, Math.floor((64 - inside.length) / 8));
          const entry = some.enter([`lane ${lane}`], 'x', LONGEST_MS);
          expect(entry.entered).toBe(before < most);
          if (entry.entered) inside.push({ lane, leave: entry.leave });
          // Leaving twice has the effect of leaving once.
          for (const { leave } of inside.splice(0, leaves)) for (const go of [leave, leave]) go();
          expect(some.open).toBe(new Set(inside.map((one) => one.lane)).size);
        }
        for (const { leave } of inside) leave();
        expect(some.open).toBe(0);
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
