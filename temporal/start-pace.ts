/** Beside money one start goes in this time, milliseconds: it takes CPU from the credits that arrive meanwhile. */
export const STARTS_EVERY_MS = 50;
/** A start that waits for longer than this is not held back, milliseconds. */
const LATE_MS = 20_000;

/** Spreads the starts of workflows that have nothing to do yet while money comes, 20 a second. */
export class StartPace {
  private startedAt = -Infinity;

  /** @param clock milliseconds that only grow */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Whether starts wait now. */
  rests(): boolean {
    return this.clock() - this.startedAt < STARTS_EVERY_MS;
  }

  /** A start goes. The oldest go first: if this one is late already, the next follows at once. */
  started(ageMs: number): void {
    if (ageMs < LATE_MS) this.startedAt = this.clock();
  }
}
