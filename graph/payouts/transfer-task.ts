import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import { type GraphContext } from '../context';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { warrantOf } from '../authority/warrant';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { REASON } from '../descriptions';
import { completeTransfer } from '../../steps/payouts/complete-transfer';
import { beginTransfer, cancelTransfer, claimTransfer, releaseTransfer } from '../../steps/payouts/transfer-task';

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
    const warrant = warrantOf(context, 'claimTransfer');
    return await claimTransfer(context, warrant, { orderNo, accountId });
  }

  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description: 'Marks that you send the money now. From then on only another person can release the task.',
  })
  async beginTransfer(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Ctx() context: GraphContext,
  ): Promise<WithdrawalView> {
    return await beginTransfer(context, warrantOf(context, 'beginTransfer'), orderNo);
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
    return await completeTransfer(context, warrantOf(context, 'completeTransfer'), {
      orderNo,
      bankReference,
      proof: proof ?? null,
      key,
    });
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
    const warrant = warrantOf(context, 'releaseTransfer');
    return await releaseTransfer(context, warrant, { orderNo, reason });
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
    const warrant = warrantOf(context, 'cancelTransfer');
    return await cancelTransfer(context, warrant, { orderNo, reason });
  }
}
