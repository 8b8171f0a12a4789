import { sealReturn } from '../../crypto/personal';
import type { Warrant } from '../../domain/authority/warrant';
import { businessError, notFound } from '../../domain/errors';
import { moneyReturned, refundFrozen, refundPaid } from '../../domain/ledger';
import { money } from '../../domain/money';
import type { Transaction } from '../../db/client';
import * as db from '../../db/ledger/payer-returns';
import { lockReportedBalance } from '../../db/transfers/bank-debits';
import { type Applied, effect } from '../changes/change-effect';
import { useRefused } from './posting-effects';

/** A return as a proposal stores it. */
export type ReturnPayload = Readonly<{
  id: string;
  bankTransferId: string | null;
  depositId: string | null;
  merchantId: string | null;
  currencyCode: string;
  amount: string;
  payeeName: string;
  payeeAccount: string;
  payeeBank: string | null;
  enteredBy: readonly string[];
}>;

/** Opens the task of sending money back; a refund's money is frozen. @throws if less is left */
export async function openTask(
  tx: Transaction,
  { enteredBy: _enteredBy, amount: text, ...payload }: ReturnPayload,
  { id, reason, now, seals }: Pick<Applied, 'id' | 'reason' | 'now' | 'seals'>,
): Promise<void> {
  const amount = money(text);
  const row: db.PayerReturnRow = {
    ...payload,
    ...sealReturn(seals, payload),
    amount,
    changeId: id,
    reason,
    status: 'OPEN',
    createdAt: now,
    accountId: null,
    sentBy: null,
    sendingAt: null,
    bankReference: null,
    bankDebitId: null,
    endedAt: null,
    endReason: null,
  };
  const { merchantId } = payload;
  const freeze = merchantId === null ? [] : refundFrozen(merchantId, amount);
  const refusal = await db.openPayerReturn(tx, row, freeze);
  if (refusal) throw useRefused(refusal);
}

/** A return, or a refund, that two people agreed on. */
export const openReturn = effect<ReturnPayload>({
  // eslint-disable-next-line @typescript-eslint/require-await
  apart: async (_tx, { enteredBy }, decider) =>
    enteredBy.includes(decider.id) ? 'you entered this credit: another person decides' : null,
  apply: openTask,
});

/** The end of a return: with the debit that reports it, or by a second treasurer's confirmation. */
export interface ReturnEnd {
  readonly id: string;
  readonly bankReference: string;
  readonly debitId: string | null;
  readonly actor: string;
  readonly now: Date;
}

/** SENDING → COMPLETED. @throws if it is not being sent, or the debit does not fit */
export async function endReturn(tx: Transaction, warrant: Warrant<'completeReturn'>, end: ReturnEnd): Promise<void> {
  const [before] = await db.findPayerReturns({ sql: tx }, [end.id]);
  if (!before?.accountId) throw businessError('WRONG_STATE', 'the return is not being sent');
  const { merchantId, accountId, amount } = before;
  await lockReportedBalance(tx, accountId);
  const postings = merchantId === null ? moneyReturned(accountId, amount) : refundPaid(merchantId, accountId, amount);
  const refusal = await db.completePayerReturn(tx, warrant, { ...end, postings });
  if (refusal === 'NOT_SENDING') throw businessError('WRONG_STATE', 'the return is not being sent');
  if (refusal) throw useRefused(refusal);
}

/** A return that a second treasurer confirms. */
export type CompleteReturnPayload = Readonly<{
  returnId: string;
  sentBy: string;
  bankReference: string;
}>;

/** Completes a return that no debit reports yet. */
export const completeReturn = effect<CompleteReturnPayload>({
  // eslint-disable-next-line @typescript-eslint/require-await
  apart: async (_tx, { sentBy }, decider) =>
    sentBy === decider.id ? 'you sent this return: another treasurer confirms it' : null,
  basis: async (tx, { returnId }) => {
    const found = await db.lockPayerReturn(tx, returnId);
    return found ? { status: found.status, sentBy: found.sentBy } : null;
  },
  apply: async (tx, { returnId, bankReference }, { now, decidedBy, warrant }) => {
    const found = await db.lockPayerReturn(tx, returnId);
    if (!found) throw notFound('return');
    const actor = `operator:${decidedBy}`;
    const end = { id: returnId, bankReference, debitId: null, actor, now };
    await endReturn(tx, warrant as Warrant<'completeReturn'>, end);
  },
});
