import { CatalogueError } from '../../domain/errors';

/** How much one caller may ask: so much at once, and so much more each second. */
export interface Allowance {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Of one link: a few tabs that look every few seconds, and a payer who clicks. */
const OF_TOKEN: Allowance = { atOnce: 60, perSecond: 4 };
/** Of one address: behind it may be a whole carrier. */
const OF_ADDRESS: Allowance = { atOnce: 1_500, perSecond: 300 };
/** What makes or keeps something weighs as much as so many looks. */
export const WEIGHT = { look: 1, act: 5 } as const;
/** Callers come and go: who has not been seen for longest is forgotten. */
const MOST_CALLERS = 20_000;

/** Token buckets by caller. */
class Buckets {
  private readonly left = new Map<string, { tokens: number; at: number }>();

  constructor(private readonly allowance: Allowance) {}

  /** @param now milliseconds, of a clock that never goes back */
  take(caller: string, weight: number, now: number): boolean {
    const { atOnce, perSecond } = this.allowance;
    const known = this.left.get(caller);
    const refilled = known ? known.tokens + ((now - known.at) / 1000) * perSecond : atOnce;
    const tokens = Math.min(atOnce, refilled);
    const enough = tokens >= weight;
    // Put at the end: the first is who was not seen for longest.
    this.left.delete(caller);
    this.left.set(caller, { tokens: enough ? tokens - weight : tokens, at: now });
    if (this.left.size > MOST_CALLERS) this.left.delete(this.left.keys().next().value ?? '');
    return enough;
  }
}

/** What payers' pages may ask of this process, by link and by address. */
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
