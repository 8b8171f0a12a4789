import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { withdrawalCallbackBody } from '../../domain/callback';
import { businessError, invalidField } from '../../domain/errors';
import { openBeneficiary } from '../../crypto/personal';
import { withdrawalPaid } from '../../domain/ledger';
import { LIMITS } from '../../domain/limits';
import * as debits from '../../db/transfers/bank-debits';
import { isSendingHeld } from '../../db/platform/recoveries';
import * as db from '../../db/payouts/transfer-tasks';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import { type GraphContext } from '../context';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../../steps/idempotent';
import { warrantOf } from '../authority/warrant';
import { takeDebit, wordOfBank } from '../../steps/payouts/take-debit';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { REASON } from '../descriptions';
import { actorName, operatorOf } from '../../steps/access/caller';
import { takesTwo } from '../../steps/authority/row';
import {
  cancelTransfer,
  CLAIM_REFUSED,
  type CompletedWithdrawal,
  findTask,
  NoDebit,
  NOT_IN_RECOVERY,
  proposeCompletion,
  releaseTransfer,
  requireApart,
  taskStep,
} from '../../steps/payouts/transfer-task';

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
    return await releaseTransfer(context, { orderNo, reason });
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
    return await cancelTransfer(context, { orderNo, reason });
  }
}
