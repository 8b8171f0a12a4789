import { type AppliedChange, openedTheWay } from './cooling';
import type { Decider } from './change-request';
import { CatalogueError } from './errors';
import type { Money } from './money';
import { mayApprove, reaches } from './permissions';
import type { WithdrawalStatus } from './withdrawal';

/** What a decision on a withdrawal depends on. */
export interface ApprovalCase {
  readonly status: WithdrawalStatus;
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  /** Of a settlement: who proposed it, where another has to approve it. */
  readonly proposedBy: string | null;
  /** Of a settlement: nothing goes to its account any more. */
  readonly accountDisabled: boolean;
  /** Who has decided already. */
  readonly decidedBy: readonly string[];
  /** What was changed of the merchant within the cooling period. */
  readonly changes: readonly AppliedChange[];
  readonly coolingMs: number;
}

/** Why a settlement is not approved whose account was disabled since it was proposed. */
export const SETTLEMENT_ACCOUNT_DISABLED = 'the settlement account was disabled: reject it';

const refused = (why: string): CatalogueError => new CatalogueError('AUTHORIZATION_ERROR', why);

/** What holds for approving and rejecting alike. */
function problemOfDeciding(order: ApprovalCase, decider: Decider): CatalogueError | null {
  if (decider.via === 'token') return refused('an api token cannot decide: log in');
  if (!decider.permissions.has('APPROVE')) return refused('the permission APPROVE is required');
  if (!reaches(decider, order.merchantId)) return new CatalogueError('NOT_FOUND', 'withdrawal');
  if (order.status !== 'PENDING')
    return new CatalogueError('CONFLICT', `the withdrawal is already ${order.status}`);
  if (order.decidedBy.includes(decider.id))
    return new CatalogueError('CONFLICT', 'you have already decided on this withdrawal');
  return null;
}

/**
 * Why somebody may not approve a withdrawal now, or null: within one's limit, never a settlement of one's own, and never
 * for a merchant whose key one issued or whose rules one changed within the cooling period ("Safety of money" 9).
 */
export function problemOfWithdrawalApproval(
  order: ApprovalCase,
  decider: Decider,
  now: Date,
): CatalogueError | null {
  const problem = problemOfDeciding(order, decider);
  if (problem) return problem;
  if (order.proposedBy === decider.id)
    return refused('you cannot approve a settlement that you proposed');
  if (order.accountDisabled) return new CatalogueError('CONFLICT', SETTLEMENT_ACCOUNT_DISABLED);
  if (openedTheWay(decider.id, order.changes, order.coolingMs, now))
    return refused("who changed the merchant's keys or rules lately does not approve for it");
  if (!mayApprove(decider, order.currencyCode, order.amount))
    return refused(`${order.amount.toFixed()} ${order.currencyCode} is above your limit`);
  return null;
}

/** Why somebody may not reject a withdrawal now, or null: any amount may be rejected, by whoever opened the way too. */
export const problemOfWithdrawalRejection = problemOfDeciding;
