import { isDecisive } from '../../domain/authority/powers';
import { countShutOut } from '../../db/changes/change-requests';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { Needs } from '../context';
import type { AccessPayload } from './operator-effects';
import { takesTwo } from '../authority/row';

/** Whether a change only closes: fewer roles, fewer merchants. */
export function closes(operator: OperatorWithAuthority, { roles, merchantIds }: AccessPayload): boolean {
  const before = operator.merchantIds;
  const narrower = before === null || (merchantIds?.every((merchant) => before.includes(merchant)) ?? false);
  return narrower && roles.every((role) => operator.roles.includes(role));
}

/**
 * Whether one person alone would take the powers to decide from a second person within a day: then two people must do
 * it, so that a stolen login cannot shut everybody out.
 */
export const isOneMore = async (
  context: Needs<'changes' | 'database' | 'now'>,
  operator: OperatorWithAuthority,
): Promise<boolean> =>
  takesTwo(context) &&
  isDecisive(operator) &&
  (await countShutOut(context.database, new Date(context.now.getTime() - DAY_MS))) > 0;

const DAY_MS = 86_400_000;
