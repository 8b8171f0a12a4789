import { businessError } from '../../domain/errors';
import { MOST_ORDERS_ERASED } from '../../domain/personal';
import * as db from '../../db/personal/erase';
import { effect } from '../changes/change-effect';
import { ordersOfPerson } from './orders-of-person';

/** Whose data is erased: the person of this order. */
export type ErasePersonPayload = Readonly<{ orderId: string }>;

/** @throws WRONG_STATE while something is under way, or for more orders than one transaction should lock */
export function requireErasable(orders: readonly db.PersonOrder[]): void {
  const open = orders.filter((order) => order.open).length;
  if (open > 0)
    throw businessError('WRONG_STATE', `orders that have not ended, or have a callback or a refund under way: ${open}`);
  if (orders.length > MOST_ORDERS_ERASED)
    throw businessError('WRONG_STATE', `more than ${MOST_ORDERS_ERASED} orders are of this person`);
}

/** Erases the person of an order from all its orders that there are by then. */
export const erasePerson = effect<ErasePersonPayload>({
  apply: async (tx, { orderId }, { now, decidedBy, seals }) => {
    const orders = await ordersOfPerson(tx, seals, orderId);
    requireErasable(orders);
    await db.erasePerson(tx, orders, `operator:${decidedBy}`, now);
  },
});
