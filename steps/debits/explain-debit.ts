import { openBeneficiary, openDebitAccount } from '../../crypto/personal';
import { payeeDiffers } from '../../domain/debit-match';
import { businessError, CatalogueError } from '../../domain/errors';
import * as db from '../../db/transfers/bank-debits';
import type { Transaction } from '../../db/client';
import { findAttemptsOf } from '../../db/payouts/payouts';
import { findApprovers, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';
import { operatorOf } from '../access/caller';
import { takesTwo } from '../authority/row';

/**
 * The manual payout that a debit paid, by an operator's explanation.
 * @throws BUSINESS_ERROR if the explanation cannot be right
 */
export async function findPaidTask(
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
