import type { JSONValue } from 'postgres';
import { uuidv7 } from 'uuidv7';
import { invalidField } from '../domain/errors';
import { insertOperatorAction } from '../db/operators';
import { operatorOf } from './authorization';
import type { GraphContext } from './context';
import type { Transaction } from '../db/client';

/** What an operator does, to what, and why; `detail` holds no secret. */
export interface OperatorAction {
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly detail?: JSONValue;
  /** What the log line says beside: the order that is concerned. */
  readonly about?: {
    readonly orderNo: string;
    /** Of the request that created the deposit. */
    readonly depositTraceId?: string | null;
    readonly transferId?: string;
  };
}

/** Runs an operator's change in one transaction with the note of who did it and why. */
export async function operatorAction<Result>(
  context: GraphContext,
  { action, subject, reason, detail = {}, about }: OperatorAction,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const operator = operatorOf(context.actor);
  if (reason.trim() === '') throw invalidField('reason', 'must say why');
  const result = await context.database.transaction(async (tx) => {
    const done = await change(tx);
    await insertOperatorAction(tx, {
      id: uuidv7(),
      operatorId: operator.id,
      action,
      subject,
      reason,
      detail,
      at: context.now,
    });
    return done;
  });
  context.log.info({ action, subject, ...about, operator: operator.login }, 'operator action');
  return result;
}
