import { GraphQLJSONObject } from 'graphql-scalars';
import type { JSONValue } from 'postgres';
import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrderEventRow } from '../../db/events/events';
import { type GraphContext } from '../context';
import { SequenceScalar } from '../scalars';
import { ActorInfo, actorInfoOf, labelOfActor } from '../actor-info';

@ObjectType({ simpleResolvers: true, description: 'An event of an order.' })
export class OrderEvent {
  @Field(() => ID, { description: 'A UUID; `seq` tells the order of events.' })
  id!: string;

  @Field(() => ID, {
    description: 'The id of the order, a UUID; queries name orders by `orderNo`.',
  })
  orderId!: string;

  @Field({
    description:
      'Such as created, matched, completed, expired, cancelled, callback_delivered. The set is open: expect others.',
  })
  type!: string;

  @Field({
    deprecationReason: 'Use `actorInfo`.',
    description: 'Who did it: `merchant:{id}`, `operator:{id}`, `agent:{id}` or `system`.',
  })
  actor!: string;

  @Field(() => GraphQLJSONObject, { description: 'Further data.' })
  detail!: JSONValue;

  @Field({ description: 'When it happened.' })
  at!: Date;

  @Field(() => SequenceScalar, {
    nullable: true,
    description: 'Its number among all events; null for the instant before it is published.',
  })
  seq!: bigint | null;
}

@Resolver(() => OrderEvent)
export class OrderEventResolver {
  @FieldResolver(() => ActorInfo, { description: 'Who did it.' })
  actorInfo(@Root() { actor }: OrderEventRow): ActorInfo {
    return actorInfoOf(actor);
  }

  @FieldResolver(() => String, {
    nullable: true,
    deprecationReason: 'Use `actorInfo`.',
    description: 'Who that is: a login, a merchant’s code, an agent’s label. Null for the system.',
  })
  async actorLabel(@Root() { actor }: OrderEventRow, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    return await labelOfActor(loaders, actor);
  }
}
