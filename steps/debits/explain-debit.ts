import { openBeneficiary, openDebitAccount } from '../../crypto/personal';
import { payeeDiffers } from '../../domain/debit-match';
import type { Warrant } from '../../domain/authority/warrant';
import { businessError, CatalogueError, notFound } from '../../domain/errors';
import * as db from '../../db/transfers/bank-debits';
import type { Transaction } from '../../db/client';
import { findAttemptsOf } from '../../db/payouts/payouts';
import { findApprovers, findWithdrawal, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import { actorName, operatorOf } from '../access/caller';
import { takesTwo } from '../authority/row';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';

/**
 * The manual payout that a debit paid, by an operator's explanation.
 * @throws BUSINESS_ERROR if the explanation cannot be right
 */
async function findPaidTask(
  context: Needs<'actor' | 'changes' | 'sealer'>,
  tx: Transaction,
  debit: db.BankDebitView,
  withdrawal: WithdrawalView,
): Promise<string> {
  if (withdrawal.currencyCode !== debit.currencyCode)
    throw businessError('MISMATCH', 'the debit and the withdrawal have different currencies');
  if (!withdrawal.amount.equals(debit.amount))
    throw businessError('MISMATCH', 'the debit and the withdrawal have different amounts');
  const { sealer } = context;
  if (payeeDiffers(openDebitAccount(sealer, debit), openBeneficiary(sealer, withdrawal)))
    throw businessError('MISMATCH', "the bank paid another account than the beneficiary's");
  const task = (await findAttemptsOf(tx, [withdrawal.id])).at(-1);
  if (task?.method !== 'MANUAL' || (task.status !== 'SENDING' && task.status !== 'COMPLETED'))
    throw businessError('WRONG_STATE', 'the withdrawal has no manual payout');
  if (task.accountId !== debit.accountId)
    throw businessError('MISMATCH', 'the withdrawal is paid from a different account');
  if (await db.isPaidOut(tx, task.id))
    throw businessError('WRONG_STATE', 'another debit already explains this withdrawal');
  const { id } = operatorOf(context.actor);
  const involved = task.claimedBy === id || (await findApprovers(tx, withdrawal.id)).includes(id);
  if (takesTwo(context) && involved)
    throw new CatalogueError(
      'AUTHORIZATION_ERROR',
      'you approved or paid this withdrawal: another person must explain its debit',
    );
  return task.id;
}

/**
 * Explains a debit that no task explains: as the manual payout of a withdrawal, or as something else. Moves no money.
 * @throws NOT_FOUND, WRONG_STATE for an explained one, and as findPaidTask
 */
export async function explainDebit(
  context: ActionNeeds & Needs<'sealer'>,
  warrant: Warrant<'explainDebit'>,
  {
    id,
    reason,
    orderNo,
  }: {
    readonly id: string;
    readonly reason: string;
    /** The withdrawal that it paid out; none: something else. */
    readonly orderNo?: string | null | undefined;
  },
): Promise<db.BankDebitView | undefined> {
  const debit = await db.findBankDebit(context.database.sql, id);
  if (!debit) throw notFound('bank debit');
  const withdrawal = orderNo ? await findWithdrawal(context.database, { orderNo }) : null;
  if (withdrawal === undefined) throw notFound('withdrawal');
  const action = { action: warrant.step, subject: `bank_debit:${id}`, reason };
  const detail = { detail: { orderNo: orderNo ?? null } };
  await operatorAction(context, { ...action, ...detail }, async (tx) => {
    await db.lockReportedBalance(tx, debit.accountId);
    const attemptId = withdrawal && (await findPaidTask(context, tx, debit, withdrawal));
    const { actor, now } = context;
    const said = { id, attemptId, by: actorName(actor), reason, now };
    if (!(await db.explainDebit(tx, said))) throw businessError('WRONG_STATE', 'the debit is already explained');
  });
  return await db.findBankDebit(context.database.sql, id);
}
