import type { Actor } from '../graph';

/** The fields of an order that show what it costs the platform. */
interface Costs {
  readonly estimated_channel_cost: string | null;
  readonly estimated_profit: string | null;
  readonly actual_channel_cost: string | null;
  readonly actual_profit: string | null;
}

/** An order as its merchant may see it: without costs if the merchant's settings hide them. */
export function shownTo<Order extends Costs>(actor: Actor, order: Order): Order {
  if (actor.kind !== 'merchant' || !actor.merchant.hideCosts) return order;
  return {
    ...order,
    estimated_channel_cost: null,
    estimated_profit: null,
    actual_channel_cost: null,
    actual_profit: null,
  };
}
