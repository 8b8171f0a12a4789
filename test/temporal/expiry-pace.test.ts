import fc from 'fast-check';
import { ExpiryPace } from '../../temporal/expiry-pace';

const NOON = Date.UTC(2030, 0, 1, 12);
const at = (seconds: number): Date => new Date(NOON + seconds * 1000);

describe('the pace of expiries', () => {
  it('does not delay an order that expires alone', () => {
    expect(new ExpiryPace().endOf(at(60.4), at(0))).toEqual(at(60.4));
  });

  it('lets 1,000 orders with one expiry expire within a minute, 20 a second, in their order', () => {
    const pace = new ExpiryPace();
    const ends = Array.from({ length: 1_000 }, () => pace.endOf(at(60.4), at(0)).getTime());
    expect(ends).toEqual([...ends].sort((a, b) => a - b));
    expect(ends.slice(0, 3)).toEqual([at(60.4), at(60.45), at(60.5)].map(Number));
    expect(ends.at(-1)).toBe(at(110.35).getTime());
  });

  it('lets orders whose start comes late, as after an outage, expire 20 a second from now on', () => {
    const pace = new ExpiryPace();
    const ends = Array.from({ length: 100 }, () => pace.endOf(at(-600), at(0)).getTime());
    expect(ends.slice(0, 3)).toEqual([at(-600), at(0.05), at(0.1)].map(Number));
    expect(ends.at(-1)).toBe(at(4.95).getTime());
  });

  it('counts those that are past their expiry and still delayed', () => {
    const pace = new ExpiryPace();
    for (let n = 0; n < 100; n++) pace.endOf(at(60), at(0));
    expect([59, 60, 61, 62, 63].map((s) => pace.countHeldBack(at(s)))).toEqual([0, 99, 79, 59, 39]);
  });

  it('ends none before its expiry, nor 50 seconds after it, however many there are', () => {
    const orders = fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 400 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(orders, (bursts) => {
        const pace = new ExpiryPace();
        const late: number[] = [];
        for (const [expires, count] of bursts)
          for (let n = 0; n < count; n++) late.push(pace.endOf(at(expires), at(0)).getTime() - at(expires).getTime());
        expect(late.filter((ms) => ms < 0 || ms >= 50_000)).toEqual([]);
      }),
      { seed: 14, numRuns: 50 },
    );
  });
});
