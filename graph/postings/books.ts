import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Money } from '../../domain/money';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { PostingResult } from './operator-posting';
import { warrantOf } from '../authority/warrant';
import {
  correctBook,
  openBook,
  postChannelCharge,
  settleChannelClaim,
  writeOffChannelClaim,
} from '../../steps/postings/books';

@Resolver()
export class BooksResolver {
  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes what an account or channel held when its book began. Once a book and currency. Needs evidence; a second person approves.',
  })
  async openBook(
    @Arg('amount', () => DecimalScalar, { description: 'What it held; negative: what it owed.' })
    amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('accountId', () => ID, { nullable: true, description: 'The managed account.' })
    accountId?: string | null,
    @Arg('channelId', () => ID, { nullable: true, description: 'The channel instead.' })
    channelId?: string | null,
    @Arg('currencyCode', () => String, { nullable: true, description: 'ISO 4217; of a channel.' })
    currency?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await openBook(context, warrantOf(context, 'openBook'), {
      amount,
      reason,
      evidence,
      accountId,
      channelId,
      currency,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to correct the book of an account or channel to its statement, where nothing else explains the difference. Needs evidence; a second person approves.',
  })
  async correctBook(
    @Arg('amount', () => DecimalScalar, {
      description: 'How much more it holds than the book shows; negative: less.',
    })
    amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('accountId', () => ID, { nullable: true, description: 'The managed account.' })
    accountId?: string | null,
    @Arg('channelId', () => ID, { nullable: true, description: 'The channel instead.' })
    channelId?: string | null,
    @Arg('currencyCode', () => String, { nullable: true, description: 'ISO 4217; of a channel.' })
    currency?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await correctBook(context, warrantOf(context, 'correctBook'), {
      amount,
      reason,
      evidence,
      accountId,
      channelId,
      currency,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Proposes what a channel charged beside its payouts and deposits, such as a month's fee. Needs evidence; a second person approves.",
  })
  async postChannelCharge(
    @Arg('channelId', () => ID, { description: 'The id of the channel, a UUID.' })
    channelId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currency: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await postChannelCharge(context, warrantOf(context, 'postChannelCharge'), {
      channelId,
      currency,
      amount,
      reason,
      evidence,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a channel gave back what it had paid too much: at the channel, or by a bank transfer. Needs evidence; a second person approves.',
  })
  async settleChannelClaim(
    @Arg('channelId', () => ID, { description: 'The id of the channel, a UUID.' })
    channelId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currency: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('transferId', () => ID, {
      nullable: true,
      description: 'The bank transfer that brought it; null: it is at the channel.',
    })
    transferId?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await settleChannelClaim(context, warrantOf(context, 'settleChannelClaim'), {
      channelId,
      currency,
      amount,
      reason,
      evidence,
      transferId,
      key,
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description: 'Proposes to give up what a channel owes: it becomes loss. Needs evidence; a second person approves.',
  })
  async writeOffChannelClaim(
    @Arg('channelId', () => ID, { description: 'The id of the channel, a UUID.' })
    channelId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currency: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await writeOffChannelClaim(context, warrantOf(context, 'writeOffChannelClaim'), {
      channelId,
      currency,
      amount,
      reason,
      evidence,
      key,
    });
  }
}
