import { dismissDuplicate } from '../../steps/postings/dismiss-duplicate';
import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Money } from '../../domain/money';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { PostingResult } from './operator-posting';
import { warrantOf } from '../authority/warrant';
import { creditLateMoney, creditTopUp, postInterest, writeOffMoney } from '../../steps/postings/waiting-money';

/** Describes an argument. */
export const TRANSFER_ID = 'The id of the bank transfer that brought the money, a UUID.';
const TRANSFER_OR_CHANNEL = `${TRANSFER_ID} Null: it is what a channel received late for orderNo.`;
const PART = 'How much of it; null: all that still waits.';

@Resolver()
export class WaitingMoneyResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to credit money that waits to a merchant, less its fee: it came late for a final order, or without one. Refused where its memo names a COMPLETED order, or the channel of an order reported this payment. Needs evidence; a second person approves. The order stays as it is.',
  })
  async creditLateMoney(
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('transferId', () => ID, { nullable: true, description: TRANSFER_OR_CHANNEL })
    transferId?: string | null,
    @Arg('orderNo', () => String, {
      nullable: true,
      description: 'The gateway number of the final deposit that it is for; null: it is for none.',
    })
    orderNo?: string | null,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Whose it is, where it is for no order.',
    })
    merchantId?: string | null,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await creditLateMoney(context, warrantOf(context, 'creditLateMoney'), {
      reason,
      evidence,
      transferId,
      orderNo,
      merchantId,
      part,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Proposes that money that waits is a merchant's top-up, which is credited without a fee. Needs evidence; a second person approves.",
  })
  async creditTopUp(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Arg('merchantId', () => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await creditTopUp(context, warrantOf(context, 'creditTopUp'), {
      transferId,
      merchantId,
      reason,
      evidence,
      part,
      key,
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to write off money that has waited for long and that nobody claims (`UNCLAIMED_AFTER_DAYS`). Needs evidence; a second person approves. Who claims it later gets it by `reversePosting`.',
  })
  async writeOffMoney(
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('transferId', () => ID, { nullable: true, description: TRANSFER_OR_CHANNEL })
    transferId?: string | null,
    @Arg('orderNo', () => String, {
      nullable: true,
      description: 'Without transferId: the gateway number of the deposit whose money a channel has.',
    })
    orderNo?: string | null,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await writeOffMoney(context, warrantOf(context, 'writeOffMoney'), {
      reason,
      evidence,
      transferId,
      orderNo,
      part,
      key,
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that an unmatched transfer is a second report of another one: it brought nothing, and its posting is taken back. Needs evidence; a second person approves.',
  })
  async dismissDuplicate(
    @Arg('transferId', () => ID, { description: 'The id of the second report, a UUID.' })
    transferId: string,
    @Arg('sameAs', () => ID, { description: 'The id of the transfer that it repeats, a UUID.' })
    sameAs: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await dismissDuplicate(context, warrantOf(context, 'dismissDuplicate'), {
      transferId,
      sameAs,
      reason,
      evidence,
      key,
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts money that waits as the bank's interest. One person up to the day's amount, else two with evidence.",
  })
  async postInterest(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await postInterest(context, warrantOf(context, 'postInterest'), {
      transferId,
      reason,
      evidence,
      key,
    });
  }
}
