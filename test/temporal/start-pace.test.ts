import { StartPace } from '../../temporal/start-pace';

describe('the pace of starts beside money', () => {
  let now: number;
  let pace: StartPace;
  beforeEach(() => {
    now = 0;
    pace = new StartPace(() => now);
  });

  /** Starts the oldest of rows that were created at these times whenever it may. @returns when each went */
  function startAll(createdAt: readonly number[]): number[] {
    const waiting = [...createdAt];
    const went: number[] = [];
    for (; waiting.length > 0; now += 5)
      if (!pace.rests()) {
        pace.started(now - (waiting.shift() ?? 0));
        went.push(now);
      }
    return went;
  }

  it('is one each 50 ms, the first at once', () => {
    expect(startAll([0, 0, 0, 0])).toEqual([0, 50, 100, 150]);
  });

  it('has no end of its own: a start after a pause goes at once', () => {
    startAll([0, 0]);
    now = 1_000;
    expect(startAll([900])).toEqual([1_000]);
  });

  it('holds back none that waits for 20 s: 1,000 of one moment have all gone after 23 s', () => {
    const went = startAll(Array.from({ length: 1_000 }, () => 0));
    expect(went.filter((at) => at < 20_000)).toHaveLength(400);
    expect(went.at(-1)).toBe(20_000 + 599 * 5);
  });
});
