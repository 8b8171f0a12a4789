import { openBeneficiary } from '../../crypto/personal';
import { withdrawalCallbackBody } from '../../domain/callback';
import type { Warrant } from '../../domain/authority/warrant';
import { businessError, notFound } from '../../domain/errors';
import { withdrawalPaid } from '../../domain/ledger';
import { lockReportedBalance } from '../../db/transfers/bank-debits';
import { findAttemptsOf } from '../../db/payouts/payouts';
import { completeTransfer } from '../../db/payouts/transfer-tasks';
import { findApprovers, findWithdrawalCase } from '../../db/withdrawals/withdrawals';
import { effect } from '../changes/change-effect';
import { takeDebit } from './take-debit';

/** A manual payout that is to be completed before a debit has reported it. */
export type CompletePayload = Readonly<{
  withdrawalId: string;
  attemptId: string;
  accountId: string;
  paidBy: string;
  bankReference: string;
  proof: string | null;
}>;

/** Completes a manual payout as a second treasurer has seen it at the bank. */
export const completeTransferByTwo = effect<CompletePayload>({
  apart: async (tx, { withdrawalId, paidBy }, decider) =>
    paidBy === decider.id
      ? 'you sent this payout: another treasurer confirms it'
      : (await findApprovers(tx, withdrawalId)).includes(decider.id)
        ? 'you approved this withdrawal: another treasurer confirms it'
        : null,
  apply: async (tx, payload, { now, warrant, seals }) => {
    const { withdrawalId, attemptId, accountId, paidBy, bankReference, proof } = payload;
    await lockReportedBalance(tx, accountId);
    const order = await findWithdrawalCase({ sql: tx }, withdrawalId);
    const task = (await findAttemptsOf(tx, [withdrawalId])).at(-1);
    if (!order || task?.id !== attemptId) throw notFound('withdrawal');
    const done = await completeTransfer(tx, warrant as Warrant<'completeTransfer'>, {
      attemptId,
      operatorId: paidBy,
      now,
      bankReference,
      proof,
      paid: withdrawalPaid(order.merchantId, order.amount, order.fee, { bankAccountId: accountId }),
      callbackBody: withdrawalCallbackBody('COMPLETED', order, now, { bankReference }),
    });
    if (!done) throw businessError('NOT_HELD', 'the payout is no longer being sent');
    const beneficiaryAccount = openBeneficiary(seals.sealer, order);
    const money = { ...order, accountId, beneficiaryAccount };
    await takeDebit(tx, seals.sealer, money, { ...task, bankReference }, now);
  },
});
