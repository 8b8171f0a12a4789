import type { Database, Transaction } from '../client';

/** An order of a person. */
interface PersonOrder {
  readonly noun: 'deposit' | 'withdrawal';
  readonly id: string;
  /** Whether it has not ended, or a callback or a refund of it is under way. */
  readonly open: boolean;
}

/**
 * The orders of one merchant that are of the same person as one of them: by account, mobile number, mail address or the
 * merchant's own name of the user.
 */
export const findOrdersOfPerson = async (
  sql: Database['sql'] | Transaction,
  orderId: string,
): Promise<PersonOrder[]> =>
  await sql<PersonOrder[]>`select noun, id, open from orders_of_person(${orderId})`;

/** What one kind of row had of a person. */
interface Erased {
  readonly what: string;
  readonly rows: number;
}

/** Erases a person from these orders, and from all that belongs to them. @param actor who, in the orders' timelines */
export async function erasePerson(
  tx: Transaction,
  orders: readonly PersonOrder[],
  actor: string,
  now: Date,
): Promise<Erased[]> {
  const of = (noun: string): string[] =>
    orders.filter((order) => order.noun === noun).map(({ id }) => id);
  return await tx<Erased[]>`
    select what, rows from erase_person(${of('deposit')}, ${of('withdrawal')}, ${actor}, ${now})`;
}
