import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { operatorRequests } from '../schema/operators';

/** The result stored under a client's idempotency key. */
export type DoneRequest = RowOf<typeof operatorRequests>;

/** An operator's request under such a key. */
export type OperatorRequest = Omit<DoneRequest, 'reference' | 'at'>;

/** An operator's request under a key, and its result. */
export const findRequest = async (
  { sql }: Database,
  operatorId: string,
  key: string,
): Promise<DoneRequest | undefined> =>
  (
    await sql<DoneRequest[]>`
      select * from operator_requests where operator_id = ${operatorId} and key = ${key}`
  )[0];

/**
 * Claims a key, in the transaction of its request. Waits for a concurrent claim of the same key.
 * @returns whether it was free
 */
export async function claimRequest(tx: Transaction, request: DoneRequest): Promise<boolean> {
  const rows = await tx`
    insert into operator_requests (operator_id, key, mutation, arguments_hash, reference, at)
    values (${request.operatorId}, ${request.key}, ${request.mutation}, ${request.argumentsHash},
      ${request.reference}, ${request.at})
    on conflict do nothing returning 1`;
  return rows.length === 1;
}
