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
import { uuidv7 } from 'uuidv7';
import { businessError, invalidField, notFound } from '../../domain/errors';
import type { ChannelRow } from '../../db/channels/channels';
import * as list from '../../db/health/outage-list';
import * as db from '../../db/health/outages';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { Channel } from '../channels/channel';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { listResolver } from '../list-resolver';
import { operatorAction } from '../../steps/operators/operator-action';
import { actorName } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description:
    'An outage of a bank or a channel, as an operator entered it: the bank’s accounts or the channel get no orders meanwhile.',
})
export class Outage {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The bank whose managed accounts are passed over; null: it is of a channel.',
  })
  bankCode!: string | null;

  @Field({ description: 'When it begins.' })
  beginsAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was expected to end; null: once somebody ends it.',
  })
  endsAt!: Date | null;

  @Field({ description: 'Why, in words.' })
  reason!: string;

  @Field({ description: 'When it was entered.' })
  enteredAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When somebody ended it; before it began, if it was taken back.',
  })
  endedAt!: Date | null;
}

@InputType({ description: 'An outage to enter: of a bank, or of a channel.' })
export class OutageInput {
  @Field(() => String, {
    nullable: true,
    description: 'The bank code of managed accounts; either this or `channelId`.',
  })
  bankCode?: string | null;

  @Field(() => ID, { nullable: true, description: 'A channel.' })
  channelId?: string | null;

  @Field(() => Date, { nullable: true, description: 'When it begins; now unless given.' })
  beginsAt?: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'When it is over; unless given, once somebody ends it.',
  })
  endsAt?: Date | null;
}

@InputType({ description: 'Which outages to show.' })
export class OutageFilter implements list.OutageFilter {
  @Field(() => [String], { nullable: true, description: 'Of one of these banks.' })
  bankCode?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Of one of these channels.' })
  channelId?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: not over yet, in force or to come. False: over.',
  })
  open?: boolean | null;
}

export const OutageListResolver = listResolver('outages', {
  description: 'Outages of banks and channels, the newest first.',
  connection: connectionOf(Outage, 'Outage'),
  sort: sortEnum('OutageSort', { BEGINS_AT: 'By when they begin' }),
  defaultSort: 'BEGINS_AT_DESC',
  filter: OutageFilter,
  sorts: list.OUTAGE_SORTS,
  id: BY_ID,
  read: list.listOutages,
  count: list.countOutages,
});

/** The bank or channel of an outage. @throws INVALID_FIELD, NOT_FOUND */
async function subjectOf(
  { database, loaders }: GraphContext,
  { bankCode, channelId }: OutageInput,
): Promise<Pick<db.OutageRow, 'bankCode' | 'channelId'>> {
  if (Boolean(bankCode) === Boolean(channelId)) throw invalidField('bankCode', 'name either a bank or a channel');
  if (channelId) {
    if (!(await loaders.channels.load(channelId))) throw notFound('channel');
    return { bankCode: null, channelId };
  }
  if (!(await db.hasAccountAt(database, bankCode ?? '')))
    throw invalidField('bankCode', 'no managed account is at this bank', 'UNKNOWN_VALUE');
  return { bankCode: bankCode ?? null, channelId: null };
}

/** An outage with its beginning and end. @throws INVALID_FIELD */
function timesOf({ beginsAt, endsAt }: OutageInput, now: Date): Pick<db.OutageRow, 'beginsAt' | 'endsAt'> {
  const begins = beginsAt ?? now;
  if (endsAt && (endsAt <= begins || endsAt <= now))
    throw invalidField('endsAt', 'must be after it begins, and to come', 'OUT_OF_RANGE');
  return { beginsAt: begins, endsAt: endsAt ?? null };
}

@Resolver(() => Outage)
export class OutageResolver {
  @Authorized('CONFIGURE', 'TREASURER')
  @Mutation(() => Outage, {
    description:
      'Enters an outage of a bank or a channel: its accounts, or the channel, get no orders meanwhile. One person may.',
  })
  async enterOutage(
    @Arg('input', { description: 'What is out, and from when to when.' }) input: OutageInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.OutageRow> {
    const { actor, now } = context;
    const outage = {
      id: uuidv7(),
      ...(await subjectOf(context, input)),
      ...timesOf(input, now),
      reason,
      enteredBy: actorName(actor),
      enteredAt: now,
    };
    const { bankCode, channelId, beginsAt, endsAt } = outage;
    const action = { action: 'enterOutage', subject: `outage:${outage.id}`, reason };
    const detail = {
      bankCode,
      channelId,
      beginsAt: beginsAt.toISOString(),
      endsAt: endsAt?.toISOString() ?? null,
    };
    await operatorAction(context, { ...action, detail }, async (tx) => {
      await db.enterOutage(tx, outage);
    });
    return { ...outage, endedBy: null, endedAt: null };
  }

  @Authorized('CONFIGURE', 'TREASURER')
  @Mutation(() => Outage, {
    description: 'Ends an outage, or takes one back that has not begun. One person may.',
  })
  async endOutage(
    @Arg('id', () => ID, { description: 'The id of the outage.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.OutageRow> {
    const { actor, database, now } = context;
    const action = { action: 'endOutage', subject: `outage:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      if (await db.endOutage(tx, id, actorName(actor), now)) return;
      const [known] = await db.findOutages(database, [id]);
      throw known ? businessError('WRONG_STATE', 'the outage is over') : notFound('outage');
    });
    const [outage] = await db.findOutages(database, [id]);
    if (!outage) throw notFound('outage');
    return outage;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Channel, { nullable: true, description: 'Its channel.' })
  async channel(
    @Root() { channelId }: db.OutageRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ChannelRow | undefined> {
    return channelId === null ? undefined : await loaders.channels.load(channelId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Boolean, { description: 'Whether it is in force now.' })
  inForce(@Root() { beginsAt, endsAt, endedAt }: db.OutageRow, @Ctx() { now }: GraphContext) {
    return beginsAt <= now && (endsAt === null || endsAt > now) && endedAt === null;
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who entered it.' })
  enteredBy(@Root() { enteredBy }: db.OutageRow): ActorInfo {
    return actorInfoOf(enteredBy);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { nullable: true, description: 'Who ended it.' })
  endedBy(@Root() { endedBy }: db.OutageRow): ActorInfo | null {
    return endedBy === null ? null : actorInfoOf(endedBy);
  }
}
