import { dayOf, endOfDay, isZone, momentOf, startOfDay } from '../../domain/zone';

describe('days of a time zone', () => {
  it.each([
    ['Asia/Bangkok', '2026-01-31T16:59:59Z', '2026-01-31'],
    ['Asia/Bangkok', '2026-01-31T17:00:00Z', '2026-02-01'],
    ['Asia/Kathmandu', '2026-01-31T18:15:00Z', '2026-02-01'],
    ['America/New_York', '2026-03-08T04:59:59Z', '2026-03-07'],
    ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31'],
  ])('%s at %s is %s', (zone, at, day) => {
    expect(dayOf(zone, new Date(at))).toBe(day);
  });

  it.each([
    ['Asia/Dhaka', '2026-05-01', '2026-04-30T18:00:00.000Z', '2026-05-01T17:59:59.000Z'],
    // The day on which clocks go forward is an hour shorter.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.000Z'],
    // Clocks go forward from midnight to one, and back from midnight to eleven, which repeats.
    ['America/Havana', '2024-03-10', '2024-03-10T05:00:00.000Z', '2024-03-11T03:59:59.000Z'],
    ['America/Santiago', '2024-04-06', '2024-04-06T03:00:00.000Z', '2024-04-07T03:59:59.000Z'],
    // Midnight itself repeats.
    ['America/Havana', '2024-11-03', '2024-11-03T04:00:00.000Z', '2024-11-04T04:59:59.000Z'],
  ])('in %s %s lasts from %s to %s', (zone, day, begins, ends) => {
    expect(startOfDay(zone, day).toISOString()).toBe(begins);
    expect(endOfDay(zone, day).toISOString()).toBe(ends);
    expect(dayOf(zone, startOfDay(zone, day))).toBe(day);
  });

  it('convert a clock’s time to a moment', () => {
    expect(momentOf('Asia/Bangkok', '2026-01-31', '09:30:00').toISOString()).toBe('2026-01-31T02:30:00.000Z');
  });

  it.each([
    // Repeated: the first.
    ['Europe/Berlin', '2026-10-25', '02:30:00', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01', '01:30:00', '2026-11-01T05:30:00.000Z'],
    // Skipped: counted on from the hour before.
    ['Europe/Berlin', '2026-03-29', '02:30:00', '2026-03-29T01:30:00.000Z'],
    ['America/New_York', '2026-03-08', '02:30:00', '2026-03-08T07:30:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '09:00:00', '2011-12-30T19:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '03:00:00', '2026-03-29T01:00:00.000Z'],
  ])('in %s %s %s is %s, at a change of clocks', (zone, day, time, at) => {
    expect(momentOf(zone, day, time).toISOString()).toBe(at);
  });

  it.each([
    ['Asia/Bangkok', true],
    ['America/Argentina/Buenos_Aires', true],
    ['UTC', true],
    ['+07:00', false],
    ['Mars/Base', false],
    ["UTC'; drop", false],
  ])('exist for the zone %s: %s', (text, expected) => {
    expect(isZone(text)).toBe(expected);
  });
});
