import { type AppliedChange, openedTheWay } from './cooling';
import type { Decider } from './change-request';
import { CatalogueError } from './errors';
import type { Money } from './money';
import { mayApprove, reaches } from './permissions';
import type { WithdrawalStatus } from './withdrawal';

/** The facts that a decision on a withdrawal depends on. */
export interface ApprovalCase {
  readonly status: WithdrawalStatus;
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  /** The proposer of a settlement that another person must approve; else null. */
  readonly proposedBy: string | null;
  /** Whether the settlement's account is disabled. */
  readonly accountDisabled: boolean;
  /** The operators who have already decided. */
  readonly decidedBy: readonly string[];
  /** Changes of the merchant within the cooling period. */
  readonly changes: readonly AppliedChange[];
  readonly coolingMs: number;
}

/** Why a settlement whose account was disabled after the proposal cannot be approved. */
export const SETTLEMENT_ACCOUNT_DISABLED = 'the settlement account was disabled: reject it';

const refused = (why: string): CatalogueError => new CatalogueError('AUTHORIZATION_ERROR', why);

/** The checks that approving and rejecting share. */
function problemOfDeciding(order: ApprovalCase, decider: Decider, now: Date): CatalogueError | null {
  if (decider.via === 'token') return refused('an api token cannot decide: log in');
  if (!decider.permissions.has('APPROVE')) return refused('the permission APPROVE is required');
  if (decider.decidesFrom && decider.decidesFrom.getTime() > now.getTime())
    return refused(`your permission to decide is new: it is valid from ${decider.decidesFrom.toISOString()}`);
  if (!reaches(decider, order.merchantId)) return new CatalogueError('NOT_FOUND', 'withdrawal');
  if (order.status !== 'PENDING') return new CatalogueError('CONFLICT', `the withdrawal is already ${order.status}`);
  if (order.decidedBy.includes(decider.id))
    return new CatalogueError('CONFLICT', 'you have already decided on this withdrawal');
  return null;
}

/**
 * Why an operator may not approve a withdrawal now, or null. An approval must be within the operator's limit, never of
 * a settlement of their own, and never for a merchant whose key or rules they changed within the cooling period.
 */
export function problemOfWithdrawalApproval(order: ApprovalCase, decider: Decider, now: Date): CatalogueError | null {
  const problem = problemOfDeciding(order, decider, now);
  if (problem) return problem;
  if (order.proposedBy === decider.id) return refused('you cannot approve a settlement that you proposed');
  if (order.accountDisabled) return new CatalogueError('CONFLICT', SETTLEMENT_ACCOUNT_DISABLED);
  if (openedTheWay(decider.id, order.changes, order.coolingMs, now))
    return refused("you changed this merchant's keys or rules recently: another person must approve");
  if (!mayApprove(decider, order.currencyCode, order.amount))
    return refused(`${order.amount.toFixed()} ${order.currencyCode} is above your limit`);
  return null;
}

/**
 * Why an operator may not reject a withdrawal now, or null. Any amount may be rejected, also by an operator who changed
 * the merchant's key or rules.
 */
export const problemOfWithdrawalRejection = problemOfDeciding;
