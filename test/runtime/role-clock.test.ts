import pino from 'pino';
import { RoleClock } from '../../runtime/role-clock';

const log = pino({ level: 'silent' });
const NOON = Date.UTC(2026, 0, 1, 12);

describe("a role's clock", () => {
  const aheadBy = (
    seconds: number,
    reference = async () => await Promise.resolve(new Date(NOON)),
  ) => new RoleClock(reference, log, () => NOON + seconds * 1_000);

  it.each([-600, -31, 0, 29, 600])(
    'of a machine that is %i s ahead is the database’s',
    async (seconds) => {
      const clock = aheadBy(seconds);
      expect(await clock.measure()).toBe(true);
      expect(Math.abs(clock.now().getTime() - NOON)).toBeLessThan(500);
      expect(clock.isOff()).toBe(Math.abs(seconds) > 30);
    },
  );

  it('keeps the last offset while the database does not answer', async () => {
    let reached = true;
    const clock = aheadBy(600, async () => {
      if (!reached) throw new Error('no answer');
      return await Promise.resolve(new Date(NOON));
    });
    expect(clock.now().getTime()).toBe(NOON + 600_000);
    await clock.measure();
    reached = false;
    expect(await clock.measure()).toBe(false);
    expect(Math.abs(clock.now().getTime() - NOON)).toBeLessThan(500);
    expect(clock.isOff()).toBe(true);
  });
});
