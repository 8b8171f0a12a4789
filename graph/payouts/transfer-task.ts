import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { withdrawalCallbackBody } from '../../domain/callback';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { formatMoney } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { openBeneficiary, openBeneficiaryName } from '../../crypto/personal';
import { withdrawalPaid, withdrawalReleased } from '../../domain/ledger';
import { LIMITS } from '../../domain/limits';
import * as debits from '../../db/transfers/bank-debits';
import type { Transaction } from '../../db/client';
import type { PayoutAttemptRow } from '../../db/payouts/payouts';
import { findReleaseProblem, isSendingHeld, isUnexplained } from '../../db/platform/recoveries';
import * as db from '../../db/payouts/transfer-tasks';
import {
  findApprovers,
  findWithdrawal,
  type WithdrawalView,
} from '../../db/withdrawals/withdrawals';
import { type GraphContext } from '../context';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../../steps/idempotent';
import { operatorAction } from '../../steps/operators/operator-action';
import { warrantOf } from '../authority/warrant';
import { propose } from '../../steps/changes/propose';
import type { CompletePayload } from '../../steps/payouts/complete-effects';
import { takeDebit, wordOfBank } from '../../steps/payouts/take-debit';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { REASON } from '../descriptions';
import { actorName, operatorOf, requireReach } from '../../steps/access/caller';
import { takesTwo } from '../../steps/authority/row';

/** A withdrawal with its manual payout. @throws NOT_FOUND */
export async function findTask(
  context: GraphContext,
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
  context: GraphContext,
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
async function requireApart(context: GraphContext, { id }: WithdrawalView): Promise<void> {
  if (!takesTwo(context)) return;
  const approvers = await findApprovers(context.database.sql, id);
  if (approvers.includes(operatorOf(context.actor).id))
    throw new CatalogueError(
      'AUTHORIZATION_ERROR',
      'you approved this withdrawal: another person must pay it',
    );
}

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
  context: GraphContext,
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

const CLAIM_REFUSED: Record<db.ClaimRefusal, string> = {
  NOT_OPEN: 'another operator has claimed this payout, or it has ended',
  WRONG_ACCOUNT: 'the account has a different currency or is disabled',
};

/** Withdrawals that a person pays from a managed account: claimed, begun, then completed with the bank's reference. */
@Resolver()
export class TransferTaskResolver {
  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description: 'Claims a manual payout: you will pay it from this account.',
  })
  async claimTransfer(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('accountId', () => ID, { description: 'A managed account of its currency.' })
    accountId: string,
    @Ctx() context: GraphContext,
  ): Promise<WithdrawalView> {
    const found = await findTask(context, orderNo);
    await requireApart(context, found.withdrawal);
    const { now } = context;
    const operatorId = operatorOf(context.actor).id;
    const claim = { attemptId: found.task.id, operatorId, accountId, now };
    return await taskStep(context, 'claimTransfer', found, 'will pay it', async (tx) => {
      const refusal = await db.claimTransferTask(tx, claim);
      if (refusal) throw businessError('NOT_HELD', CLAIM_REFUSED[refusal]);
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description:
      'Marks that you send the money now. From then on only another person can release the task.',
  })
  async beginTransfer(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Ctx() context: GraphContext,
  ): Promise<WithdrawalView> {
    const found = await findTask(context, orderNo);
    await requireApart(context, found.withdrawal);
    const begin = {
      attemptId: found.task.id,
      operatorId: operatorOf(context.actor).id,
      now: context.now,
    };
    return await taskStep(context, 'beginTransfer', found, 'sends it now', async (tx) => {
      if (await isSendingHeld(tx, `withdrawal:${orderNo}`))
        throw businessError('WRONG_STATE', NOT_IN_RECOVERY);
      if (!(await db.beginTransfer(tx, begin)))
        throw businessError('NOT_HELD', 'you have not claimed this payout');
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description:
      'Records that the bank has accepted the transfer: the withdrawal is COMPLETED. If no debit shows it and two people are required, the answer is the unchanged withdrawal with its `change`, for another treasurer.',
  })
  async completeTransfer(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('bankReference', { description: "The bank's number of it; once for each account." })
    bankReference: string,
    @Ctx() context: GraphContext,
    @Arg('proof', () => String, { nullable: true, description: 'Where the proof is kept.' })
    proof?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<WithdrawalView> {
    const reference = bankReference.trim();
    if (reference === '' || Array.from(reference).length > LIMITS.bankReference)
      throw invalidField(
        'bankReference',
        `must be 1-${LIMITS.bankReference} characters`,
        'OUT_OF_RANGE',
      );
    const complete = async (recordKey: RecordKey): Promise<CompletedWithdrawal> => {
      const found = await findTask(context, orderNo);
      await requireApart(context, found.withdrawal);
      const { withdrawal, task } = found;
      if (task.accountId === null) throw businessError('NOT_HELD', 'the transfer is not claimed');
      const { merchantId, amount, fee } = withdrawal;
      const { now } = context;
      const completion = {
        ...{ attemptId: task.id, operatorId: operatorOf(context.actor).id, now },
        ...{ bankReference: reference, proof: proof ?? null },
        paid: withdrawalPaid(merchantId, amount, fee, { bankAccountId: task.accountId }),
        callbackBody: withdrawalCallbackBody('COMPLETED', withdrawal, now, {
          bankReference: reference,
        }),
      };
      const { accountId } = task;
      const said = { bankReference: reference, proof: proof ?? null };
      const beneficiaryAccount = openBeneficiary(context.sealer, withdrawal);
      const money = { ...withdrawal, accountId, beneficiaryAccount };
      const named = { ...task, bankReference: reference };
      try {
        return await taskStep(context, 'completeTransfer', found, reference, async (tx) => {
          await recordKey(tx, withdrawal.id);
          await debits.lockReportedBalance(tx, accountId);
          const word = await wordOfBank(tx, context.sealer, money, named);
          // A debit entered by the person who paid is not evidence.
          const proven = word.said === 'PAID' && word.source !== actorName(context.actor);
          if (takesTwo(context) && !proven) throw new NoDebit();
          const warrant = warrantOf(context, 'completeTransfer');
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
      { mutation: 'completeTransfer', key, args: { orderNo, reference, proof: proof ?? null } },
      complete,
      async () => (await findTask(context, orderNo)).withdrawal,
    );
  }

  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description:
      'Releases a manual payout, so that others can claim it. Once it is being sent, only another person may, after checking that no money was sent.',
  })
  async releaseTransfer(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
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
        throw businessError(
          'NOT_HELD',
          'the payout is not claimed, or you are sending it yourself',
        );
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description:
      'Cancels a manual payout: the withdrawal is CANCELLED and its money available again. Not while it is being sent.',
  })
  async cancelTransfer(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
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
}
