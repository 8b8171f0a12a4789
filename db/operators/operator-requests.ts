import type { Database, Transaction } from '../client';

/** What an operator asked for under a key of its client's. */
export interface OperatorRequest {
  readonly operatorId: string;
  readonly key: string;
  readonly mutation: string;
  /** SHA-256 of the arguments: they may hold what is kept nowhere else. */
  readonly argumentsHash: string;
}

/** What was done under a key. */
export interface DoneRequest extends OperatorRequest {
  /** By which the answer is found again. */
  readonly reference: string;
  readonly at: Date;
}

/** What an operator had done under a key. */
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
 * Takes a key, in the transaction of what is done under it. Waits for another that is about to take it.
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
