import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './log';
import { metrics } from './metrics';

/** How often the offset is measured, milliseconds: before the first success, and after it. */
const MEASURE_FIRST_EVERY_MS = 1_000;
const MEASURE_EVERY_MS = 15_000;
/** An answer slower than this does not show precisely enough when the other clock was read, milliseconds. */
const WITHIN_MS = 1_000;
/** An offset beyond this means that the machine is wrong: the role takes no work, milliseconds. */
const MOST_OFFSET_MS = 30_000;
/** The machine's clock was set, if it and the time that passed differ by more since the last measurement, milliseconds. */
const JUMP_MS = 1_000;

/** Both clocks of this machine, read together. */
interface Reading {
  /** The clock that can be set. */
  readonly own: number;
  /** The time that passed, from some beginning. */
  readonly steady: number;
}

/**
 * A role's time: this machine's clock, corrected by its measured offset to the database's, so that all roles have one
 * time. Before the first measurement it is the machine's own, and the role takes no work. If the machine's clock is set meanwhile, the role's time
 * continues by the time that passed, the role takes no work, and it measures at once.
 */
export class RoleClock {
  private offsetMs = 0;
  private timer: NodeJS.Timeout | undefined;
  /** At the last measurement. */
  private last: Reading;
  private measured = false;
  private jumped = false;
  private onOff: () => void = () => undefined;

  constructor(
    /** Reads the other clock. */
    private readonly reference: () => Promise<Date>,
    private readonly log: Logger,
    private readonly own: () => number = Date.now,
    private readonly steady: () => number = () => performance.now(),
  ) {
    this.last = this.read();
  }

  /** The time now. */
  readonly now = (): Date => {
    const { own, steady } = this.read();
    const expected = this.last.own + steady - this.last.steady;
    if (Math.abs(own - expected) <= JUMP_MS) return new Date(own + this.offsetMs);
    this.noteJump(own - expected);
    return new Date(expected + this.offsetMs);
  };

  /**
   * Whether this machine's clock is so wrong that the role takes no work, although its time is corrected; or was never
   * measured, or was set and not measured since.
   */
  isOff(): boolean {
    this.now();
    return !this.measured || this.jumped || this.isFar();
  }

  /**
   * Measures once. A failure keeps the previous offset.
   * @returns whether it was measured
   */
  async measure(): Promise<boolean> {
    const asked = performance.now();
    try {
      const there = await Promise.race([this.reference(), sleep(WITHIN_MS, undefined, { ref: false })]);
      if (there === undefined) return false;
      const tookMs = performance.now() - asked;
      const read = this.read();
      // It was read about halfway between the request and the answer.
      this.note(Math.round(there.getTime() - (read.own - tookMs / 2)), read);
      return true;
    } catch (error) {
      this.log.warn({ err: error }, "the database's clock could not be read");
      return false;
    }
  }

  /** Measures from now on. @param onOff called after each measurement that finds the clock off */
  start(onOff: () => void = () => undefined): void {
    this.onOff = onOff;
    this.timer ??= this.measureLater();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private measureLater(): NodeJS.Timeout {
    const pause = this.measured ? MEASURE_EVERY_MS : MEASURE_FIRST_EVERY_MS;
    return setTimeout(() => {
      void this.measureAndTell().then(() => {
        if (this.timer !== undefined) this.timer = this.measureLater();
      });
    }, pause).unref();
  }

  private async measureAndTell(): Promise<void> {
    if ((await this.measure()) && this.isFar()) this.onOff();
  }

  private read(): Reading {
    return { own: this.own(), steady: this.steady() };
  }

  private isFar(): boolean {
    return Math.abs(this.offsetMs) > MOST_OFFSET_MS;
  }

  private noteJump(byMs: number): void {
    if (this.jumped) return;
    this.jumped = true;
    this.log.warn({ byMs: Math.round(byMs) }, "this machine's clock was set: it is measured again");
    void this.measureAndTell();
  }

  private note(offsetMs: number, read: Reading): void {
    const wasFar = this.isFar();
    this.offsetMs = offsetMs;
    this.last = read;
    this.measured = true;
    this.jumped = false;
    metrics.clockOffset.set(offsetMs / 1000);
    if (this.isFar() === wasFar) return;
    if (wasFar) this.log.info({ offsetMs }, "this machine's clock is right again");
    else this.log.error({ offsetMs }, "this machine's clock is off: no work is taken");
  }
}
