import { type PlatformSigns, problemsOf, stateOf } from '../../domain/platform-health';

const NOW = new Date('2030-01-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);
const NOTHING = { MONEY_WAITS: null, CREDIT_LATE: null, PAYOUT_LATE: null };
const signs = (changed: Partial<PlatformSigns>): PlatformSigns => ({
  beats: [ago(4)],
  lastWorkerAt: ago(4),
  waiting: NOTHING,
  channelsDown: null,
  ...changed,
});

describe('the health of the platform', () => {
  it.each<[string, Partial<PlatformSigns>, string, string[]]>([
    ['a worker sends heartbeats', {}, 'WORKING', []],
    ['no worker ever started', { beats: [], lastWorkerAt: null }, 'WORKING', []],
    ['its only worker is silent', { beats: [ago(16)], lastWorkerAt: ago(16) }, 'STALLED', ['NO_WORKER']],
    ['the last worker ended orderly', { beats: [], lastWorkerAt: ago(16) }, 'STALLED', ['NO_WORKER']],
    ['a worker starts again', { beats: [], lastWorkerAt: ago(10) }, 'WORKING', []],
    ['one of two workers is silent', { beats: [ago(2), ago(20)] }, 'IMPAIRED', ['WORKER_SILENT']],
    ['one worker died long ago', { beats: [ago(2), ago(601)] }, 'WORKING', []],
    [
      'payments wait',
      { waiting: { ...NOTHING, MONEY_WAITS: { since: ago(31), count: 3 } } },
      'STALLED',
      ['MONEY_WAITS'],
    ],
    [
      'payments arrived just now',
      { waiting: { ...NOTHING, MONEY_WAITS: { since: ago(29), count: 3 } } },
      'WORKING',
      [],
    ],
    [
      'credits and payouts are late, a channel is down',
      {
        waiting: {
          MONEY_WAITS: null,
          CREDIT_LATE: { since: ago(31), count: 1 },
          PAYOUT_LATE: { since: ago(121), count: 2 },
        },
        channelsDown: { since: ago(9), count: 1 },
      },
      'STALLED',
      ['CREDIT_LATE', 'PAYOUT_LATE', 'CHANNEL_DOWN'],
    ],
    [
      'only payouts are late',
      { waiting: { ...NOTHING, PAYOUT_LATE: { since: ago(121), count: 2 } } },
      'IMPAIRED',
      ['PAYOUT_LATE'],
    ],
  ])('when %s', (_what, changed, state, kinds) => {
    const problems = problemsOf(signs(changed), NOW);
    expect(problems.map(({ kind }) => kind)).toEqual(kinds);
    expect(stateOf(problems)).toBe(state);
  });
});
