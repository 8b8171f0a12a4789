import fc from 'fast-check';
import { money } from '../../domain/money';
import {
  type Calendar,
  DAY_OFF_SHIFTS,
  datesOn,
  dueDate,
  MOST_DAYS_OFF,
  nextDates,
  PLAN_TRIGGERS,
  type PlanDays,
} from '../../domain/settlement-dates';
import { type PlanCase, settlementDue } from '../../domain/settlement-plan';
import { dayAfter, dayBefore } from '../../domain/zone';

const WEEKEND: Calendar = { daysOff: [6, 7], holidays: new Set(['2026-12-25', '2027-01-01']) };
const plan = (days: Partial<PlanDays> = {}): PlanDays => ({
  trigger: 'EVERY_DAY',
  weekdays: [],
  monthDays: [],
  time: '09:00',
  shift: 'NEXT',
  ...days,
});
const daysOf = (
  days: Partial<PlanDays>,
  calendar: Calendar | null,
  from: string,
  count: number,
  zone = 'Asia/Bangkok',
): string[] => nextDates(plan(days), calendar, zone, new Date(from), count).map(({ day }) => day);

describe('the dates of a settlement plan', () => {
  it.each<[string, Partial<PlanDays>, Calendar | null, string, string[]]>([
    ['every day', {}, null, '2026-12-30T12:00Z', ['2026-12-31', '2027-01-01', '2027-01-02']],
    ['today, exactly at its time', {}, null, '2026-12-30T02:00Z', ['2026-12-30', '2026-12-31']],
    ['tomorrow, a millisecond later', {}, null, '2026-12-30T02:00:00.001Z', ['2026-12-31']],
    ['the zone’s today, not UTC’s', { time: '00:00' }, null, '2026-12-30T17:00Z', ['2026-12-31']],
    [
      'days of the week',
      { trigger: 'WEEKDAYS', weekdays: [1, 4] },
      null,
      '2026-12-24T12:00Z',
      ['2026-12-28', '2026-12-31', '2027-01-04'],
    ],
    [
      'the last day of a shorter month',
      { trigger: 'MONTH_DAYS', monthDays: [31] },
      null,
      '2027-01-01T00:00Z',
      ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'],
    ],
    [
      'a leap day, and two days that fall on one in February',
      { trigger: 'MONTH_DAYS', monthDays: [29, 30] },
      null,
      '2028-02-01T00:00Z',
      ['2028-02-29', '2028-03-29', '2028-03-30'],
    ],
    ['one date for a weekend, on Monday', {}, WEEKEND, '2026-12-18T00:00Z', ['2026-12-18', '2026-12-21', '2026-12-22']],
    [
      'a month end on a weekend, moved after it',
      { trigger: 'MONTH_DAYS', monthDays: [31] },
      WEEKEND,
      '2027-01-02T00:00Z',
      ['2027-02-01', '2027-03-01', '2027-03-31'],
    ],
    [
      'a month end on a weekend, moved before it',
      { trigger: 'MONTH_DAYS', monthDays: [31], shift: 'PREVIOUS' },
      WEEKEND,
      '2027-01-02T00:00Z',
      ['2027-01-29', '2027-02-26', '2027-03-31'],
    ],
    [
      'a holiday next to a weekend, moved before both',
      { trigger: 'WEEKDAYS', weekdays: [7], shift: 'PREVIOUS' },
      WEEKEND,
      '2026-12-21T00:00Z',
      ['2026-12-24', '2026-12-31'],
    ],
    ['no dates for a threshold', { trigger: 'THRESHOLD', time: null }, null, '2026-12-24T12:00Z', []],
  ])('%s', (_name, days, calendar, from, expected) => {
    expect(daysOf(days, calendar, from, Math.max(1, expected.length))).toEqual(expected);
  });

  it('are at the local time, through both changes of clocks', () => {
    const at = (time: string, from: string, zone: string): string[] =>
      nextDates(plan({ time }), null, zone, new Date(from), 3).map((one) => one.at.toISOString());
    expect(at('02:30', '2026-03-28T00:00Z', 'Europe/Berlin')).toEqual([
      ...['2026-03-28T01:30:00.000Z', '2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    ]);
    expect(at('02:30', '2026-10-24T00:00Z', 'Europe/Berlin')).toEqual([
      ...['2026-10-24T00:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ]);
    expect(at('00:00', '2024-03-09T00:00Z', 'America/Havana')).toEqual([
      ...['2024-03-09T05:00:00.000Z', '2024-03-10T05:00:00.000Z', '2024-03-11T04:00:00.000Z'],
    ]);
  });

  it('name the days off that were moved', () => {
    expect(datesOn(plan(), WEEKEND, '2026-12-28')).toEqual([
      ...['2026-12-25', '2026-12-26', '2026-12-27', '2026-12-28'],
    ]);
  });

  it('are dropped if no business day is near', () => {
    const never: Calendar = {
      daysOff: [1, 2, 3, 4, 5, 6],
      holidays: new Set(
        Array.from({ length: 8 }, (_, week) => new Date(Date.UTC(2027, 0, 3 + 7 * week)).toISOString().slice(0, 10)),
      ),
    };
    // Off from 28 December on, for eight weeks: the day furthest from the next business day is dropped.
    const [first] = nextDates(plan(), never, 'UTC', new Date('2026-12-28T00:00Z'), 1);
    expect(first?.day).toBe('2027-02-28');
    expect(first?.dates).toHaveLength(MOST_DAYS_OFF + 1);
  });

  const day = fc
    .integer({ min: 0, max: 1_200 })
    .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10));
  const calendar = fc.option(
    fc.record({
      daysOff: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 6 }),
      holidays: fc.array(day, { maxLength: 30 }).map((days) => new Set(days)),
    }),
  );
  const days = fc
    .record({
      trigger: fc.constantFrom(...PLAN_TRIGGERS.filter((one) => one !== 'THRESHOLD')),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      monthDays: fc.uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 4 }),
      time: fc
        .integer({ min: 0, max: 95 })
        .map((n) => `${String(n >> 2).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`),
      shift: fc.constantFrom(...DAY_OFF_SHIFTS),
    })
    .map((one) => one as PlanDays);
  const zone = fc.constantFrom(
    ...['Asia/Bangkok', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'Asia/Kathmandu'],
    ...['Australia/Lord_Howe', 'America/Santiago', 'UTC', 'Pacific/Kiritimati'],
  );

  const weekday = (text: string): number => new Date(text).getUTCDay() || 7;
  const isOff = (of: Calendar | null, text: string): boolean =>
    of !== null && (of.daysOff.includes(weekday(text)) || of.holidays.has(text));
  /** The plan's dates of a year, calculated day by day; each is moved by itself. */
  const movedDates = (of: PlanDays, days: Calendar | null, year: number): Set<string> => {
    const dates: string[] = [];
    for (let month = 0; month < 12; month++) {
      const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
      const text = (date: number): string => new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
      if (of.trigger === 'MONTH_DAYS') dates.push(...of.monthDays.map((date) => text(Math.min(date, last))));
      else
        for (let date = 1; date <= last; date++)
          if (of.trigger === 'EVERY_DAY' || of.weekdays.includes(weekday(text(date)))) dates.push(text(date));
    }
    const moved = dates.map((date) => {
      let to = date;
      for (let far = 0; isOff(days, to); far++) {
        if (far === MOST_DAYS_OFF) return '';
        to = of.shift === 'NEXT' ? dayAfter(to) : dayBefore(to);
      }
      return to;
    });
    return new Set(moved);
  };
  /** The time that a clock of the zone shows. */
  const shown = (timeZone: string, at: number): string =>
    new Date(at).toLocaleString('sv-SE', { timeZone }).slice(0, 16);
  /**
   * The first quarter of an hour at which the clock shows the time; a skipped time is counted on from the hour
   * before.
   */
  const momentByClock = (timeZone: string, date: string, time: string): number => {
    const wanted = `${date} ${time}`;
    const utc = Date.parse(`${date}T${time}Z`);
    let before = 0;
    for (let at = utc - 15 * 3_600_000; at <= utc + 15 * 3_600_000; at += 900_000) {
      const now = shown(timeZone, at);
      if (now === wanted) return at;
      if (now < wanted) before = at;
    }
    return before + utc - Date.parse(`${shown(timeZone, before).replace(' ', 'T')}Z`);
  };

  it('equal a calculation day by day, for any days off', () => {
    fc.assert(
      fc.property(days, calendar, zone, day, (of, off, timeZone, from) => {
        const begin = new Date(`${from}T12:00Z`);
        const year = begin.getUTCFullYear();
        const all = [year - 1, year, year + 1, year + 2].flatMap((one) => [...movedDates(of, off, one)]);
        const found = nextDates(of, off, timeZone, begin, 12);
        const begins = found[0]?.day ?? '';
        const ends = found.at(-1)?.day ?? '';
        const expected = [...new Set(all)].filter((one) => one >= begins && one <= ends).sort();
        expect(found.map((one) => one.day)).toEqual(expected);
        // No date before the first was left out: each had passed.
        const earlier = all.filter((one) => one !== '' && one < begins && one > from).sort();
        for (const one of earlier) expect(momentByClock(timeZone, one, of.time ?? '')).toBeLessThan(begin.getTime());
      }),
      { numRuns: 100, seed: 18 },
    );
  });

  it('are at the moment at which a clock of the zone shows the time', () => {
    fc.assert(
      fc.property(days, zone, day, (of, timeZone, from) => {
        for (const { day: on, at } of nextDates(of, null, timeZone, new Date(from), 2))
          expect([on, at.getTime()]).toEqual([on, momentByClock(timeZone, on, of.time ?? '')]);
        // Also near both changes of clocks.
        for (const on of ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01', '2026-04-05']) {
          const noon = new Date(`${on}T12:00Z`).getTime();
          const [one] = nextDates(plan({ time: of.time }), null, timeZone, new Date(noon - 86_400_000), 1);
          expect(one?.at.getTime()).toBe(momentByClock(timeZone, one?.day ?? '', of.time ?? ''));
        }
      }),
      { numRuns: 30, seed: 18 },
    );
  });

  it('are due once: the latest one replaces those that were missed', () => {
    fc.assert(
      fc.property(
        ...([days, calendar, zone, day] as const),
        fc.integer({ min: 0, max: 60 * 96 }),
        fc.integer({ min: 0, max: 60 }),
        (of, off, timeZone, from, quarters, settled) => {
          const since = new Date(from);
          const now = new Date(since.getTime() + quarters * 900_000);
          const come = nextDates(of, off, timeZone, since, 100).filter(({ at }) => at <= now);
          const after = come[settled]?.day ?? null;
          const left = after === null ? come : come.filter((one) => one.day > after);
          const due = dueDate(of, off, timeZone, { since, after, now });
          expect(due?.day).toBe(left.at(-1)?.day);
          if (due) expect(due).toEqual({ ...left.at(-1), missed: left.length - 1 });
        },
      ),
      { numRuns: 100, seed: 18 },
    );
  });

  it('of a threshold are business days, each once', () => {
    const of = plan({ trigger: 'THRESHOLD', time: null });
    const due = (now: string, after: string | null): string | undefined =>
      dueDate(of, WEEKEND, 'Asia/Bangkok', {
        since: new Date('2026-12-01'),
        after,
        now: new Date(now),
      })?.day;
    expect(due('2026-12-24T16:59Z', null)).toBe('2026-12-24');
    // Christmas has begun in Bangkok.
    expect(due('2026-12-24T17:00Z', null)).toBeUndefined();
    expect(due('2026-12-28T03:00Z', '2026-12-24')).toBe('2026-12-28');
    expect(due('2026-12-28T03:00Z', '2026-12-28')).toBeUndefined();
  });
});

describe('a settlement plan at its date', () => {
  const now = new Date('2026-12-01T00:00Z');
  const standing: PlanCase = {
    currencyCode: 'THB',
    keep: money('100'),
    minimum: money('50'),
    threshold: null,
    available: money('1000.5'),
    receivable: money('0'),
    merchantEnabled: true,
    accountDisabled: false,
    accountUsableAt: now,
    bankKnown: true,
    now,
  };
  it.each<[string, Partial<PlanCase>, string | null]>([
    ['the balance above the float', {}, '900.5'],
    ['the whole balance without a float', { keep: money('0') }, '1000.5'],
    ['exactly the minimum', { available: money('150') }, '50'],
    ['nothing below the minimum', { available: money('149.99') }, 'BELOW_MINIMUM'],
    ['nothing if the balance equals the float', { available: money('100') }, 'NO_BALANCE'],
    ['nothing if the balance is below the float', { available: money('1') }, 'NO_BALANCE'],
    ['whole units of the currency, rounded down', { available: money('150.0099') }, '50'],
    ['yen without decimals', { currencyCode: 'JPY', available: money('1000.99'), keep: money('0') }, '1000'],
    ['nothing while the merchant owes us', { receivable: money('0.01') }, 'OWES_US'],
    ['nothing to a disabled merchant', { merchantEnabled: false }, 'MERCHANT_DISABLED'],
    ['nothing to a disabled account', { accountDisabled: true }, 'ACCOUNT_DISABLED'],
    ['nothing to a cooling account', { accountUsableAt: new Date(now.getTime() + 1) }, 'ACCOUNT_COOLING'],
    ['nothing to an unknown bank', { bankKnown: false }, 'BANK_UNKNOWN'],
    ['nothing below its threshold', { threshold: money('1000.51'), merchantEnabled: false }, null],
    ['the balance at its threshold', { threshold: money('1000.5') }, '900.5'],
  ])('pays %s', (_name, facts, expected) => {
    const due = settlementDue({ ...standing, ...facts });
    expect(due === null || typeof due === 'string' ? due : due.toFixed()).toBe(expected);
  });
});
