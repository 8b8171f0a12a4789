import { CatalogueError } from '../domain/errors';
import type { Allowance } from './limits/buckets';
import { Counts } from './limits/counts';
import { type Limits, OWN_LIMITS, type Rate } from './limits/limits';

/** More than merchants need, and too little to overload a gateway. */
const MERCHANT_ALLOWANCE: Allowance = { atOnce: 5_000, perSecond: 1_000 };

/** Calls of the graph that a merchant may always have under way. */
const ALWAYS = 64;
/** A call takes a fraction of this. */
const RETRY_AFTER_MS = 1_000;

/** Limits the requests of each merchant. */
export class MerchantRate {
  readonly #rate: Rate;

  constructor(allowance: Allowance = MERCHANT_ALLOWANCE, limits: Limits = OWN_LIMITS) {
    this.#rate = limits.rate('merchant', allowance);
  }

  /**
   * Counts a request with a valid signature.
   * @throws RATE_LIMITED
   */
  async take(merchantId: string, now: number): Promise<void> {
    const retryAfterMs = await this.#rate.take(merchantId, 1, now);
    if (retryAfterMs > 0)
      throw new CatalogueError('RATE_LIMITED', 'too many requests of this merchant', {
        retryAfterMs,
      });
  }
}

/** The calls under way of each merchant. */
export class MerchantShares {
  readonly #underWay = new Counts();

  /**
   * @param left calls that all merchants may still begin
   * @throws RATE_LIMITED if the merchant has at least 64 under way, and at least as many as all may still begin
   */
  enter(merchantId: string, left: number): void {
    if (this.#underWay.of(merchantId) >= Math.max(ALWAYS, left))
      throw new CatalogueError('RATE_LIMITED', 'too many requests of this merchant are under way', {
        retryAfterMs: RETRY_AFTER_MS,
      });
    this.#underWay.add(merchantId, 1);
  }

  leave(merchantId: string): void {
    this.#underWay.add(merchantId, -1);
  }
}
