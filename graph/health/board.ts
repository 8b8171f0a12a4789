import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Int,
  Mutation,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { notFound } from '../../domain/errors';
import { PASSED_OVER, type PassedOver, successPercent, WAITING_KINDS, type WaitingKind } from '../../domain/health';
import type { Money } from '../../domain/money';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import * as db from '../../db/health/board';
import { BankAccount } from '../accounts/bank-account';
import { warrantOf } from '../authority/warrant';
import { Channel } from '../channels/channel';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { MOVED_AT_ONCE, moveWaiting } from '../../steps/channels/move-waiting';
import { DecimalScalar, enumOf } from '../scalars';

export const PassedOverEnum = enumOf(PASSED_OVER);
registerEnumType(PassedOverEnum, {
  name: 'PassedOver',
  description: 'Why an account or a channel gets no orders.',
  valuesConfig: {
    OUTAGE: { description: 'A person entered an outage.' },
    AGENT_SILENT: { description: 'Of an account: its agents send no heartbeat.' },
    UNHEALTHY: { description: 'Of a channel: its orders failed; one at a time is tried.' },
    DOWN: { description: 'Of a channel: its health check fails.' },
  },
});

export const WaitingKindEnum = enumOf(WAITING_KINDS);
registerEnumType(WaitingKindEnum, {
  name: 'WaitingKind',
  description: 'What waits at a channel.',
  valuesConfig: {
    PAYOUT_UNSENT: { description: 'Payouts that it was never asked for: they can be moved.' },
    PAYOUT_SENT: { description: 'Payouts that it may have paid or may pay: nobody moves them.' },
    DEPOSIT_UNSENT: { description: 'Deposits that it was never asked for: they can be moved.' },
    DEPOSIT_SENT: { description: 'Deposits that it was asked to open, without an answer.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'Why an account or a channel gets no orders.' })
export class Standing {
  @Field(() => PassedOverEnum, { description: 'What keeps orders from it.' })
  refusal!: PassedOver;

  @Field(() => Date, { nullable: true, description: 'Since when.' })
  since!: Date | null;

  @Field(() => String, { nullable: true, description: 'In words.' })
  reason!: string | null;

  @Field(() => ID, { nullable: true, description: 'The outage, of OUTAGE.' })
  outageId!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The results of a channel’s orders in the window of its breaker, and since it last closed.',
})
export class ChannelOrders {
  @Field(() => Int, { description: 'It took or paid so many.' })
  succeeded!: number;

  @Field(() => Int, { description: 'It refused, failed or did not clearly answer so many.' })
  failed!: number;

  @Field(() => Int, { description: 'So many of these are the newest, one after another.' })
  failedInRow!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'The share that succeeded, percent with one decimal; null where there was none.',
  })
  successPercent!: number | null;

  @Field(() => String, { nullable: true, description: 'The reason of the newest failure.' })
  lastError!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Orders of one kind and currency that wait at a channel.',
})
export class WaitingOrders {
  @Field(() => WaitingKindEnum, { description: 'Which orders.' })
  kind!: WaitingKind;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: 'How many.' })
  count!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  amount!: Money;

  @Field({ description: 'Since when the oldest waits.' })
  oldestAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'What was moved from a channel.' })
export class MovedOrders {
  @Field(() => Int, { description: 'So many payouts look for another channel.' })
  payouts!: number;

  @Field(() => Int, { description: 'So many deposits do.' })
  deposits!: number;
}

@Resolver(() => BankAccount)
export class AccountHealthResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Standing, {
    nullable: true,
    description: 'Why it gets no deposits although it is active; null: nothing is known.',
  })
  async passedOver(@Root() { id }: BankAccountRow, @Ctx() { loaders }: GraphContext): Promise<db.Standing | undefined> {
    return await loaders.accountStandings.load(id);
  }
}

@Resolver(() => Channel)
export class ChannelHealthResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Standing, {
    nullable: true,
    description: 'Why it gets no orders although it is enabled; null: nothing is known.',
  })
  async passedOver(@Root() { id }: ChannelRow, @Ctx() { loaders }: GraphContext): Promise<db.Standing | undefined> {
    return await loaders.channelStandings.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ChannelOrders, { description: 'The results of its recent orders.' })
  async orders(@Root() { id }: ChannelRow, @Ctx() { loaders }: GraphContext): Promise<ChannelOrders> {
    const record = await loaders.channelRecords.load(id);
    if (!record) throw notFound('channel');
    const percent = successPercent(record);
    return { ...record, successPercent: percent === null ? null : Math.round(percent * 10) / 10 };
  }

  @Authorized('VIEW')
  @FieldResolver(() => [WaitingOrders], {
    description: 'Orders that it got and has neither accepted nor refused.',
  })
  async waiting(@Root() { id }: ChannelRow, @Ctx() { loaders }: GraphContext): Promise<readonly db.WaitingOrders[]> {
    return await loaders.channelWaiting.load(id);
  }

  @Authorized('TREASURER')
  @Mutation(() => MovedOrders, {
    description: `Takes back orders from a channel that gets none now, and gives them to the next one: only those that were never sent to it, at most ${MOVED_AT_ONCE} of each kind.`,
  })
  async moveWaiting(
    @Arg('channelId', () => ID, { description: 'A channel that is disabled or passed over.' })
    channelId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<MovedOrders> {
    const warrant = warrantOf(context, 'moveWaiting');
    return await moveWaiting(context, warrant, { channelId, reason });
  }
}
