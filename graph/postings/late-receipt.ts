import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Money } from '../../domain/money';
import type { DepositView } from '../../db/deposits/deposits';
import * as db from '../../db/deposits/late-receipts';
import { EvidenceInput } from '../changes/change-request';
import { AmountRange, BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { DecimalScalar } from '../scalars';
import { PostingResult } from './operator-posting';
import { warrantOf } from '../authority/warrant';
import { returnLateMoney } from '../../steps/postings/late-money';

const ORDER_NO = 'The gateway number of the final deposit whose money a channel has.';
const PART = 'How much of it; null: all that still waits.';

@ObjectType({
  simpleResolvers: true,
  description:
    'Money that a channel received for an order that had ended without it: it waits for `creditLateMoney`, `returnLateMoney` or `writeOffMoney`.',
})
export class LateReceipt {
  @Field(() => ID, {
    description: 'A UUID: of the try at the channel, as `depositAttemptId` of a posting names it.',
  })
  id!: string;

  @Field({ description: 'The gateway number of the deposit that it was for.' })
  orderNo!: string;

  @Field(() => ID, { description: 'The merchant of that deposit.' })
  merchantId!: string;

  @Field(() => ID, { description: 'The channel that has the money.' })
  channelId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'What the channel received.' })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'What the channel charged for it.' })
  cost!: Money;

  @Field(() => DecimalScalar, { description: 'The part that still waits.' })
  rest!: Money;

  @Field({ description: 'When it was posted.' })
  at!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When all of it had ended; null while some of it waits.',
  })
  endedAt!: Date | null;
}

@InputType({ description: 'Filter of late money. All given conditions must hold.' })
export class LateReceiptFilter implements db.LateReceiptFilter {
  @Field(() => [ID], { nullable: true, description: 'For deposits of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'At one of these channels.' })
  channelId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => AmountRange, {
    nullable: true,
    description: 'What the channel received; both ends belong to the range.',
  })
  amount?: AmountRange | null;

  @Field(() => TimeRange, { nullable: true, description: 'When it was posted.' })
  at?: TimeRange | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: of which some still waits. False: of which nothing does.',
  })
  waits?: boolean | null;
}

export const LateReceiptListResolver = listResolver('lateReceipts', {
  description: 'What channels received for deposits that had ended, the newest first.',
  connection: connectionOf(LateReceipt, 'LateReceipt'),
  sort: sortEnum('LateReceiptSort', { AT: 'By when it was posted' }),
  defaultSort: 'AT_DESC',
  filter: LateReceiptFilter,
  sorts: db.LATE_RECEIPT_SORTS,
  id: BY_ID,
  read: db.listLateReceipts,
  count: db.countLateReceipts,
  narrow: toOwnMerchants,
});

@Resolver(() => LateReceipt)
export class LateReceiptChannelResolver {
  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'What operators call the channel.' })
  async channelName(
    @Root() { channelId }: db.LateReceiptRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | undefined> {
    return (await loaders.channels.load(channelId))?.name;
  }
}

@Resolver(() => DepositOrder)
export class LateReceiptResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [LateReceipt], {
    description: 'What channels received for it after it had ended; usually nothing.',
  })
  async lateReceipts(
    @Root() { id }: DepositView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.LateReceiptRow[]> {
    return await loaders.lateReceiptsOfDeposit.load(id);
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a channel gave its payer back what it had received for a final deposit. Needs evidence; a second person approves.',
  })
  async returnLateMoney(
    @Arg('orderNo', { description: ORDER_NO }) orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await returnLateMoney(context, warrantOf(context, 'returnLateMoney'), {
      orderNo,
      reason,
      evidence,
      part,
      key,
    });
  }
}
