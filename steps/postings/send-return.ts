import { openDebitAccount, openReturnAccount } from '../../crypto/personal';
import { payeeDiffers } from '../../domain/debit-match';
import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/ledger/payer-returns';
import { findOpenDebits } from '../../db/transfers/bank-debits';
import type { Needs } from '../context';
import { normaliseReference } from '../../domain/bank-reference';
import { actorName, requireReach } from '../access/caller';
import { NOT_IN_RECOVERY } from '../payouts/transfer-task';
import { refundReleased } from '../../domain/ledger';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import type { Warrant } from '../../domain/authority/warrant';

export async function findReturn(
  context: Needs<'actor' | 'database'>,
  id: string,
): Promise<db.PayerReturnRow> {
  const [found] = await db.findPayerReturns({ sql: context.database.sql }, [id]);
  if (!found) throw notFound('return');
  if (found.merchantId !== null) requireReach(context.actor, found.merchantId, 'return');
  return found;
}

export const CANNOT_SEND: Readonly<Record<db.SendRefusal, string>> = {
  NOT_OPEN: 'the return is not open',
  RECOVERY: NOT_IN_RECOVERY,
  WRONG_ACCOUNT: 'the account is disabled or has another currency',
};

/** The one debit that reports the return: with its bank reference, amount and payee. */
export async function debitOfReturn(
  context: Needs<'database' | 'sealer'>,
  found: db.PayerReturnRow,
  bankReference: string,
): Promise<string | null> {
  const { accountId, amount, currencyCode } = found;
  if (accountId === null) return null;
  const { sealer } = context;
  const payeeAccount = openReturnAccount(sealer, found);
  const named = await context.database.transaction(
    async (tx) => await findOpenDebits(tx, { accountId, amount, currencyCode }),
  );
  const debits = named.filter(
    (debit) =>
      debit.bankReference !== null &&
      normaliseReference(debit.bankReference) === normaliseReference(bankReference) &&
      !payeeDiffers(openDebitAccount(sealer, debit), payeeAccount),
  );
  return debits.length === 1 ? (debits[0]?.id ?? null) : null;
}

/** Cancels a return: its money waits again. */
export async function cancelReturn(
  context: ActionNeeds,
  warrant: Warrant<'cancelReturn'>,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<db.PayerReturnRow> {
  const { merchantId, amount } = await findReturn(context, id);
  const action = { action: warrant.step, subject: `return:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    const release = merchantId === null ? [] : refundReleased(merchantId, amount);
    const end = { id, release, actor: actorName(context.actor), reason, now: context.now };
    if (!(await db.cancelPayerReturn(tx, end)))
      throw businessError(
        'WRONG_STATE',
        'only an open return can be cancelled, and one from before a restore of the database only after it is explained',
      );
  });
  return await findReturn(context, id);
}
