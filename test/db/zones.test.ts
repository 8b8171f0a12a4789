import fc from 'fast-check';
import { type Database, openDatabase } from '../../db/client';
import { isZoneHere } from '../../db/zones';
import { dayOf, isZone, startOfDay } from '../../domain/zone';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** Zones whose clocks change at each hour at which clocks change, midnight included, and zones without changes. */
const ZONES = [
  ...['UTC', 'Asia/Bangkok', 'Asia/Dhaka', 'Asia/Kathmandu', 'Pacific/Kiritimati'],
  // Forward from midnight; back to 23:00 of the day before, and to a repeated midnight.
  ...['Asia/Beirut', 'America/Santiago', 'America/Havana'],
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham'],
] as const;
/** Days on which clocks changed there. */
const CHANGES = [
  ...['2019-03-31', '2019-10-27', '2024-03-31', '2024-10-27'],
  ...['2019-03-10', '2019-11-03', '2024-03-10', '2024-11-03'],
  ...['2019-04-07', '2019-09-08', '2024-04-07', '2024-09-08', '2024-10-06', '2024-09-29'],
] as const;
const HOUR = 3_600_000;

/** A moment near a change of clocks, a month's end or a midnight of some zone, to the millisecond. */
const moment = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...CHANGES).map((day) => Date.parse(day)),
      fc.tuple(fc.integer({ min: 2016, max: 2025 }), fc.nat(11)).map(([y, m]) => Date.UTC(y, m, 1)),
      fc.nat(3_650).map((days) => Date.UTC(2016, 0, 1 + days)),
    ),
    // A midnight somewhere on earth, and the time around it.
    fc.integer({ min: -15 * 4, max: 15 * 4 }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -2 * HOUR, max: 2 * HOUR })),
  )
  .map(([day, quarters, beside]) => new Date(day + (quarters * HOUR) / 4 + beside));

describe('days of time zones in SQL and in TypeScript', () => {
  let made: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    made = await createTestDatabase();
    database = openDatabase({ url: made.url, applicationName: 'test', max: 2 });
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  it('are equal around midnights, ends of months and changes of clocks', async () => {
    const cases = fc.array(fc.tuple(fc.constantFrom(...ZONES), moment), {
      minLength: 50,
      maxLength: 50,
    });
    await fc.assert(
      fc.asyncProperty(cases, async (all) => {
        const rows = await database.sql<{ day: string; begins: Date; next: Date }[]>`
          select local_day(c.at, c.zone)::text as day, day_start(local_day(c.at, c.zone), c.zone) as begins,
            day_start(local_day(c.at, c.zone) + 1, c.zone) as next
          from unnest(${all.map(([zone]) => zone)}::text[],
            ${all.map(([, at]) => at.toISOString())}::timestamptz[]) with ordinality as c(zone, at, n)
          order by c.n`;
        const dayAfter = (day: string) => new Date(Date.parse(day) + 24 * HOUR).toISOString().slice(0, 10);
        expect(rows).toEqual(
          all.map(([zone, at]) => {
            const day = dayOf(zone, at);
            const next = startOfDay(zone, dayAfter(day));
            return { day, begins: startOfDay(zone, day), next };
          }),
        );
        // A day lasts until the first moment of the next: without a gap, without an overlap.
        for (const [n, [zone, at]] of all.entries()) {
          const { day, begins, next } = rows[n] ?? { day: '', begins: at, next: at };
          expect([begins <= at, at < next]).toEqual([true, true]);
          expect(dayOf(zone, begins)).toBe(day);
          expect(dayOf(zone, new Date(begins.getTime() - 1)) < day).toBe(true);
        }
      }),
      { numRuns: 40, seed: 20_260_104 },
    );
  });

  it.each(['Asia/Bangkok', 'America/Argentina/Buenos_Aires', 'UTC'])('both accept %s', async (zone) => {
    expect([isZone(zone), await isZoneHere(database, zone)]).toEqual([true, true]);
  });

  it.each(['Mars/Base', 'Asia/Bangkokk', "'; drop"])('both refuse %s', async (zone) => {
    expect([isZone(zone), await isZoneHere(database, zone)]).toEqual([false, false]);
  });
});
