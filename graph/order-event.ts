import { GraphQLJSON } from 'graphql-scalars';
import {
  Ctx,
  Arg,
  Field,
  ID,
  ObjectType,
  Resolver,
  Root,
  Subscription,
  Authorized,
} from 'type-graphql';
import type { JSONValue } from 'postgres';
import { notFound } from '../domain/errors';
import { findDeposit } from '../db/deposits';
import type { OrderEventRow } from '../db/events';
import { type GraphContext } from './context';
import { requireLiveSession } from './credentials';
import { refuse } from './errors';
import { SequenceScalar } from './scalars';

@ObjectType({ simpleResolvers: true, description: 'Something that happened to an order.' })
export class OrderEvent {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  orderId!: string;

  @Field({
    description: 'Such as created, matched, completed, expired, cancelled, callback_delivered.',
  })
  type!: string;

  @Field({ description: 'Who did it: `merchant:{id}`, `operator:{id}`, `agent:{id}` or `system`.' })
  actor!: string;

  @Field(() => GraphQLJSON, { description: 'What else is known of it.' })
  detail!: JSONValue;

  @Field()
  at!: Date;

  @Field(() => SequenceScalar, {
    nullable: true,
    description: 'Its number among all events; null for the instant before it is published.',
  })
  seq!: bigint | null;
}

@Resolver()
export class OrderEventResolver {
  @Authorized('VIEW')
  @Subscription(() => OrderEvent, {
    description:
      'What happens to a deposit: first what has happened after the given number, then each event as it is published.',
    subscribe: async ({ args, context }) => {
      const { database, events, log } = context as GraphContext;
      const { orderNo, afterSeq } = args as { orderNo: string; afterSeq?: bigint | null };
      try {
        const deposit = await findDeposit(database, { orderNo });
        if (!deposit) throw notFound('deposit');
        return events.ofOrder(deposit.id, afterSeq ?? 0n);
      } catch (error) {
        throw refuse(error, log, 'Subscription.depositChanged');
      }
    },
  })
  async depositChanged(
    @Root() event: OrderEventRow,
    @Ctx() context: GraphContext,
    @Arg('orderNo') _orderNo: string,
    @Arg('afterSeq', () => SequenceScalar, {
      nullable: true,
      description: 'The last number seen; all events unless given.',
    })
    _afterSeq?: bigint | null,
  ): Promise<OrderEventRow> {
    // A login may end while its subscription lives.
    await requireLiveSession(context);
    return event;
  }
}
