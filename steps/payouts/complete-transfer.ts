import { openBeneficiary, openBeneficiaryName } from '../../crypto/personal';
import type { Warrant } from '../../domain/authority/warrant';
import { withdrawalCallbackBody } from '../../domain/callback';
import { businessError, invalidField } from '../../domain/errors';
import { withdrawalPaid } from '../../domain/ledger';
import { LIMITS } from '../../domain/limits';
import { formatMoney } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { PayoutAttemptRow } from '../../db/payouts/payouts';
import * as db from '../../db/payouts/transfer-tasks';
import * as debits from '../../db/transfers/bank-debits';
import { findWithdrawal, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import { actorName, operatorOf } from '../access/caller';
import { takesTwo } from '../authority/row';
import { type ProposalNeeds, propose } from '../changes/propose';
import type { Needs } from '../context';
import { idempotent, type RecordKey } from '../idempotent';
import type { CompletePayload } from './complete-effects';
import { takeDebit, wordOfBank } from './take-debit';
import { findTask, requireApart, taskStep } from './transfer-task';

/** No debit has reported the payout: a second treasurer must confirm it. */
class NoDebit extends Error {}

/** A withdrawal with the change that was just proposed for it. */
type CompletedWithdrawal = WithdrawalView & { readonly change?: ChangeRow };

/** A person's report of the payout that was sent. */
interface Completion {
  readonly bankReference: string;
  readonly proof: string | null;
}

/** Proposes that a second treasurer confirms a payout that no debit reports. */
async function proposeCompletion(
  context: ProposalNeeds,
  { withdrawal, task }: { withdrawal: WithdrawalView; task: PayoutAttemptRow },
  { bankReference, proof }: Completion,
  recordKey: RecordKey,
): Promise<CompletedWithdrawal> {
  const { id, orderNo, merchantId, amount, currencyCode } = withdrawal;
  if (task.status !== 'SENDING' || task.claimedBy !== operatorOf(context.actor).id)
    throw businessError('NOT_HELD', 'you are not sending this payout');
  const payload: CompletePayload = {
    withdrawalId: id,
    attemptId: task.id,
    accountId: task.accountId ?? '',
    paidBy: task.claimedBy,
    bankReference,
    proof,
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
        orderNo,
        amount: formatMoney(amount),
        bankReference,
        proof,
        beneficiary: `${name}, ${withdrawal.beneficiaryBankCode} ${account}`,
        accountId: task.accountId,
        findings: ['no debit of the account shows it'],
      },
      money: { amount, currencyCode },
      payload,
      reason: bankReference,
      evidence: { text: proof },
    },
    recordKey,
  );
  return { ...((await findWithdrawal(context.database, { orderNo })) ?? withdrawal), change };
}

/**
 * Records that the bank has accepted a manual payout: the withdrawal is COMPLETED. Where no debit shows it and two people
 * are required, another treasurer confirms it.
 * @throws INVALID_FIELD, AUTHORIZATION_ERROR for who approved the withdrawal, NOT_HELD if the operator is not sending it
 */
export async function completeTransfer(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'completeTransfer'>,
  {
    orderNo,
    bankReference,
    proof,
    key,
  }: {
    readonly orderNo: string;
    readonly bankReference: string;
    readonly proof: string | null;
    readonly key: string | null | undefined;
  },
): Promise<CompletedWithdrawal> {
  const reference = bankReference.trim();
  if (reference === '' || Array.from(reference).length > LIMITS.bankReference)
    throw invalidField('bankReference', `must be 1-${LIMITS.bankReference} characters`, 'OUT_OF_RANGE');
  const complete = async (recordKey: RecordKey): Promise<CompletedWithdrawal> => {
    const found = await findTask(context, orderNo);
    await requireApart(context, found.withdrawal);
    const { withdrawal, task } = found;
    if (task.accountId === null) throw businessError('NOT_HELD', 'the transfer is not claimed');
    const { merchantId, amount, fee } = withdrawal;
    const { now } = context;
    const said = { bankReference: reference, proof };
    const completion = {
      attemptId: task.id,
      operatorId: operatorOf(context.actor).id,
      now,
      ...said,
      paid: withdrawalPaid(merchantId, amount, fee, { bankAccountId: task.accountId }),
      callbackBody: withdrawalCallbackBody('COMPLETED', withdrawal, now, {
        bankReference: reference,
      }),
    };
    const { accountId } = task;
    const beneficiaryAccount = openBeneficiary(context.sealer, withdrawal);
    const money = { ...withdrawal, accountId, beneficiaryAccount };
    const named = { ...task, bankReference: reference };
    try {
      return await taskStep(context, warrant.step, found, reference, async (tx) => {
        await recordKey(tx, withdrawal.id);
        await debits.lockReportedBalance(tx, accountId);
        const word = await wordOfBank(tx, context.sealer, money, named);
        // A debit entered by the person who paid is not evidence.
        const proven = word.said === 'PAID' && word.source !== actorName(context.actor);
        if (takesTwo(context) && !proven) throw new NoDebit();
        if (!(await db.completeTransfer(tx, warrant, completion)))
          throw businessError('NOT_HELD', 'you are not sending this payout');
        await takeDebit(tx, context.sealer, money, named, now);
      });
    } catch (error) {
      if (!(error instanceof NoDebit)) throw error;
      return await proposeCompletion(context, found, said, recordKey);
    }
  };
  return await idempotent(
    context,
    { mutation: warrant.step, key, args: { orderNo, reference, proof } },
    complete,
    async () => (await findTask(context, orderNo)).withdrawal,
  );
}
