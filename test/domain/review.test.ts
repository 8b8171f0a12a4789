import { isQuiet } from '../../domain/review';

describe('quiet hours', () => {
  const night = { from: '22:00', to: '06:00' };

  it.each([
    ['UTC', '2026-03-04T21:59:59.999Z', false],
    ['UTC', '2026-03-04T22:00:00Z', true],
    ['UTC', '2026-03-05T05:59:59.999Z', true],
    ['UTC', '2026-03-05T06:00:00Z', false],
    ['Asia/Bangkok', '2026-03-04T14:59:59.999Z', false],
    ['Asia/Bangkok', '2026-03-04T15:00:00Z', true],
    ['Asia/Bangkok', '2026-03-04T23:00:00Z', false],
    ['Asia/Kathmandu', '2026-03-04T16:14:59Z', false],
    ['Asia/Kathmandu', '2026-03-04T16:15:00Z', true],
    // 06:00 comes an hour earlier after clocks went forward.
    ['Europe/Berlin', '2026-03-28T04:59:59Z', true],
    ['Europe/Berlin', '2026-03-29T04:00:00Z', false],
  ])('in %s at %s: %s', (zone, at, expected) => {
    expect(isQuiet(night, new Date(at), zone)).toBe(expected);
  });

  it('use the clock of their own zone if they name one', () => {
    const hours = { ...night, timeZone: 'Asia/Bangkok' };
    expect(isQuiet(hours, new Date('2026-03-04T15:00:00Z'), 'UTC')).toBe(true);
    expect(isQuiet(hours, new Date('2026-03-05T00:00:00Z'), 'UTC')).toBe(false);
  });

  it('are empty if they end when they begin', () => {
    const none = { from: '06:00', to: '06:00' };
    expect(isQuiet(none, new Date('2026-03-04T06:00:00Z'), 'UTC')).toBe(false);
  });
});
