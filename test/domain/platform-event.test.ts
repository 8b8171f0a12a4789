import { EVENT_ATTEMPTS, waitAfterAttempt } from '../../domain/platform-event';

const waits = (kind: 'MAIL' | 'WEBHOOK'): number[] =>
  Array.from({ length: EVENT_ATTEMPTS[kind] - 1 }, (_, n) => waitAfterAttempt(kind, n + 1));

describe('the attempts to deliver an event', () => {
  it('are five at a webhook, 30 seconds apart', () => {
    expect(waits('WEBHOOK')).toEqual([30, 30, 30, 30]);
  });

  it('are at growing distances for a mail, at most an hour apart, for nearly a day', () => {
    const [first, ...rest] = waits('MAIL');
    expect([first, ...rest.slice(0, 7)]).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600]);
    expect(new Set(rest.slice(6))).toEqual(new Set([3_600]));
    const hours = waits('MAIL').reduce((sum, seconds) => sum + seconds, 0) / 3_600;
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThan(24);
  });
});
