/** A caller's limit: burst and refill per second. */
export interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** The most callers that are kept. The least recently seen one is dropped, and gets a full bucket when it returns. */
const MOST_CALLERS = 20_000;

/** Token buckets by caller. */
export class Buckets {
  readonly #left = new Map<string, { tokens: number; at: number }>();

  constructor(private readonly allowance: Allowance) {}

  /**
   * Takes tokens, or none if too few are left.
   * @param now milliseconds, of a monotonic clock
   * @returns after how many milliseconds there will be enough; 0 if they were taken
   */
  take(caller: string, weight: number, now: number): number {
    const { atOnce, perSecond } = this.allowance;
    const known = this.#left.get(caller);
    const refilled = known ? known.tokens + ((now - known.at) / 1000) * perSecond : atOnce;
    const tokens = Math.min(atOnce, refilled);
    const missing = weight - tokens;
    // Moved to the end: the first is the least recently seen.
    this.#left.delete(caller);
    this.#left.set(caller, { tokens: missing > 0 ? tokens : tokens - weight, at: now });
    if (this.#left.size > MOST_CALLERS) this.#left.delete(this.#left.keys().next().value ?? '');
    return missing > 0 ? (missing / perSecond) * 1000 : 0;
  }
}
