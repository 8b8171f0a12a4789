import { businessError, CatalogueError, notFound } from '../../domain/errors';
import { formatMoney } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { openBeneficiary, openBeneficiaryName } from '../../crypto/personal';
import type { Transaction } from '../../db/client';
import type { PayoutAttemptRow } from '../../db/payouts/payouts';
import * as db from '../../db/payouts/transfer-tasks';
import {
  findApprovers,
  findWithdrawal,
  type WithdrawalView,
} from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import type { RecordKey } from '../idempotent';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { type ProposalNeeds, propose } from '../changes/propose';
import type { CompletePayload } from './complete-effects';
import { operatorOf, requireReach } from '../access/caller';
import { takesTwo } from '../authority/row';
import * as debits from '../../db/transfers/bank-debits';
import { withdrawalReleased } from '../../domain/ledger';
import { findReleaseProblem, isUnexplained } from '../../db/platform/recoveries';

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
  if (task?.method !== 'MANUAL')
    throw businessError('WRONG_STATE', 'the withdrawal has no open manual payout');
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
    throw new CatalogueError(
      'AUTHORIZATION_ERROR',
      'you approved this withdrawal: another person must pay it',
    );
}

/** No debit has reported the payout: a second treasurer must confirm it. */
export class NoDebit extends Error {}

/** A withdrawal with the change that was just proposed for it. */
export type CompletedWithdrawal = WithdrawalView & { readonly change?: ChangeRow };

/** A person's report of the payout that was sent. */
interface Completion {
  readonly bankReference: string;
  readonly proof: string | null;
}

/** Proposes that a second treasurer confirms a payout that no debit reports. */
export async function proposeCompletion(
  context: ProposalNeeds,
  { withdrawal, task }: { withdrawal: WithdrawalView; task: PayoutAttemptRow },
  { bankReference, proof }: Completion,
  recordKey: RecordKey,
): Promise<CompletedWithdrawal> {
  const { id, orderNo, merchantId, amount, currencyCode } = withdrawal;
  if (task.status !== 'SENDING' || task.claimedBy !== operatorOf(context.actor).id)
    throw businessError('NOT_HELD', 'you are not sending this payout');
  const payload: CompletePayload = {
    ...{ withdrawalId: id, attemptId: task.id, accountId: task.accountId ?? '' },
    ...{ paidBy: task.claimedBy, bankReference, proof },
  };
  const paid = `${formatMoney(amount)} ${currencyCode}`;
  const name = openBeneficiaryName(context.sealer, withdrawal);
  const account = openBeneficiary(context.sealer, withdrawal);
  const change = await propose(
    context,
    {
      kind: 'COMPLETE_TRANSFER',
      subject: { kind: 'withdrawal', id, name: orderNo },
      merchantId,
      summary: `Complete ${orderNo} of ${paid}: no bank debit has reported it`,
      before: {},
      after: {
        ...{ orderNo, amount: formatMoney(amount), bankReference, proof },
        beneficiary: `${name}, ${withdrawal.beneficiaryBankCode} ${account}`,
        accountId: task.accountId,
        findings: ['no debit of the account shows it'],
      },
      money: { amount, currencyCode },
      ...{ payload, reason: bankReference, evidence: { text: proof } },
    },
    recordKey,
  );
  return { ...((await findWithdrawal(context.database, { orderNo })) ?? withdrawal), change };
}

/** Why a person must not begin to send money. */
export const NOT_IN_RECOVERY =
  'in RECOVERY no money may be sent; after it, not before two people have explained on the page Recovery that nobody paid it in the lost time';

export const CLAIM_REFUSED: Record<db.ClaimRefusal, string> = {
  NOT_OPEN: 'another operator has claimed this payout, or it has ended',
  WRONG_ACCOUNT: 'the account has a different currency or is disabled',
};

/** Releases a manual payout, so that others can claim it. */
export async function releaseTransfer(
  context: ActionNeeds & Needs<'loaders'>,
  { orderNo, reason }: { readonly orderNo: string; readonly reason: string },
): Promise<WithdrawalView> {
  const found = await findTask(context, orderNo);
  const release = {
    ...{ attemptId: found.task.id, operatorId: operatorOf(context.actor).id },
    ...{ reason, now: context.now },
  };
  return await taskStep(context, 'releaseTransfer', found, reason, async (tx) => {
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
  { orderNo, reason }: { readonly orderNo: string; readonly reason: string },
): Promise<WithdrawalView> {
  const found = await findTask(context, orderNo);
  const { merchantId, amount, fee } = found.withdrawal;
  const cancel = {
    ...{ attemptId: found.task.id, operatorId: operatorOf(context.actor).id },
    ...{ reason, now: context.now, release: withdrawalReleased(merchantId, amount, fee) },
  };
  return await taskStep(context, 'cancelTransfer', found, reason, async (tx) => {
    if (
      (await findReleaseProblem(tx, found.withdrawal.id)) ||
      (await isUnexplained(tx, `withdrawal:${orderNo}`))
    )
      throw businessError(
        'WRONG_STATE',
        'it may have been paid before the database was restored: find out, and explain it on the page Recovery',
      );
    if (!(await db.cancelTransfer(tx, cancel)))
      throw businessError('WRONG_STATE', 'the payout is being sent or has already ended');
  });
}
