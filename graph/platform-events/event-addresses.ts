import {
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { reaches } from '../../domain/permissions';
import type { PlatformEvent } from '../../domain/platform-event';
import * as db from '../../db/platform-events/addresses';
import type { MerchantRow } from '../../db/merchants/merchants';
import { operatorOf } from '../access/authorization';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { Merchant } from '../merchants/merchant';
import { PlatformEventEnum } from './event-enums';

@ObjectType({
  simpleResolvers: true,
  description:
    'Where an event is delivered. A version never changes, and is in force until the next one.',
})
export class EventAddresses {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field(() => PlatformEventEnum, { description: 'What is delivered.' })
  event!: PlatformEvent;

  @Field(() => Int, { description: 'From 1, of the event and merchant.' })
  version!: number;

  @Field(() => [String], { description: 'Mail addresses.' })
  mails!: readonly string[];

  @Field(() => String, { nullable: true, description: 'Where signed requests go; null: nowhere.' })
  webhookUrl!: string | null;

  @Field({ description: 'Whether `http:` and this machine are allowed, in a sandbox.' })
  allowInsecure!: boolean;

  @Field({ description: 'When it began.' })
  createdAt!: Date;
}

@Resolver(() => EventAddresses)
export class EventAddressesResolver {
  @Authorized('VIEW')
  @Query(() => [EventAddresses], {
    description: 'Where events are delivered now; an event that is not listed has no address.',
  })
  async eventAddresses(@Ctx() { actor, database }: GraphContext): Promise<db.EventAddressesRow[]> {
    const operator = operatorOf(actor);
    return (await db.findEventAddresses(database)).filter(({ merchantId }) =>
      merchantId === null ? operator.merchantIds === null : reaches(operator, merchantId),
    );
  }

  @Authorized('VIEW')
  @FieldResolver(() => Merchant, {
    nullable: true,
    description: "Whose events they are; null: the platform's own.",
  })
  async merchant(
    @Root() { merchantId }: db.EventAddressesRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return merchantId === null ? undefined : await loaders.merchants.load(merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.EventAddressesRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}
