import { uuidv7 } from 'uuidv7';
import { CatalogueError, invalidField, notFound } from '../../domain/errors';
import { subjectOfBeneficiary } from '../../crypto/beneficiary';
import { openBeneficiary } from '../../crypto/personal';
import { LIMITS } from '../../domain/limits';
import { formatMoney } from '../../domain/money';
import type { WithdrawalStatus } from '../../domain/withdrawal';
import {
  type ApprovalCase,
  problemOfWithdrawalApproval,
  problemOfWithdrawalRejection,
  SETTLEMENT_ACCOUNT_DISABLED,
} from '../../domain/withdrawal-approval';
import type { Transaction } from '../../db/client';
import { keepSettlementAccountOpen } from '../../db/settlements/settlement-accounts';
import * as db from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import { idempotent, type RecordKey } from '../idempotent';
import { countersOfStep } from '../authority/day-amounts';
import type { Warrant } from '../../domain/authority/warrant';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { deciderOf, requireReach } from '../access/caller';

/** A recorded decision. */
export interface Decided {
  readonly withdrawal: db.WithdrawalView;
  /** Whether the workflow has applied it. */
  readonly applied: boolean;
  /** The next step, as text. */
  readonly note: string;
}

/** A person's decision, as requested. */
export type DecisionRequest = {
  readonly orderNo: string;
  readonly remarks: string | null;
  readonly key?: string | null | undefined;
} & (
  | { readonly verdict: 'APPROVE'; readonly warrant: Warrant<'approveWithdrawal'> }
  | { readonly verdict: 'REJECT'; readonly warrant: null }
);

/** What the rules of deciding depend on. */
export async function approvalCase(
  { loaders, changes }: Needs<'changes' | 'loaders'>,
  withdrawal: db.WithdrawalRow,
): Promise<ApprovalCase> {
  const [decisions, applied, settlement] = await Promise.all([
    loaders.withdrawalDecisions.load(withdrawal.id),
    changes.coolingMs === 0 ? [] : loaders.appliedChanges.load(withdrawal.merchantId),
    withdrawal.origin === 'SETTLEMENT' ? loaders.settlements.load(withdrawal.id) : undefined,
  ]);
  const account = settlement && (await loaders.settlementAccounts.load(settlement.accountId));
  return {
    ...withdrawal,
    proposedBy: changes.onePerson ? null : (settlement?.proposedBy ?? null),
    accountDisabled: (account?.disabledAt ?? null) !== null,
    decidedBy: decisions.map(({ operatorId }) => operatorId),
    changes: applied,
    coolingMs: changes.coolingMs,
  };
}

/** Why the caller may not approve a withdrawal now, or null. */
export async function refusalOfWithdrawalApproval(
  context: Needs<'actor' | 'changes' | 'loaders' | 'now'>,
  withdrawal: db.WithdrawalRow,
): Promise<string | null> {
  const order = await approvalCase(context, withdrawal);
  return problemOfWithdrawalApproval(order, deciderOf(context.actor), context.now)?.message ?? null;
}

const REFUSED: Record<db.DecisionRefusal, string> = {
  NOT_PENDING: 'the withdrawal is already decided',
  ALREADY_DECIDED: 'the withdrawal is already decided; its status is about to change',
  DECIDED_BEFORE: 'you have already decided on this withdrawal',
  MAY_BE_PAID: 'a channel may have paid it before the database was restored: it cannot be rejected',
  NOT_ASKED: 'in RECOVERY only what no channel has paid can be rejected: they are being asked',
};

/** @throws INVALID_FIELD */
function checkRemarks({ verdict, remarks }: DecisionRequest): string | null {
  const said = remarks?.trim() ?? '';
  if (verdict === 'REJECT' && said === '') throw invalidField('remarks', 'must not be empty', 'REQUIRED');
  if (Array.from(said).length > LIMITS.approvalRemarks)
    throw invalidField('remarks', `must be at most ${LIMITS.approvalRemarks} characters`, 'OUT_OF_RANGE');
  return said === '' ? null : said;
}

/** Locks the settlement account, so that no settlement is approved after its account was disabled. */
async function keepAccountOpen({ loaders }: Needs<'loaders'>, tx: Transaction, id: string): Promise<void> {
  const settlement = await loaders.settlements.load(id);
  if (settlement && !(await keepSettlementAccountOpen(tx, settlement.accountId)))
    throw new CatalogueError('CONFLICT', SETTLEMENT_ACCOUNT_DISABLED);
}

/**
 * Asks the workflow to apply the recorded decision. @returns the order's status, or null if the request was not
 * answered in time
 */
async function apply(
  { decisions, loaders }: Needs<'decisions' | 'loaders'>,
  withdrawal: db.WithdrawalRow,
): Promise<WithdrawalStatus | null> {
  const merchant = await loaders.merchants.load(withdrawal.merchantId);
  if (!decisions || !merchant) return null;
  return await decisions.apply({
    version: 1,
    withdrawalId: withdrawal.id,
    orderNo: withdrawal.orderNo,
    merchantCode: merchant.merchantCode,
    currencyCode: withdrawal.currencyCode,
    amount: formatMoney(withdrawal.amount),
    ...(withdrawal.traceId !== null && { traceId: withdrawal.traceId }),
  });
}

async function answered(
  { database, loaders }: Needs<'database' | 'loaders'>,
  id: string,
  status: WithdrawalStatus | null,
): Promise<Decided> {
  loaders.withdrawalDecisions.clear(id);
  const withdrawal = await db.findWithdrawal(database, { id });
  if (!withdrawal) throw notFound('withdrawal');
  if (withdrawal.status !== 'PENDING')
    return { withdrawal, applied: true, note: `the withdrawal is ${withdrawal.status}` };
  const note =
    status === null
      ? 'recorded; the order follows as soon as its workflow can be reached'
      : 'recorded; another person has to approve it too';
  return { withdrawal, applied: false, note };
}

/**
 * Records a person's decision on a withdrawal, then has its workflow apply it. If the workflow cannot be reached in
 * time, the decision is valid and is applied later.
 * @throws NOT_FOUND, AUTHORIZATION_ERROR, CONFLICT if it was decided already, INVALID_FIELD
 */
export async function decideWithdrawal(
  context: ActionNeeds & Needs<'decisions' | 'loaders' | 'lookup' | 'sealer'>,
  request: DecisionRequest,
): Promise<Decided> {
  const { actor, database, now } = context;
  const { orderNo, verdict, key } = request;
  const remarks = checkRemarks(request);
  const mutation = verdict === 'APPROVE' ? 'approveWithdrawal' : 'rejectWithdrawal';

  const act = async (recordKey: RecordKey): Promise<Decided> => {
    const withdrawal = await db.findWithdrawal(database, { orderNo });
    if (!withdrawal) throw notFound('withdrawal');
    requireReach(actor, withdrawal.merchantId, 'withdrawal');
    const order = await approvalCase(context, withdrawal);
    const decider = deciderOf(context.actor);
    const problem =
      verdict === 'APPROVE'
        ? problemOfWithdrawalApproval(order, decider, now)
        : problemOfWithdrawalRejection(order, decider, now);
    if (problem) throw problem;
    const { id } = withdrawal;
    const counters =
      verdict === 'APPROVE'
        ? countersOfStep(context, mutation, withdrawal.currencyCode, {
            APPROVER: decider.id,
            MERCHANT: withdrawal.merchantId,
            BENEFICIARY: subjectOfBeneficiary(
              context,
              withdrawal.beneficiaryBankCode,
              openBeneficiary(context.sealer, withdrawal),
            ),
          })
        : [];
    const action = {
      action: mutation,
      subject: `withdrawal:${orderNo}`,
      reason: remarks ?? 'approved',
      about: { orderNo, depositTraceId: withdrawal.traceId },
    };
    await operatorAction(context, action, async (tx) => {
      await recordKey(tx, id);
      if (verdict === 'APPROVE' && withdrawal.origin === 'SETTLEMENT') await keepAccountOpen(context, tx, id);
      const decision = {
        id: uuidv7(),
        withdrawalId: id,
        operatorId: decider.id,
        verdict,
        remarks,
        at: now,
      };
      const refusal = await db.recordDecision(tx, request.warrant, decision, counters);
      if (refusal) throw new CatalogueError('CONFLICT', REFUSED[refusal]);
    });
    return await answered(context, id, await apply(context, withdrawal));
  };
  return await idempotent(
    context,
    { mutation, key, args: { orderNo, remarks } },
    act,
    async (id) => await answered(context, id, null),
  );
}
