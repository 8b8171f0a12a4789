import { GraphQLJSON } from 'graphql-scalars';
import type { JSONValue } from 'postgres';
import { Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrderEventRow } from '../../db/events/events';
import { type GraphContext } from '../context';
import { SequenceScalar } from '../scalars';
import { labelOfActor } from './actor-label';

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

@Resolver(() => OrderEvent)
export class OrderEventResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Who that is: a login, a merchant’s code, an agent’s label. Null for the system.',
  })
  async actorLabel(
    @Root() { actor }: OrderEventRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | null> {
    return await labelOfActor(loaders, actor);
  }
}
