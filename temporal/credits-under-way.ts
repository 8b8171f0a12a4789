import type { OutboxRow } from '../db/events/outbox';
import { OUTBOX_RANK } from '../domain/outbox';
import type { DepositOrderStart } from '../workflows/deposit-order';
import { AdaptiveLimit } from './relay-window';

/**
 * Deposits whose outbox rows Temporal has accepted and that are not credited yet. More of them would only wait in
 * Temporal's queue, where starting their workflows takes time from those that are due.
 */
const LIMITS = { most: 64, least: 10, slowMs: 400 };
/**
 * A deposit that is not credited after this is no longer counted, milliseconds: a blocked order does not stop others.
 */
const COUNTED_FOR_MS = 1_000;
const LOOK_EVERY_MS = 100;

/** Bounds how many deposits a relay has under way, from its claim to the credit, by how long they take. */
export class CreditsUnderWay {
  private readonly limit = new AdaptiveLimit(LIMITS);
  /** By order number: since when it is under way, and its merchant. */
  private readonly orders = new Map<string, { readonly since: number; readonly merchant: string }>();
  private lookedAt = -Infinity;

  /**
   * @param findUncredited which of these orders still wait for their credit
   * @param clock milliseconds that only grow
   */
  constructor(
    private readonly findUncredited: (orderNos: readonly string[]) => Promise<readonly string[]>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  add(rows: readonly OutboxRow[]): void {
    const since = this.clock();
    for (const { noun, rank, arguments: start } of rows)
      if (rank === OUTBOX_RANK.money && (noun === 'deposit' || noun === 'channel_deposit')) {
        const { orderNo, merchantCode: merchant } = start as unknown as DepositOrderStart;
        this.orders.set(orderNo, { since, merchant });
      }
  }

  /** How many more may be sent. */
  async free(): Promise<number> {
    const { limit, orders } = this;
    if (orders.size > 0 && this.clock() - this.lookedAt >= LOOK_EVERY_MS) await this.look();
    return Math.max(0, limit.rows - orders.size);
  }

  /** The merchants with deposits under way: while no more of theirs may be sent, those of all others still are. */
  get merchants(): string[] {
    return [...new Set([...this.orders.values()].map(({ merchant }) => merchant))];
  }

  private async look(): Promise<void> {
    this.lookedAt = this.clock();
    const underWay = this.orders.size;
    const uncredited = new Set(await this.findUncredited([...this.orders.keys()]));
    let [done, doneMs, late] = [0, 0, false];
    for (const [orderNo, { since }] of this.orders) {
      const took = this.clock() - since;
      if (!uncredited.has(orderNo)) {
        done++;
        doneMs += took;
      } else if (took > COUNTED_FOR_MS) late = true;
      else continue;
      this.orders.delete(orderNo);
    }
    const answer = { late, meanMs: done > 0 ? doneMs / done : 0 };
    if (done > 0 || late) this.limit.adapt(done, underWay, answer);
  }
}
