import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './log';
import { metrics } from './metrics';

/** How often the offset is measured, milliseconds, and the pause after a failed measurement. */
const MEASURE_EVERY_MS = 15_000;
/** An answer slower than this does not show precisely enough when the other clock was read, milliseconds. */
const WITHIN_MS = 1_000;
/** An offset beyond this means that the machine is wrong: the role takes no work, milliseconds. */
const MOST_OFFSET_MS = 30_000;

/**
 * A role's time: this machine's clock, corrected by its measured offset to the database's, so that all roles have one
 * time. Before the first measurement it is the machine's own.
 */
export class RoleClock {
  private offsetMs = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    /** Reads the other clock. */
    private readonly reference: () => Promise<Date>,
    private readonly log: Logger,
    private readonly own: () => number = Date.now,
  ) {}

  /** The time now. */
  readonly now = (): Date => new Date(this.own() + this.offsetMs);

  /** Whether this machine's clock is so wrong that the role takes no work, although its time is corrected. */
  isOff(): boolean {
    return Math.abs(this.offsetMs) > MOST_OFFSET_MS;
  }

  /**
   * Measures once. A failure keeps the previous offset.
   * @returns whether it was measured
   */
  async measure(): Promise<boolean> {
    const asked = performance.now();
    try {
      const there = await Promise.race([
        this.reference(),
        sleep(WITHIN_MS, undefined, { ref: false }),
      ]);
      if (there === undefined) return false;
      const tookMs = performance.now() - asked;
      // It was read about halfway between the request and the answer.
      this.note(Math.round(there.getTime() - (this.own() - tookMs / 2)));
      return true;
    } catch (error) {
      this.log.warn({ err: error }, "the database's clock could not be read");
      return false;
    }
  }

  /** Measures from now on. @param onOff called after each measurement that finds the clock off */
  start(onOff: () => void = () => undefined): void {
    this.timer ??= setInterval(() => {
      void this.measure().then(() => {
        if (this.isOff()) onOff();
      });
    }, MEASURE_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private note(offsetMs: number): void {
    const wasOff = this.isOff();
    this.offsetMs = offsetMs;
    metrics.clockOffset.set(offsetMs / 1000);
    if (this.isOff() === wasOff) return;
    if (wasOff) this.log.info({ offsetMs }, "this machine's clock is right again");
    else this.log.error({ offsetMs }, "this machine's clock is off: no work is taken");
  }
}
