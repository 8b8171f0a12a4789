import { Batcher } from '../db/batcher';
import type { Database } from '../db/client';
import { countOpenDeposits, type OpenDepositsScope } from '../db/deposits';

interface Count {
  /** Counted, and those accepted here since. */
  count: number;
  readonly until: number;
}

/** A count serves this long, milliseconds: what other processes accept meanwhile is not seen. */
const GOOD_FOR_MS = 5_000;
/** Users come and go: beyond so many counts all are forgotten. */
const MOST_COUNTS = 50_000;
const LOOKUPS = { size: 32, underWay: 2 };

const keyOf = (scope: OpenDepositsScope): string =>
  scope.of === 'account'
    ? `account ${scope.accountId}`
    : `${scope.of} ${scope.merchantId} ${scope.of === 'user' ? scope.userId : ''}`;

/**
 * The caps on live PENDING deposits, which keep a client gone wild from filling the platform. To count thousands of
 * orders for each new one would cost more than to accept it, so counts are remembered for some seconds: memory may
 * let one pass that another process has just made one too many, but never refuses one without counting.
 */
export class OpenDeposits {
  private readonly counted: Batcher<{ scope: OpenDepositsScope; cap: number }, number>;
  private readonly counts = new Map<string, Count>();

  constructor(database: Database) {
    this.counted = new Batcher(
      async (scopes) => await countOpenDeposits(database, scopes),
      LOOKUPS,
    );
  }

  /** Whether as many are open as may be. */
  async isFull(scope: OpenDepositsScope, cap: number): Promise<boolean> {
    const known = this.counts.get(keyOf(scope));
    if (known && known.count < cap && performance.now() < known.until) return false;
    const count = await this.counted.call({ scope, cap });
    if (this.counts.size >= MOST_COUNTS) this.counts.clear();
    this.counts.set(keyOf(scope), { count, until: performance.now() + GOOD_FOR_MS });
    return count >= cap;
  }

  /** One more was accepted. */
  accepted(scope: OpenDepositsScope): void {
    const known = this.counts.get(keyOf(scope));
    if (known) known.count++;
  }
}
