import { type Money, ZERO } from './money';
import type { Replayed } from './replay';

/** What an account or a channel would take of the replayed orders, and what it took. */
export interface ReplayedShare {
  readonly id: string;
  before: number;
  after: number;
}

/** An order that would have gone elsewhere. */
export interface MovedOrder {
  readonly orderId: string;
  readonly from: string | null;
  /** Null: nothing takes it. */
  readonly to: string | null;
  readonly rule: string | null;
}

/** As many moved orders are named. */
const EXAMPLES = 20;

/** Adds up what a replay found. Costs are those that are configured now, before and after alike. */
export class ReplayResult {
  orders = 0;
  moved = 0;
  refused = 0;
  costBefore: Money = ZERO;
  costAfter: Money = ZERO;
  readonly examples: MovedOrder[] = [];
  private readonly found = new Map<string, ReplayedShare>();

  /** @param costOf what an order of this amount costs there */
  constructor(private readonly costOf: (id: string, amount: Money) => Money) {}

  add({ order, goes, rule }: Replayed): void {
    const { id, went, amount } = order;
    this.orders++;
    if (went !== null) {
      this.shareOf(went).before++;
      this.costBefore = this.costBefore.plus(this.costOf(went, amount));
    }
    if (goes !== null) {
      this.shareOf(goes).after++;
      this.costAfter = this.costAfter.plus(this.costOf(goes, amount));
    }
    if (goes === went) return;
    if (goes === null) this.refused++;
    else this.moved++;
    if (this.examples.length < EXAMPLES) this.examples.push({ orderId: id, from: went, to: goes, rule });
  }

  private shareOf(id: string): ReplayedShare {
    const share = this.found.get(id) ?? { id, before: 0, after: 0 };
    this.found.set(id, share);
    return share;
  }

  /** By what took the most. */
  get shares(): readonly ReplayedShare[] {
    return [...this.found.values()].sort((one, other) => other.before - one.before);
  }

  /** What the configured costs would have been less; below zero: more. What is refused costs nothing. */
  get saved(): Money {
    return this.costBefore.minus(this.costAfter);
  }
}
