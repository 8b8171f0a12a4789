import pino from 'pino';
import { RoleClock } from '../../runtime/role-clock';
import { eventually } from '../support/until';

const log = pino({ level: 'silent' });
const NOON = Date.UTC(2026, 0, 1, 12);

describe("a role's clock", () => {
  const atNoon = async () => await Promise.resolve(new Date(NOON));
  const aheadBy = (seconds: number, reference = atNoon) =>
    new RoleClock(
      reference,
      log,
      () => NOON + seconds * 1_000,
      () => 0,
    );

  it.each([-600, -31, 0, 29, 600])('of a machine that is %i s ahead is the database’s', async (seconds) => {
    const clock = aheadBy(seconds);
    expect(await clock.measure()).toBe(true);
    expect(Math.abs(clock.now().getTime() - NOON)).toBeLessThan(500);
    expect(clock.isOff()).toBe(Math.abs(seconds) > 30);
  });

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

  it('is not relied on before the first measurement, which is repeated each second', async () => {
    let reached = false;
    const clock = aheadBy(1, async () => {
      if (!reached) throw new Error('no answer');
      return await Promise.resolve(new Date(NOON));
    });
    expect(await clock.measure()).toBe(false);
    expect(clock.isOff()).toBe(true);
    jest.useFakeTimers();
    try {
      clock.start();
      await jest.advanceTimersByTimeAsync(999);
      reached = true;
      expect(clock.isOff()).toBe(true);
      await jest.advanceTimersByTimeAsync(1);
      expect(clock.isOff()).toBe(false);
      clock.stop();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  /** A machine, a second after its clock was measured as right. */
  async function measured() {
    const machine = { own: NOON, steady: 0, there: NOON, reached: true };
    const clock = new RoleClock(
      async () => {
        if (!machine.reached) throw new Error('no answer');
        return await Promise.resolve(new Date(machine.there));
      },
      log,
      () => machine.own,
      () => machine.steady,
    );
    await clock.measure();
    const offset = clock.now().getTime() - NOON;
    for (const one of ['own', 'there', 'steady'] as const) machine[one] += 1_000;
    return { machine, clock, right: NOON + offset + 1_000 };
  }

  it.each([-600_000, 600_000])(
    'continues by elapsed time if the machine’s clock is set by %i ms, and takes no work',
    async (by) => {
      const { machine, clock, right } = await measured();
      expect(clock.isOff()).toBe(false);
      machine.own += by;
      machine.reached = false;
      expect(clock.now().getTime()).toBe(right);
      expect(clock.isOff()).toBe(true);
    },
  );

  it('is measured at once if the machine’s clock is set, and is right again as soon as that clock is', async () => {
    const { machine, clock, right } = await measured();
    const off = jest.fn();
    clock.start(off);
    machine.own += 600_000;
    clock.now();
    await eventually(() => {
      expect(off).toHaveBeenCalledTimes(1);
    });
    expect(Math.abs(clock.now().getTime() - right)).toBeLessThan(500);
    expect(clock.isOff()).toBe(true);
    machine.own -= 600_000;
    expect(clock.isOff()).toBe(true);
    await eventually(() => {
      expect(clock.isOff()).toBe(false);
    });
    expect(Math.abs(clock.now().getTime() - right)).toBeLessThan(500);
    expect(off).toHaveBeenCalledTimes(1);
    clock.stop();
  });

  it('continues to take work if the machine’s clock is set by less than the limit', async () => {
    const { machine, clock, right } = await measured();
    machine.own += 900;
    expect(clock.isOff()).toBe(false);
    expect(clock.now().getTime()).toBe(right + 900);
  });
});
