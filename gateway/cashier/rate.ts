import { CatalogueError } from '../../domain/errors';
import { type Allowance, Buckets } from '../buckets';

/** Per link: a few tabs that poll, and a payer who clicks. */
const OF_TOKEN: Allowance = { atOnce: 60, perSecond: 4 };
/** Per address: a whole carrier may share one. */
const OF_ADDRESS: Allowance = { atOnce: 1_500, perSecond: 300 };
/** The cost of a request that writes, in reads. */
export const WEIGHT = { look: 1, act: 5 } as const;

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
    const retryAfterMs =
      this.byAddress.take(address, weight, now) || this.byToken.take(token, weight, now);
    if (retryAfterMs > 0)
      throw new CatalogueError('RATE_LIMITED', 'too many requests; try again in a moment', {
        retryAfterMs,
      });
  }
}
