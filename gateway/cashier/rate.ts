import { CatalogueError } from '../../domain/errors';

/** A caller's limit: burst and refill per second. */
export interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Per link: a few tabs that poll, and a payer who clicks. */
const OF_TOKEN: Allowance = { atOnce: 60, perSecond: 4 };
/** Per address: a whole carrier may share one. */
const OF_ADDRESS: Allowance = { atOnce: 1_500, perSecond: 300 };
/** The cost of a request that writes, in reads. */
export const WEIGHT = { look: 1, act: 5 } as const;
/** The number of callers kept; the least recently seen is dropped. */
const MOST_CALLERS = 20_000;

/** Token buckets by caller. */
class Buckets {
  private readonly left = new Map<string, { tokens: number; at: number }>();

  constructor(private readonly allowance: Allowance) {}

  /** @param now milliseconds, of a monotonic clock */
  take(caller: string, weight: number, now: number): boolean {
    const { atOnce, perSecond } = this.allowance;
    const known = this.left.get(caller);
    const refilled = known ? known.tokens + ((now - known.at) / 1000) * perSecond : atOnce;
    const tokens = Math.min(atOnce, refilled);
    const enough = tokens >= weight;
    // Moved to the end: the first is the least recently seen.
    this.left.delete(caller);
    this.left.set(caller, { tokens: enough ? tokens - weight : tokens, at: now });
    if (this.left.size > MOST_CALLERS) this.left.delete(this.left.keys().next().value ?? '');
    return enough;
  }
}

/** Rate limits of payers' pages in this process, by link and by address. */
export class CashierRate {
  private readonly byAddress: Buckets;
  private readonly byToken: Buckets;

  constructor(ofToken = OF_TOKEN, ofAddress = OF_ADDRESS) {
    this.byToken = new Buckets(ofToken);
    this.byAddress = new Buckets(ofAddress);
  }

  /** @throws RATE_LIMITED */
  take(token: string, address: string, weight: number, now: number): void {
    if (!this.byAddress.take(address, weight, now) || !this.byToken.take(token, weight, now))
      throw new CatalogueError('RATE_LIMITED', 'too many requests; try again in a moment');
  }
}
