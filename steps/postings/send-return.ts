import { openDebitAccount, openReturnAccount, openReturnName } from '../../crypto/personal';
import { payeeDiffers } from '../../domain/debit-match';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { formatMoney } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/ledger/payer-returns';
import { findOpenDebits } from '../../db/transfers/bank-debits';
import type { Needs } from '../context';
import { normaliseReference } from '../../domain/bank-reference';
import { actorName, operatorOf, requireReach } from '../access/caller';
import { takesTwo } from '../authority/row';
import { type Evidence, type ProposalNeeds, propose } from '../changes/propose';
import { NOT_IN_RECOVERY } from '../payouts/transfer-task';
import { refundReleased } from '../../domain/ledger';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import type { Warrant } from '../../domain/authority/warrant';
import { type CompleteReturnPayload, endReturn } from './payer-return-effects';
import { requireEvidence } from './post';

/** @throws NOT_FOUND, also for who is restricted to other merchants */
async function findReturn(context: Needs<'actor' | 'database'>, id: string): Promise<db.PayerReturnRow> {
  const [found] = await db.findPayerReturns({ sql: context.database.sql }, [id]);
  if (!found) throw notFound('return');
  if (found.merchantId !== null) requireReach(context.actor, found.merchantId, 'return');
  return found;
}

const CANNOT_SEND: Readonly<Record<db.SendRefusal, string>> = {
  NOT_OPEN: 'the return is not open',
  RECOVERY: NOT_IN_RECOVERY,
  WRONG_ACCOUNT: 'the account is disabled or has another currency',
};

/** The one debit that reports the return: with its bank reference, amount and payee. */
async function debitOfReturn(
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

/**
 * Says that the operator sends a return now, from this account.
 * @throws MISMATCH for an account that cannot send it, WRONG_STATE for a return that is not open
 */
export async function beginReturn(
  context: ActionNeeds,
  warrant: Warrant<'beginReturn'>,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<db.PayerReturnRow> {
  await findReturn(context, id);
  const action = { action: warrant.step, subject: `return:${id}`, reason: 'sends it' };
  await operatorAction(context, { ...action, detail: { accountId } }, async (tx) => {
    const { id: operatorId } = operatorOf(context.actor);
    const refusal = await db.beginPayerReturn(tx, { id, accountId, operatorId, now: context.now });
    if (refusal) throw businessError(refusal === 'WRONG_ACCOUNT' ? 'MISMATCH' : 'WRONG_STATE', CANNOT_SEND[refusal]);
  });
  return await findReturn(context, id);
}

/** A return whose end was reported, and what another treasurer confirms where no debit shows it. */
export interface ReportedReturn {
  readonly payerReturn: db.PayerReturnRow;
  readonly change: ChangeRow | null;
}

/**
 * Completes a return that the operator has sent: at once where a debit of the account shows it; else another treasurer
 * confirms it, with evidence.
 * @throws INVALID_FIELD, WRONG_STATE if it is not being sent, NOT_HELD if another operator sends it
 */
export async function completeReturn(
  context: ProposalNeeds,
  warrant: Warrant<'completeReturn'>,
  {
    id,
    bankReference,
    evidence,
  }: {
    readonly id: string;
    readonly bankReference: string;
    readonly evidence?: Evidence | null | undefined;
  },
): Promise<ReportedReturn> {
  const found = await findReturn(context, id);
  const { now, actor } = context;
  const reference = bankReference.trim();
  if (reference === '' || reference.length > LIMITS.bankReference)
    throw invalidField('bankReference', `must have 1-${LIMITS.bankReference} characters`);
  const { id: operatorId } = operatorOf(actor);
  if (found.status !== 'SENDING') throw businessError('WRONG_STATE', 'the return is not being sent');
  if (found.sentBy !== operatorId) throw businessError('NOT_HELD', 'another operator is sending this return');
  const debitId = await debitOfReturn(context, found, reference);
  if (debitId === null && takesTwo(context)) {
    requireEvidence(evidence);
    const { amount, currencyCode } = found;
    const payeeName = openReturnName(context.sealer, found);
    const payload: CompleteReturnPayload = {
      returnId: id,
      sentBy: operatorId,
      bankReference: reference,
    };
    const change = await propose(context, {
      kind: 'COMPLETE_RETURN',
      subject: { kind: 'payer_return', id, name: `${formatMoney(amount)} ${currencyCode}` },
      merchantId: found.merchantId,
      summary: `${formatMoney(amount)} ${currencyCode} went back to ${payeeName}`,
      before: { status: 'SENDING' },
      after: { status: 'COMPLETED', bankReference: reference },
      money: { amount, currencyCode },
      payload,
      reason: 'sent, and no debit shows it yet',
      evidence,
    });
    return { payerReturn: await findReturn(context, id), change };
  }
  const action = { action: warrant.step, subject: `return:${id}`, reason: 'the bank paid it' };
  const detail = { bankReference: reference, debitId };
  await operatorAction(context, { ...action, detail }, async (tx) => {
    const end = { id, bankReference: reference, debitId, actor: actorName(actor), now };
    await endReturn(tx, warrant, end);
  });
  return { payerReturn: await findReturn(context, id), change: null };
}

/** Gives back a return that somebody else was sending. @throws NOT_HELD for its own sender */
export async function releaseReturn(
  context: ActionNeeds,
  warrant: Warrant<'releaseReturn'>,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<db.PayerReturnRow> {
  await findReturn(context, id);
  const action = { action: warrant.step, subject: `return:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    if (!(await db.releasePayerReturn(tx, id, operatorOf(context.actor).id)))
      throw businessError('NOT_HELD', 'another person than the sender gives it back');
  });
  return await findReturn(context, id);
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
