import type { Warrant } from '../../domain/authority/warrant';
import { businessError, CatalogueError, notFound } from '../../domain/errors';
import type { Transaction } from '../../db/client';
import type { PayoutAttemptRow } from '../../db/payouts/payouts';
import * as db from '../../db/payouts/transfer-tasks';
import { findApprovers, findWithdrawal, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { operatorOf, requireReach } from '../access/caller';
import { takesTwo } from '../authority/row';
import * as debits from '../../db/transfers/bank-debits';
import { withdrawalReleased } from '../../domain/ledger';
import { findReleaseProblem, isSendingHeld, isUnexplained } from '../../db/platform/recoveries';

/** A withdrawal with its manual payout. @throws NOT_FOUND */
export async function findTask(
  context: Needs<'actor' | 'database' | 'loaders'>,
  orderNo: string,
): Promise<{ withdrawal: WithdrawalView; task: PayoutAttemptRow }> {
  const { actor, database, loaders } = context;
  const withdrawal = await findWithdrawal(database, { orderNo });
  if (!withdrawal) throw notFound('withdrawal');
  requireReach(actor, withdrawal.merchantId, 'withdrawal');
  const attempts = await loaders.payoutAttempts.clear(withdrawal.id).load(withdrawal.id);
  const task = attempts.at(-1);
  if (task?.method !== 'MANUAL') throw businessError('WRONG_STATE', 'the withdrawal has no open manual payout');
  return { withdrawal, task };
}

/** Runs one step of a manual payout with its audit row. @returns the withdrawal after it */
export async function taskStep(
  context: ActionNeeds,
  action: string,
  { withdrawal }: { readonly withdrawal: WithdrawalView },
  reason: string,
  work: (tx: Transaction) => Promise<void>,
): Promise<WithdrawalView> {
  const { orderNo, traceId } = withdrawal;
  const about = { orderNo, depositTraceId: traceId };
  const subject = `withdrawal:${orderNo}`;
  await operatorAction(context, { action, subject, reason, about }, work);
  return (await findWithdrawal(context.database, { orderNo })) ?? withdrawal;
}

/** Refuses the person who approved the withdrawal. @throws AUTHORIZATION_ERROR if two people are required */
export async function requireApart(
  context: Needs<'actor' | 'changes' | 'database'>,
  { id }: WithdrawalView,
): Promise<void> {
  if (!takesTwo(context)) return;
  const approvers = await findApprovers(context.database.sql, id);
  if (approvers.includes(operatorOf(context.actor).id))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'you approved this withdrawal: another person must pay it');
}

/** Why a person must not begin to send money. */
export const NOT_IN_RECOVERY =
  'in RECOVERY no money may be sent; after it, not before two people have explained on the page Recovery that nobody paid it in the lost time';

const CLAIM_REFUSED: Record<db.ClaimRefusal, string> = {
  NOT_OPEN: 'another operator has claimed this payout, or it has ended',
  WRONG_ACCOUNT: 'the account has a different currency or is disabled',
};

/** Claims a manual payout: the operator will pay it from this account. @throws NOT_HELD */
export async function claimTransfer(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'claimTransfer'>,
  { orderNo, accountId }: { readonly orderNo: string; readonly accountId: string },
): Promise<WithdrawalView> {
  const found = await findTask(context, orderNo);
  await requireApart(context, found.withdrawal);
  const { now } = context;
  const operatorId = operatorOf(context.actor).id;
  const claim = { attemptId: found.task.id, operatorId, accountId, now };
  return await taskStep(context, warrant.step, found, 'will pay it', async (tx) => {
    const refusal = await db.claimTransferTask(tx, claim);
    if (refusal) throw businessError('NOT_HELD', CLAIM_REFUSED[refusal]);
  });
}

/** Marks that the operator sends the money now. @throws WRONG_STATE in a recovery, NOT_HELD */
export async function beginTransfer(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'beginTransfer'>,
  orderNo: string,
): Promise<WithdrawalView> {
  const found = await findTask(context, orderNo);
  await requireApart(context, found.withdrawal);
  const begin = {
    attemptId: found.task.id,
    operatorId: operatorOf(context.actor).id,
    now: context.now,
  };
  return await taskStep(context, warrant.step, found, 'sends it now', async (tx) => {
    if (await isSendingHeld(tx, `withdrawal:${orderNo}`)) throw businessError('WRONG_STATE', NOT_IN_RECOVERY);
    if (!(await db.beginTransfer(tx, begin))) throw businessError('NOT_HELD', 'you have not claimed this payout');
  });
}

/** Releases a manual payout, so that others can claim it. */
export async function releaseTransfer(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'releaseTransfer'>,
  { orderNo, reason }: { readonly orderNo: string; readonly reason: string },
): Promise<WithdrawalView> {
  const found = await findTask(context, orderNo);
  const release = {
    attemptId: found.task.id,
    operatorId: operatorOf(context.actor).id,
    reason,
    now: context.now,
  };
  return await taskStep(context, warrant.step, found, reason, async (tx) => {
    if (found.task.accountId !== null) await debits.lockReportedBalance(tx, found.task.accountId);
    if (await debits.isPaidOut(tx, release.attemptId))
      throw businessError('WRONG_STATE', 'the bank has reported that the money left the account');
    if (!(await db.releaseTransferTask(tx, release)))
      throw businessError('NOT_HELD', 'the payout is not claimed, or you are sending it yourself');
  });
}

/** Cancels a manual payout: the withdrawal is CANCELLED. */
export async function cancelTransfer(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'cancelTransfer'>,
  { orderNo, reason }: { readonly orderNo: string; readonly reason: string },
): Promise<WithdrawalView> {
  const found = await findTask(context, orderNo);
  const { merchantId, amount, fee } = found.withdrawal;
  const cancel = {
    attemptId: found.task.id,
    operatorId: operatorOf(context.actor).id,
    reason,
    now: context.now,
    release: withdrawalReleased(merchantId, amount, fee),
  };
  return await taskStep(context, warrant.step, found, reason, async (tx) => {
    if ((await findReleaseProblem(tx, found.withdrawal.id)) || (await isUnexplained(tx, `withdrawal:${orderNo}`)))
      throw businessError(
        'WRONG_STATE',
        'it may have been paid before the database was restored: find out, and explain it on the page Recovery',
      );
    if (!(await db.cancelTransfer(tx, cancel)))
      throw businessError('WRONG_STATE', 'the payout is being sent or has already ended');
  });
}
