import { CatalogueError } from '../../domain/errors';
import type { Allowance } from '../limits/buckets';
import { type Limits, OWN_LIMITS, type Rate } from '../limits/limits';

/** Per link: a few tabs that poll, and a payer who clicks. */
const OF_TOKEN: Allowance = { atOnce: 60, perSecond: 4 };
/** Per address: a whole carrier may share one. */
const OF_ADDRESS: Allowance = { atOnce: 1_500, perSecond: 300 };
/** The cost of a request that writes, in reads. */
export const WEIGHT = { look: 1, act: 5 } as const;

/** Rate limits of payers' pages, by link and by address. */
export class CashierRate {
  private readonly byAddress: Rate;
  private readonly byToken: Rate;

  constructor(limits: Limits = OWN_LIMITS, ofToken = OF_TOKEN, ofAddress = OF_ADDRESS) {
    this.byToken = limits.rate('cashier link', ofToken);
    this.byAddress = limits.rate('cashier address', ofAddress);
  }

  /** @throws RATE_LIMITED */
  async take(token: string, address: string, weight: number, now: number): Promise<void> {
    const retryAfterMs =
      (await this.byAddress.take(address, weight, now)) || (await this.byToken.take(token, weight, now));
    if (retryAfterMs > 0)
      throw new CatalogueError('RATE_LIMITED', 'too many requests; try again in a moment', {
        retryAfterMs,
      });
  }
}
