import { Batcher } from '../../db/batcher';
import type { Database } from '../../db/client';
import { countOpenDeposits, type OpenDepositsScope } from '../../db/deposits/deposits';

interface Count {
  /** The count, with the orders accepted here since. */
  count: number;
  /** The time of the count, by the process's clock. */
  readonly at: number;
}

/** Lifetime of a cached count, milliseconds: it misses what other processes accept meanwhile. */
const GOOD_FOR_MS = 5_000;
/** How much longer it is valid while the next count is under way, milliseconds. */
const GRACE_MS = 5_000;
/** Beyond this many counts the cache is cleared. */
const MOST_COUNTS = 50_000;
const LOOKUPS = { size: 32, underWay: 2 };

const keyOf = (scope: OpenDepositsScope): string =>
  scope.of === 'account'
    ? `account ${scope.accountId}`
    : `${scope.of} ${scope.merchantId} ${scope.of === 'user' ? scope.userId : ''}`;

/**
 * The caps on live PENDING deposits, which keep a faulty client from filling the platform. Counting thousands of orders
 * for each new one would cost more than accepting it, so counts are cached for some seconds and then refreshed once for
 * all callers. A stale count may admit an order above the cap, but no order is refused without a fresh count.
 */
export class OpenDeposits {
  private readonly counted: Batcher<{ scope: OpenDepositsScope; cap: number }, number>;
  private readonly counts = new Map<string, Count>();
  /** Counts under way. */
  private readonly counting = new Map<string, Promise<number>>();

  constructor(database: Database) {
    this.counted = new Batcher(async (scopes) => await countOpenDeposits(database, scopes), LOOKUPS, database.patience);
  }

  /** Whether a cap is reached. */
  async isFull(scope: OpenDepositsScope, cap: number): Promise<boolean> {
    // If the merchant has fewer orders in all, it also has fewer of one user.
    if (scope.of === 'user' && this.isKnownBelow(cap, scope.merchantId)) return false;
    const key = keyOf(scope);
    const known = this.counts.get(key);
    const age = known ? performance.now() - known.at : Infinity;
    if (!known || age >= GOOD_FOR_MS + GRACE_MS) {
      if ((await this.countForAll(key, scope, cap)) < cap) return false;
    } else if (known.count < cap) {
      // Below the cap, serve the stale count and refresh in the background; after a failure the next call retries.
      if (age >= GOOD_FOR_MS) this.countForAll(key, scope, cap).catch(() => undefined);
      return false;
    }
    return (await this.count(key, scope, cap)) >= cap;
  }

  private isKnownBelow(cap: number, merchantId: string): boolean {
    const known = this.counts.get(keyOf({ of: 'merchant', merchantId }));
    return known !== undefined && known.count < cap && performance.now() - known.at < GOOD_FOR_MS + GRACE_MS;
  }

  /** One more was accepted. */
  accepted(scope: OpenDepositsScope): void {
    const known = this.counts.get(keyOf(scope));
    if (known) known.count++;
  }

  /** A count that may have begun before the call. */
  private async countForAll(key: string, scope: OpenDepositsScope, cap: number): Promise<number> {
    const underWay = this.counting.get(key) ?? this.count(key, scope, cap).finally(() => this.counting.delete(key));
    this.counting.set(key, underWay);
    return await underWay;
  }

  private async count(key: string, scope: OpenDepositsScope, cap: number): Promise<number> {
    const count = await this.counted.call({ scope, cap });
    if (this.counts.size >= MOST_COUNTS) this.counts.clear();
    this.counts.set(key, { count, at: performance.now() });
    return count;
  }
}
