import {
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Money } from '../../domain/money';
import { PAYOUT_ATTEMPT_STATUSES, type PayoutAttemptStatus } from '../../domain/payout';
import type { PayoutMethod } from '../../domain/withdrawal';
import type { OperatorRow } from '../../db/operators/operators';
import type { PayoutAttemptRow } from '../../db/payouts/payouts';
import type { GraphContext } from '../context';
import { Operator } from '../operators/operator';
import { DecimalScalar, enumOf } from '../scalars';
import { PayoutMethodEnum, WithdrawalOrder } from '../withdrawals/withdrawal';

const PayoutAttemptStatusEnum = enumOf(PAYOUT_ATTEMPT_STATUSES);
registerEnumType(PayoutAttemptStatusEnum, {
  name: 'PayoutAttemptStatus',
  description: 'The status of a payout attempt.',
  valuesConfig: {
    PREPARED: { description: 'By a channel: not sent yet.' },
    SENT: {
      description: 'By a channel: sent, or about to be; the channel is queried for its outcome.',
    },
    UNKNOWN: { description: 'By a channel: sent, without a clear answer.' },
    SUCCEEDED: { description: 'By a channel: paid. Final.' },
    REFUSED: { description: 'By a channel: not paid, and never will be. Final.' },
    FAILED: { description: 'By a channel: failed, confirmed after its delay. Final.' },
    OPEN: { description: 'By a person: the transfer is not claimed.' },
    CLAIMED: { description: 'By a person: claimed.' },
    SENDING: { description: 'By a person: being paid now; only a second person releases it.' },
    COMPLETED: { description: 'By a person: paid. Final.' },
    CANCELLED: { description: 'By a person: not paid, and will not be. Final.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'A payout attempt of a withdrawal. At most one of a withdrawal is open, unknown or paid at any time.',
})
export class PayoutAttempt {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => Int, { description: '1, 2, 3 … of its withdrawal.' })
  number!: number;

  @Field(() => PayoutMethodEnum, { description: 'By a channel, or by a person at a bank.' })
  method!: PayoutMethod;

  @Field(() => PayoutAttemptStatusEnum, { description: 'The status of the attempt.' })
  status!: PayoutAttemptStatus;

  @Field({ description: 'The reference by which the channel or the bank knows it.' })
  reference!: string;

  @Field(() => ID, { nullable: true, description: 'Of an attempt by a channel.' })
  channelId!: string | null;

  @Field(() => String, { nullable: true, description: "The channel's number of it." })
  channelOrderNo!: string | null;

  @Field(() => ID, { nullable: true, description: 'The managed account that pays.' })
  accountId!: string | null;

  @Field(() => String, { nullable: true, description: "The bank's number of the transfer." })
  bankReference!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'What the channel charged.' })
  cost!: Money | null;

  @Field(() => String, { nullable: true, description: 'The last failure, in words.' })
  lastError!: string | null;

  @Field(() => Date, { nullable: true, description: 'Of a manual payout: when it was claimed.' })
  claimedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Of a manual payout: since when the money is being sent.',
  })
  sendingAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of a manual payout: a reference to its proof.',
  })
  proof!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it was about to be sent.' })
  sentAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the channel last confirmed that it has it.',
  })
  answeredAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When the channel first reported a failure that may not be final yet.',
  })
  failureReportedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'When the channel is queried next whether a final failure stands: it may have paid without a report. Null: no more.',
  })
  recheckAt!: Date | null;

  @Field({ description: 'When the attempt began.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When its outcome was known; null before.' })
  finishedAt!: Date | null;
}

@Resolver(() => WithdrawalOrder)
export class PayoutAttemptResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [PayoutAttempt], { description: 'Every payout attempt, in order.' })
  async payoutAttempts(
    @Root() { id }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly PayoutAttemptRow[]> {
    return await loaders.payoutAttempts.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => PayoutAttempt, {
    nullable: true,
    description: 'Its manual payout, the newest attempt; null without one.',
  })
  async transferTask(
    @Root() { id }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<PayoutAttemptRow | null> {
    const newest = (await loaders.payoutAttempts.load(id)).at(-1);
    return newest?.method === 'MANUAL' ? newest : null;
  }
}

@Resolver(() => PayoutAttempt)
export class PayoutPartiesResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Operator, {
    nullable: true,
    description: 'Of a manual payout: the operator who holds it.',
  })
  async holder(
    @Root() { claimedBy }: PayoutAttemptRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return claimedBy === null ? undefined : await loaders.operators.load(claimedBy);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: "Of an attempt by a channel: the channel's name.",
  })
  async channelName(
    @Root() { channelId }: PayoutAttemptRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | undefined> {
    return channelId === null ? undefined : (await loaders.channels.load(channelId))?.name;
  }
}
