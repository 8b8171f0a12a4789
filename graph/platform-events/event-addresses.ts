import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { businessError, CatalogueError, notFound } from '../../domain/errors';
import { reaches } from '../../domain/permissions';
import type { PlatformEvent } from '../../domain/platform-event';
import * as db from '../../db/platform-events/addresses';
import type { MerchantRow } from '../../db/merchants/merchants';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { Merchant } from '../merchants/merchant';
import { operatorAction } from '../../steps/operators/operator-action';
import { PlatformEventEnum } from './event-enums';
import { actorName, operatorOf } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description: 'Where an event is delivered. A version never changes, and is in force until the next one.',
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

@ObjectType({ simpleResolvers: true, description: "A webhook's secret that was fetched." })
export class TakenEventSecret {
  @Field({ description: 'What requests are signed with, shown this once: HMAC-SHA256.' })
  secret!: string;
}

/** Whether a person may fetch the secret. */
const waits = (row: db.EventAddressesRow): boolean =>
  row.merchantId === null && row.secretId !== null && row.secretTakenAt === null;

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
  @FieldResolver(() => Boolean, {
    description:
      'Whether the secret of the webhook waits for a person to fetch it, another than who proposed it (`takeEventSecret`).',
  })
  secretWaits(@Root() row: db.EventAddressesRow): boolean {
    return waits(row);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => TakenEventSecret, {
    description: "Fetches the secret of the platform's own webhook, once: in production its proposer does not see it.",
  })
  async takeEventSecret(
    @Arg('id', () => ID, { description: 'Of the addresses in force.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<TakenEventSecret> {
    const { actor, database, now, sealer } = context;
    const row = await db.findAddressesById(database, id);
    if (!row || operatorOf(actor).merchantIds !== null) throw notFound('addresses');
    const made = row.secretId === id ? row : await db.findAddressesById(database, row.secretId ?? id);
    if ([row, made].some((one) => one?.createdBy === actorName(actor)))
      throw new CatalogueError(
        'AUTHORIZATION_ERROR',
        'you proposed these addresses: another person fetches their secret',
      );
    const action = {
      action: 'takeEventSecret',
      subject: `event_addresses:${row.event}:platform`,
      reason,
    };
    const kept = await operatorAction(context, action, async (tx) => {
      const taken = await db.takeEventSecret(tx, id, now);
      if (!taken) throw businessError('WRONG_STATE', 'the secret was fetched before, or is not in force');
      return taken;
    });
    const { sealedSecret, secretId } = kept;
    return { secret: sealer.open(sealedSecret ?? '', `event_addresses:${secretId ?? ''}`) };
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.EventAddressesRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}
