import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Money } from '../../domain/money';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { PostingResult } from './operator-posting';
import { post } from '../../steps/postings/post';
import { DEBIT_ID, PART } from '../../steps/postings/left-money';
import { ownTransfer, OwnTransferInput } from './own-transfer';
import { warrantOf } from '../authority/warrant';
import { postBankCharge, takeProfit } from '../../steps/postings/own-money';

@Resolver()
export class OwnMoneyResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts a bank debit, or what of it nothing else explains, as the bank's charge. One person up to the day's amount, else two with evidence.",
  })
  async postBankCharge(
    @Arg('debitId', () => ID, { description: DEBIT_ID }) debitId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await postBankCharge(context, warrantOf(context, 'postBankCharge'), {
      debitId,
      reason,
      part,
      evidence,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a bank debit took out what was earned; never more than that. Needs evidence; a second person approves.',
  })
  async takeProfit(
    @Arg('debitId', () => ID, { description: DEBIT_ID }) debitId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await takeProfit(context, warrantOf(context, 'takeProfit'), {
      debitId,
      reason,
      evidence,
      part,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts a transfer between our own accounts and channels: what left, what arrived, or both. Where a bank's debit and a bank's credit show the same amount, one person up to the day's amount; else two with evidence, as where a channel is funded or settles.",
  })
  async moveOwnMoney(
    @Arg('input', () => OwnTransferInput, { description: 'What left, and what arrived.' })
    input: OwnTransferInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const { debitId, fromChannelId, transferId, toChannelId, pairId, currencyCode } = input;
    const legs = { debitId, fromChannelId, transferId, toChannelId, pairId, currencyCode };
    const args = { ...legs, amount: input.amount?.toFixed(), reason };
    return await post(
      context,
      warrantOf(context, 'moveOwnMoney'),
      key,
      args,
      async () => await ownTransfer(context, input, reason, evidence ?? null),
    );
  }
}
