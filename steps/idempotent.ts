import { hash } from 'node:crypto';
import type { Transaction } from '../db/client';
import { claimRequest, findRequest, type OperatorRequest } from '../db/operators/operator-requests';
import { CatalogueError, invalidField } from '../domain/errors';
import type { Needs } from './context';
import { operatorOf } from './access/caller';

/** The description of `idempotencyKey` in the schema. */
export const IDEMPOTENCY_KEY =
  'Made up by the client, 1-128 characters, one for each thing that it wants done. Sent again with the same arguments it does nothing more and gives the same answer; with others it is refused (CONFLICT).';

const LONGEST_KEY = 128;

/** A mutation that an operator may have sent before. */
export interface Request {
  readonly mutation: string;
  /** The client's key; without one nothing is stored. */
  readonly key: string | null | undefined;
  /** All values that the mutation's effect depends on. */
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Records the key in the effect's transaction, before the effect.
 * @param reference finds the answer of the effect later
 */
export type RecordKey = (tx: Transaction, reference: string) => Promise<void>;

/** A concurrent request used the same key first: the transaction is rolled back. */
class DoneAlready extends Error {}

const recordNothing: RecordKey = async () => {
  await Promise.resolve();
};

/**
 * Runs a mutation once for each key of an operator, also if it is sent several times, even concurrently.
 * @param run runs it; calls `recordKey` first in its transaction
 * @param replay reads the answer of the earlier effect, by its reference
 * @throws CONFLICT if the key was used for something else
 */
export async function idempotent<Answer>(
  context: Needs<'actor' | 'database' | 'now'>,
  { mutation, key, args }: Request,
  run: (recordKey: RecordKey) => Promise<Answer>,
  replay: (reference: string) => Promise<Answer>,
): Promise<Answer> {
  if (key === null || key === undefined) return await run(recordNothing);
  if (key.length < 1 || key.length > LONGEST_KEY)
    throw invalidField('idempotencyKey', `must have 1-${LONGEST_KEY} characters`, 'OUT_OF_RANGE');
  const { database, now } = context;
  const request: OperatorRequest = {
    operatorId: operatorOf(context.actor).id,
    key,
    mutation,
    argumentsHash: hash('sha256', JSON.stringify(args)),
  };
  const before = async (): Promise<string | undefined> => {
    const found = await findRequest(database, request.operatorId, key);
    if (found && (found.mutation !== mutation || found.argumentsHash !== request.argumentsHash))
      throw new CatalogueError('CONFLICT', 'idempotencyKey was already used for a different request');
    return found?.reference;
  };
  const done = await before();
  if (done !== undefined) return await replay(done);
  try {
    return await run(async (tx, reference) => {
      if (!(await claimRequest(tx, { ...request, reference, at: now }))) throw new DoneAlready();
    });
  } catch (error) {
    // A concurrent request may have won, before the claim or after the reads of this effect.
    const twin = await before();
    if (twin === undefined) throw error;
    return await replay(twin);
  }
}
