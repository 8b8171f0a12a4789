import fc from 'fast-check';
import {
  type BreakerSettings,
  type BreakerState,
  type ChannelRecord,
  judgeBreaker,
  LONGEST_PAUSE_SECONDS,
  problemOfBreaker,
} from '../../domain/health';

const now = new Date('2026-03-04T12:00:00.000Z');
const after = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);
const settings: BreakerSettings = {
  breakerPercent: 60,
  breakerFailures: 4,
  breakerOrders: 10,
  breakerMinutes: 15,
  breakerPause: 60,
};
const closed: BreakerState = {
  breakerState: 'HEALTHY',
  breakerPausedFor: null,
  breakerTrialAt: null,
};
const record = (over: Partial<ChannelRecord> = {}): ChannelRecord => ({
  succeeded: 0,
  failed: 0,
  failedInRow: 0,
  lastError: null,
  trial: null,
  ...over,
});

describe('a closed breaker', () => {
  it.each<[string, Partial<BreakerSettings>, Partial<ChannelRecord>, boolean]>([
    ['stays closed without orders', {}, {}, false],
    ['stays closed at its percentage', {}, { succeeded: 6, failed: 4 }, false],
    ['opens below its percentage', {}, { succeeded: 59, failed: 41 }, true],
    ['stays closed below it with too few orders', {}, { succeeded: 3, failed: 6 }, false],
    ['opens below it with just enough orders', {}, { succeeded: 3, failed: 7 }, true],
    ['stays closed with fewer failures in a row', {}, { succeeded: 9, failed: 3, failedInRow: 3 }, false],
    ['opens after its number of failures in a row', {}, { succeeded: 9, failed: 4, failedInRow: 4 }, true],
    ['opens at once if one failure is enough', { breakerFailures: 1 }, { failedInRow: 1 }, true],
    ['without a percentage', { breakerPercent: null }, { failed: 50, failedInRow: 3 }, false],
    ['without a number of failures', { breakerFailures: null }, { failed: 9, failedInRow: 9 }, false],
    ['without settings', { breakerFailures: null, breakerPercent: null }, { failed: 500, failedInRow: 500 }, false],
  ])('%s', (_what, set, went, opens) => {
    const verdict = judgeBreaker({ ...settings, ...set }, closed, record(went), now);
    if (opens)
      expect(verdict).toMatchObject({
        breakerState: 'DOWN',
        breakerPausedFor: 60,
        breakerTrialAt: after(60),
      });
    else expect(verdict).toBeNull();
  });

  it('gives the reason when it opens', () => {
    const why = (went: Partial<ChannelRecord>): string | undefined =>
      judgeBreaker(settings, closed, record(went), now)?.reason;
    expect(why({ succeeded: 2, failed: 8, lastError: 'HTTP 500' })).toBe(
      '2 of 10 orders in 15 minutes succeeded, the last one: HTTP 500',
    );
    expect(why({ failed: 4, failedInRow: 4 })).toBe('4 orders failed one after another');
  });
});

describe('an open breaker', () => {
  const open: BreakerState = {
    breakerState: 'DOWN',
    breakerPausedFor: 60,
    breakerTrialAt: after(-1),
  };
  const trial = (over: Partial<BreakerState> = {}): BreakerState => ({
    breakerState: 'TRIAL',
    breakerPausedFor: 60,
    breakerTrialAt: after(80),
    ...over,
  });
  const judged = (state: BreakerState, went: Partial<ChannelRecord> = {}, set = settings) =>
    judgeBreaker(set, state, record(went), now);

  it('waits for the order on trial, for any record', () => {
    expect(judged(open, { succeeded: 100 })).toBeNull();
    expect(judged(trial(), { failed: 100, failedInRow: 100 })).toBeNull();
  });
  it('closes when the trial succeeds', () => {
    expect(judged(trial(), { trial: 'SUCCEEDED', failed: 9, failedInRow: 9 })).toMatchObject(closed);
  });
  it('stays open twice as long when the trial fails, up to an hour', () => {
    const pauses = [60];
    for (let n = 0; n < 8; n++) {
      const pausedFor = pauses.at(-1) ?? 0;
      const verdict = judged(trial({ breakerPausedFor: pausedFor }), { trial: 'FAILED' });
      expect(verdict?.breakerState).toBe('DOWN');
      expect(verdict?.breakerTrialAt).toEqual(after(verdict?.breakerPausedFor ?? 0));
      pauses.push(verdict?.breakerPausedFor ?? 0);
    }
    expect(pauses).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
  });
  it('starts another trial at once if the outcome of the first is unknown', () => {
    expect(judged(trial({ breakerTrialAt: now }))).toMatchObject({
      breakerState: 'DOWN',
      breakerPausedFor: 60,
      breakerTrialAt: now,
    });
  });
  it('closes if its settings are removed', () => {
    const none = { ...settings, breakerPercent: null, breakerFailures: null };
    for (const state of [open, trial()]) expect(judged(state, {}, none)).toMatchObject(closed);
  });
});

describe('for any outcomes of a channel', () => {
  it('a breaker moves only along its states, and pauses between two trials', () => {
    const moves = new Set<string>();
    fc.assert(
      fc.property(
        fc.record({
          breakerPercent: fc.option(fc.integer({ min: 1, max: 100 })),
          breakerFailures: fc.option(fc.integer({ min: 1, max: 5 })),
          breakerOrders: fc.integer({ min: 1, max: 8 }),
          breakerMinutes: fc.constant(10),
          breakerPause: fc.integer({ min: 10, max: 600 }),
        }),
        fc.array(fc.record({ fails: fc.boolean(), seconds: fc.integer({ min: 1, max: 400 }) }), {
          minLength: 40,
          maxLength: 40,
        }),
        (set, orders) => {
          expect(problemOfBreaker(set)).toBeNull();
          let state = closed;
          let went: boolean[] = [];
          let time = now;
          let trial: ChannelRecord['trial'] = null;
          for (const { fails, seconds } of orders) {
            time = new Date(time.getTime() + seconds * 1_000);
            // A model of the database and of routing: which order goes to the channel, and what is recorded.
            const { breakerState, breakerTrialAt } = state;
            if (breakerState === 'HEALTHY') went.push(!fails);
            else if (breakerState === 'DOWN' && breakerTrialAt && breakerTrialAt <= time) {
              moves.add('DOWN → TRIAL');
              state = { ...state, breakerState: 'TRIAL', breakerTrialAt: time };
              trial = fails ? 'FAILED' : 'SUCCEEDED';
            }
            const inRow = went.length - 1 - went.lastIndexOf(true);
            const verdict = judgeBreaker(
              set,
              state,
              {
                succeeded: went.filter(Boolean).length,
                failed: went.filter((one) => !one).length,
                failedInRow: inRow,
                lastError: null,
                trial,
              },
              time,
            );
            if (!verdict) continue;
            moves.add(`${state.breakerState} → ${verdict.breakerState}`);
            if (verdict.breakerState === 'DOWN') {
              expect(set.breakerPercent !== null || set.breakerFailures !== null).toBe(true);
              const pause = verdict.breakerPausedFor ?? 0;
              expect(pause).toBeGreaterThanOrEqual(set.breakerPause);
              expect(pause).toBeLessThanOrEqual(LONGEST_PAUSE_SECONDS);
              if (state.breakerState === 'TRIAL')
                expect(pause).toBe(Math.min(2 * (state.breakerPausedFor ?? 0), LONGEST_PAUSE_SECONDS));
            }
            if (verdict.breakerState === 'HEALTHY') {
              expect(trial).toBe('SUCCEEDED');
              went = [];
            }
            state = verdict;
            trial = null;
          }
        },
      ),
      { numRuns: 200, seed: 20_260_304 },
    );
    expect([...moves].sort()).toEqual([...['DOWN → TRIAL', 'HEALTHY → DOWN', 'TRIAL → DOWN', 'TRIAL → HEALTHY']]);
  });
});

describe('settings of a breaker', () => {
  it.each<[Partial<BreakerSettings>]>([
    [{ breakerPercent: 0 }],
    [{ breakerPercent: 101 }],
    [{ breakerFailures: 0 }],
    [{ breakerFailures: 1_001 }],
    [{ breakerOrders: 0 }],
    [{ breakerMinutes: 0 }],
    [{ breakerMinutes: 1_441 }],
    [{ breakerPause: 9 }],
    [{ breakerPause: 3_601 }],
  ])('refuse %j', (set) => {
    expect(problemOfBreaker({ ...settings, ...set })).toMatch(/must be/);
  });
});
