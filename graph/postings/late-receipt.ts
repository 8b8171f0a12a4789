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
import type { Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import * as db from '../../db/deposits/late-receipts';
import { EvidenceInput } from '../changes/change-request';
import { AmountRange, BY_ID, connectionOf, sortEnum, TimeRange } from '../connection';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { DecimalScalar } from '../scalars';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { PostingResult } from './operator-posting';
import { plainPosting, post, type PostingRequest } from '../../steps/postings/post';
import { requireReach } from '../../steps/access/caller';
import { warrantOf } from '../authority/warrant';

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

/** The late money of an order, and how much of it to use. */
export interface LateMoney {
  readonly deposit: DepositView;
  readonly receipt: db.LateReceiptRow;
  readonly amount: Money;
  /** Its name in summaries. */
  readonly name: string;
}

/** The waiting late money of an order. @throws NOT_FOUND, BUSINESS_ERROR if less waits */
export async function lateMoney(
  context: GraphContext,
  orderNo: string,
  part: Money | null,
): Promise<LateMoney> {
  const deposit = await findDeposit(context.database, { orderNo });
  if (!deposit) throw notFound('deposit');
  requireReach(context.actor, deposit.merchantId, 'deposit');
  const receipts = await db.findLateReceipts(context.database, [deposit.id]);
  const receipt = receipts.find(({ rest }) => rest.gt(0));
  if (!receipt) throw businessError('WRONG_STATE', 'no late money of this deposit waits');
  const { currencyCode } = deposit;
  const amount = checkedAmount(part ?? receipt.rest, currencyCode);
  if (amount.gt(receipt.rest))
    throw businessError(
      'AMOUNT',
      `only ${formatMoney(receipt.rest)} ${currencyCode} of it still waits`,
    );
  return { deposit, receipt, amount, name: `${formatMoney(amount)} ${currencyCode}` };
}

/** What an approver is shown about it. */
export async function lateShown(
  { loaders }: GraphContext,
  { deposit, receipt }: LateMoney,
): Promise<Settings> {
  const channel = await loaders.channels.load(receipt.channelId);
  return {
    ...{ received: formatMoney(receipt.amount), at: receipt.at.toISOString() },
    ...{ channel: channel?.channelCode ?? null, orderNo: deposit.orderNo, status: deposit.status },
  };
}

/** The common part of all requests about it. */
export const aboutLate = ({
  deposit,
  amount,
}: LateMoney): Pick<PostingRequest, 'subject' | 'currencyCode' | 'amount' | 'enteredBy'> => ({
  subject: { kind: 'deposit', id: deposit.id, name: deposit.orderNo },
  ...{ currencyCode: deposit.currencyCode, amount, enteredBy: [] },
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
    const args = { orderNo, part: part?.toFixed(), reason };
    return await post(context, warrantOf(context, 'returnLateMoney'), key, args, async () => {
      const late = await lateMoney(context, orderNo, part ?? null);
      const { currencyCode, merchantId } = late.deposit;
      const { id: depositAttemptId, channelId } = late.receipt;
      return {
        ...aboutLate(late),
        ...{ kind: 'RETURN_LATE_MONEY', merchantId, findings: null, reason, evidence },
        summary: `The channel gave ${late.name} of ${orderNo} back`,
        shown: await lateShown(context, late),
        postings: [
          plainPosting('LATE_RETURNED', currencyCode, late.amount, { depositAttemptId, channelId }),
        ],
      };
    });
  }
}
