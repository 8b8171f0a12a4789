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
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import {
  CLOSE_STATUSES,
  type CloseStatus,
  differenceOf,
  OUTSIDE_SOURCES,
  type OutsideSource,
} from '../../domain/day-close';
import { businessError, notFound } from '../../domain/errors';
import type { Money } from '../../domain/money';
import type { Day } from '../../domain/zone';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import * as list from '../../db/closes/close-list';
import * as db from '../../db/closes/closes';
import type { OperatorRow } from '../../db/operators/operators';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { BankAccount } from '../accounts/bank-account';
import { warrantOf } from '../authority/warrant';
import { Channel } from '../channels/channel';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { listResolver } from '../list-resolver';
import { Operator } from '../operators/operator';
import { DecimalScalar, enumOf } from '../scalars';
import { operatorOf } from '../../steps/access/caller';
import { closeDay, endCloseItem, findOrRefuse } from '../../steps/closes/day-close';

export const DayCloseStatus = enumOf(CLOSE_STATUSES);
registerEnumType(DayCloseStatus, {
  name: 'DayCloseStatus',
  description: 'Whether a day still takes postings.',
  valuesConfig: {
    PROPOSED: { description: 'The day has ended; its figures follow what is posted for it.' },
    CLOSED: { description: 'Nothing more is posted for it.' },
  },
});
export const OutsideSourceEnum = enumOf(OUTSIDE_SOURCES);
registerEnumType(OutsideSourceEnum, {
  name: 'OutsideSource',
  description: 'The source of the figure with which a day is compared.',
  valuesConfig: {
    STATEMENT: { description: 'The closing balance of an imported statement.' },
    AGENT: { description: 'The last balance of the day that an agent reported.' },
    CHANNEL: { description: 'The balance that the channel reported around the end of the day.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'The difference of a closed day, until an operator explains it.',
})
export class CloseItem {
  @Field(() => ID, { description: 'A UUID, as `takeCloseItem` and `endCloseItem` take it.' })
  id!: string;

  @Field(() => DecimalScalar, { description: 'The outside figure less ours.' })
  amount!: Money;

  @Field({ description: 'Since when it is open.' })
  openedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was explained.' })
  endedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'What the difference was.' })
  note!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A day of an account or a channel in one currency: our books beside the bank’s or the channel’s own figure. What we have there is positive.',
})
export class DayClose {
  @Field(() => ID, { description: 'A UUID, the argument of `closeDay`.' })
  id!: string;

  @Field(() => ID, { nullable: true, description: 'The managed account; null of a channel.' })
  accountId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The channel; null of an account.' })
  channelId!: string | null;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => String, { description: 'In its time zone, YYYY-MM-DD.' })
  day!: Day;

  @Field({ description: 'The time zone of the day.' })
  timeZone!: string;

  @Field(() => DecimalScalar, { description: 'The balance by our books at its beginning.' })
  opening!: Money;

  @Field(() => DecimalScalar, { description: 'What came on it.' })
  credits!: Money;

  @Field(() => DecimalScalar, { description: 'What left on it.' })
  debits!: Money;

  @Field(() => DecimalScalar, { description: 'opening + credits − debits.' })
  closing!: Money;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The bank’s or the channel’s own figure at its end; null where there is none.',
  })
  outside!: Money | null;

  @Field(() => OutsideSourceEnum, { nullable: true, description: 'The source of that figure.' })
  outsideSource!: OutsideSource | null;

  @Field(() => Date, { nullable: true, description: 'When that was reported.' })
  outsideAt!: Date | null;

  @Field(() => DayCloseStatus, { description: 'Whether it still takes postings.' })
  status!: CloseStatus;

  @Field({ description: 'When it was proposed.' })
  proposedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was closed.' })
  closedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'The reason, as entered by the operator who closed it.',
  })
  reason!: string | null;
}

@InputType({ description: 'Filter of days. All given conditions must hold.' })
export class DayCloseFilter implements list.CloseFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these bank accounts.' })
  accountId?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these channels.' })
  channelId?: string[] | null;

  @Field(() => [DayCloseStatus], { nullable: true, description: 'In one of these.' })
  status?: CloseStatus[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: closed days with an unexplained difference.',
  })
  openItem?: boolean | null;
}

export const DayCloseListResolver = listResolver('dayCloses', {
  description: 'Days of accounts and channels, the newest first.',
  connection: connectionOf(DayClose, 'DayClose'),
  sort: sortEnum('DayCloseSort', {
    DAY: 'By the day',
  }),
  defaultSort: 'DAY_DESC',
  filter: DayCloseFilter,
  sorts: list.CLOSE_SORTS,
  id: BY_ID,
  read: list.listCloses,
  count: list.countCloses,
});

@Resolver(() => DayClose)
export class DayCloseResolver {
  @Authorized('VIEW')
  @Query(() => DayClose, {
    nullable: true,
    description: 'One day, updated while it is proposed.',
  })
  async dayClose(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.CloseRow | undefined> {
    await db.refreshClose(database.sql, id);
    return await db.findClose(database.sql, id);
  }

  @Authorized('TREASURER')
  @Mutation(() => DayClose, {
    description:
      'Closes a day of an account or a channel: nothing more is posted for it, and a difference becomes an item of the operator who closed it.',
  })
  async closeDay(
    @Arg('id', () => ID, { description: 'The id of the proposed day.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.CloseRow> {
    return await closeDay(context, warrantOf(context, 'closeDay'), { id, reason });
  }

  @Authorized('TREASURER', 'RECONCILE')
  @Mutation(() => DayClose, { description: 'Assigns a difference of a closed day to the caller.' })
  async takeCloseItem(
    @Arg('id', () => ID, { description: 'The id of the item.' }) id: string,
    @Ctx() context: GraphContext,
  ): Promise<db.CloseRow> {
    const { id: ownerId } = operatorOf(context.actor);
    const closeId = await context.database.transaction(async (tx) => {
      const item = await db.lockItem(tx, id);
      if (!item) throw notFound('item');
      if (item.endedAt) throw businessError('WRONG_STATE', 'the difference is explained');
      await db.ownItem(tx, id, ownerId);
      return item.closeId;
    });
    return await findOrRefuse(context, closeId);
  }

  @Authorized('TREASURER')
  @Mutation(() => DayClose, {
    description: 'Explains the difference of a closed day. It moves no money: a correction is posted for a later day.',
  })
  async endCloseItem(
    @Arg('id', () => ID, { description: 'The id of the item.' }) id: string,
    @Arg('note', { description: 'What the difference was, and how it was resolved.' }) note: string,
    @Ctx() context: GraphContext,
  ): Promise<db.CloseRow> {
    return await endCloseItem(context, warrantOf(context, 'endCloseItem'), { id, note });
  }

  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, {
    description: 'The outside figure less ours; zero without an outside figure.',
  })
  difference(@Root() close: db.CloseRow): Money {
    return differenceOf(close, close.outside);
  }

  @Authorized('VIEW')
  @FieldResolver(() => CloseItem, { nullable: true, description: 'The item of its difference.' })
  async item(@Root() { id }: db.CloseRow, @Ctx() { loaders }: GraphContext): Promise<db.CloseItemRow | undefined> {
    return (await loaders.closeItems.load(id))[0];
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, { nullable: true, description: 'Its account.' })
  async account(
    @Root() { accountId }: db.CloseRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return accountId === null ? undefined : await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Channel, { nullable: true, description: 'Its channel.' })
  async channel(@Root() { channelId }: db.CloseRow, @Ctx() { loaders }: GraphContext): Promise<ChannelRow | undefined> {
    return channelId === null ? undefined : await loaders.channels.load(channelId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { nullable: true, description: 'The operator who closed it.' })
  closedBy(@Root() { closedBy }: db.CloseRow): ActorInfo | null {
    return closedBy === null ? null : actorInfoOf(closedBy);
  }
}

@Resolver(() => CloseItem)
export class CloseItemResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Operator, {
    nullable: true,
    description: 'The operator to whom it is assigned.',
  })
  async owner(
    @Root() { ownerId }: db.CloseItemRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return ownerId === null ? undefined : await loaders.operators.load(ownerId);
  }
}
