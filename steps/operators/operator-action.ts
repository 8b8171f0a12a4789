import { invalidField } from '../../domain/errors';
import type { Plain } from '../../domain/change-request';
import type { Transaction } from '../../db/client';
import type { Needs } from '../context';
import { operatorOf } from '../access/caller';
import { type AuditNeeds, writeAudit } from '../audit/write-audit';

/** An operator's action, its subject and its reason; `detail` holds no secret. */
export interface OperatorAction {
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly detail?: Plain;
  /** Further fields of the log line: the order. */
  readonly about?: {
    readonly orderNo: string;
    /** The trace id of the request that created the deposit. */
    readonly depositTraceId?: string | null;
    readonly transferId?: string;
  };
}

/** A reason that is not empty. @throws INVALID_FIELD */
export function requireReason(reason: string): string {
  if (reason.trim() === '') throw invalidField('reason', 'must not be empty', 'REQUIRED');
  return reason;
}

/** What an action of an operator needs, with its entry in the audit log. */
export type ActionNeeds = AuditNeeds & Needs<'database' | 'log'>;

/**
 * Runs an action of one person in one transaction with its audit row. An action that moves money or opens a way to it is
 * proposed instead (steps/changes/propose.ts).
 */
export async function operatorAction<Result>(
  context: ActionNeeds,
  { action, subject, reason, detail = null, about }: OperatorAction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const operator = operatorOf(context.actor);
  const note = { subject, reason, after: detail };
  context.audit.note = note;
  requireReason(reason);
  const result = await context.database.transaction(async (tx) => {
    const done = await work(tx);
    await writeAudit(context, tx, note);
    return done;
  });
  context.log.info({ action, subject, ...about, operator: operator.login }, 'operator action');
  return result;
}
