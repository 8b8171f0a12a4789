import { openDebitAccount, openDebitMemo } from '../../crypto/personal';
import type { Sealer } from '../../crypto/seal';
import { debitOf, payeeDiffers } from '../../domain/debit-match';
import * as debits from '../../db/transfers/bank-debits';
import type { Transaction } from '../../db/client';
import type { PayoutAttemptRow } from '../../db/payouts/payouts';

/** The money of a manual payout, and its beneficiary, in clear. */
export type TaskMoney = debits.DebitMoney & { readonly beneficiaryAccount: string };

/** The bank's report about a manual payout: paid, nothing yet, or paid to somebody else. */
export type DebitWord =
  | { readonly said: 'PAID'; readonly debitId: string | null; readonly source: string }
  | { readonly said: 'NOTHING' }
  | { readonly said: 'OTHER_PAYEE'; readonly debitId: string };

/** The bank's report about a manual payout so far, read under the account's lock. */
export async function wordOfBank(
  tx: Transaction,
  sealer: Sealer,
  money: TaskMoney,
  task: PayoutAttemptRow,
): Promise<DebitWord> {
  const source = await debits.sourceOfDebit(tx, task.id);
  if (source !== null) return { said: 'PAID', debitId: null, source };
  const open = await debits.findOpenDebits(tx, money);
  const debit = debitOf(
    task,
    open.map((one) => ({ ...one, memo: openDebitMemo(sealer, one) })),
  );
  if (!debit) return { said: 'NOTHING' };
  if (payeeDiffers(openDebitAccount(sealer, debit), money.beneficiaryAccount))
    return { said: 'OTHER_PAYEE', debitId: debit.id };
  return { said: 'PAID', debitId: debit.id, source: debit.source };
}

/** Attaches a debit that the bank reported before the operator completed the payout. */
export async function takeDebit(
  tx: Transaction,
  sealer: Sealer,
  money: TaskMoney,
  task: PayoutAttemptRow,
  now: Date,
): Promise<void> {
  const word = await wordOfBank(tx, sealer, money, task);
  if (word.said === 'OTHER_PAYEE') await debits.doubtPayee(tx, task.id, word.debitId, now);
  if (word.said !== 'PAID' || word.debitId === null) return;
  await debits.explainDebit(tx, {
    id: word.debitId,
    attemptId: task.id,
    by: 'system',
    reason: null,
    now,
  });
}
