import { GraphQLJSON } from 'graphql-scalars';
import type { JSONValue } from 'postgres';
import { Field, ID, ObjectType } from 'type-graphql';
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
