import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  FieldResolver,
} from 'type-graphql';
import { notFound } from '../../domain/errors';
import * as db from '../../db/callbacks/endpoints';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { Merchant } from '../merchants/merchant';
import { operatorAction } from '../../steps/operators/operator-action';
import { actorName } from '../../steps/access/caller';
import { checkSince, merchantsOf, MOST_DAYS } from '../../steps/callbacks/endpoint';
const MOST_ENDPOINTS = 500;
/** Callbacks resent by one call: each is a row, an event and an outbox row of one transaction. */
const MOST_AT_ONCE = 1_000;

@ObjectType({
  simpleResolvers: true,
  description: 'The callbacks of one merchant to one endpoint: scheme, host and port.',
})
export class CallbackEndpoint {
  @Field({ description: 'Such as `https://pay.example.com`.' })
  endpoint!: string;

  @Field(() => Int, { description: 'Callbacks that the merchant acknowledged.' })
  delivered!: number;

  @Field(() => Int, { description: 'Callbacks that failed permanently.' })
  failed!: number;

  @Field(() => Int, { description: 'Callbacks on their way, or waiting for the next attempt.' })
  waiting!: number;

  @Field(() => Date, {
    nullable: true,
    description: 'When the order of the oldest one that waits changed; null where none waits.',
  })
  oldestWaitingAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Failed callbacks that were armed again.' })
export class ResentCallbacks {
  @Field(() => Int, { description: 'How many are on their way again.' })
  resent!: number;

  @Field({
    description: `Whether there may be more: a call arms ${MOST_AT_ONCE} at most; call again with the same arguments.`,
  })
  more!: boolean;
}

@Resolver(() => CallbackEndpoint)
export class CallbackEndpointResolver {
  @Authorized('VIEW')
  @Query(() => [CallbackEndpoint], {
    description: `Callbacks by merchant and endpoint, those with the most failures first; ${MOST_ENDPOINTS} at most.`,
  })
  async callbackEndpoints(
    @Arg('since', { description: `Of orders that changed since then: ${MOST_DAYS} days at most.` })
    since: Date,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, { nullable: true, description: 'All unless given.' })
    merchantId?: string | null,
  ): Promise<db.EndpointRow[]> {
    checkSince(since, context.now);
    const filter = { since, merchantIds: merchantsOf(context, merchantId) };
    return await db.findEndpoints(context.database, filter, MOST_ENDPOINTS);
  }

  @Authorized('SUPPORT')
  @Mutation(() => ResentCallbacks, {
    description:
      'Sends all failed callbacks again, the oldest first, as one act in the audit log: the same rows and bodies, five fresh attempts each.',
  })
  async resendFailedCallbacks(
    @Arg('since', { description: `Of orders that changed since then: ${MOST_DAYS} days at most.` })
    since: Date,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, { nullable: true, description: 'Of all merchants unless given.' })
    merchantId?: string | null,
    @Arg('endpoint', () => String, {
      nullable: true,
      description: 'To this endpoint alone, as `callbackEndpoints` names it.',
    })
    endpoint?: string | null,
  ): Promise<ResentCallbacks> {
    const { actor, now } = context;
    checkSince(since, now);
    const asked = {
      since,
      merchantIds: merchantsOf(context, merchantId),
      endpoint: endpoint ?? null,
      limit: MOST_AT_ONCE,
    };
    const action = {
      action: 'resendFailedCallbacks',
      subject: endpoint ?? 'callbacks',
      reason,
      detail: { since: since.toISOString(), merchantId: merchantId ?? null },
    };
    const resent = await operatorAction(
      context,
      action,
      async (tx) => await db.rearmFailed(tx, asked, actorName(actor), reason, now),
    );
    return { resent, more: resent === MOST_AT_ONCE };
  }

  @Authorized('VIEW')
  @FieldResolver(() => Merchant, { description: 'Whose callbacks they are.' })
  async merchant(@Root() { merchantId }: db.EndpointRow, @Ctx() { loaders }: GraphContext): Promise<MerchantRow> {
    const merchant = await loaders.merchants.load(merchantId);
    if (!merchant) throw notFound('merchant');
    return merchant;
  }
}
