/** A caller's limit: burst and refill per second. */
export interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** The most callers that are kept. The least recently seen one is dropped, and gets a full bucket when it returns. */
const MOST_CALLERS = 20_000;

/** Token buckets by caller. */
export class Buckets {
  readonly #left = new Map<string, { readonly tokens: number; readonly at: number }>();

  constructor(private readonly allowance: Allowance) {}

  /**
   * Takes tokens, or none if too few are left.
   * @param now milliseconds, of a monotonic clock
   * @returns after how many milliseconds there will be enough; 0 if they were taken
   */
  take(caller: string, weight: number, now: number): number {
    const tokens = this.#tokensOf(caller, now);
    const missing = weight - tokens;
    this.#keep(caller, missing > 0 ? tokens : tokens - weight, now);
    return missing > 0 ? (missing / this.allowance.perSecond) * 1000 : 0;
  }

  /**
   * Takes whole tokens for a process that hands them out: as many as it needs and some to spare, or as many as there
   * are.
   * @returns how many were taken, and what the bucket still has
   */
  draw(caller: string, need: number, spare: number, now: number): { readonly drawn: number; readonly left: number } {
    const tokens = this.#tokensOf(caller, now);
    const drawn = Math.min(Math.floor(tokens), need + spare);
    this.#keep(caller, tokens - drawn, now);
    return { drawn, left: tokens - drawn };
  }

  /** Takes back tokens that were drawn and not used. */
  giveBack(caller: string, tokens: number, now: number): void {
    this.#keep(caller, Math.min(this.allowance.atOnce, this.#tokensOf(caller, now) + tokens), now);
  }

  #tokensOf(caller: string, now: number): number {
    const { atOnce, perSecond } = this.allowance;
    const known = this.#left.get(caller);
    return known ? Math.min(atOnce, known.tokens + ((now - known.at) / 1000) * perSecond) : atOnce;
  }

  #keep(caller: string, tokens: number, now: number): void {
    // Moved to the end: the first is the least recently seen.
    this.#left.delete(caller);
    this.#left.set(caller, { tokens, at: now });
    if (this.#left.size > MOST_CALLERS) this.#left.delete(this.#left.keys().next().value ?? '');
  }
}
