import { Authorized, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import { metrics } from '../../runtime/metrics';
import type { GraphContext } from '../context';

@ObjectType({ simpleResolvers: true, description: "The result of recording a channel's message." })
export class ChannelReceipt {
  @Field({ description: 'It was received before: nothing more was done.' })
  duplicate!: boolean;
}

@Resolver()
export class ChannelWebhookResolver {
  @Authorized('CHANNEL')
  @Mutation(() => ChannelReceipt, {
    description:
      'Stores a channel’s message as received, once, and wakes its order, whose workflow queries the channel: a message is a reason to query, not proof.',
  })
  async recordChannelMessage(@Ctx() { actor, database, now, log, sealer }: GraphContext): Promise<ChannelReceipt> {
    if (actor.kind !== 'channel') throw new Error('only channels are allowed');
    const { channelId, webhook, message } = actor;
    const id = uuidv7();
    // It may name a payer or a beneficiary.
    const sealed = sealer.seal(webhook.body.toString('base64'), `channel_message:${id}`);
    const fresh = await recordChannelMessage(
      database,
      { id, channelId, ...message, ...webhook, body: Buffer.from(sealed) },
      now,
    );
    metrics.channelMessages.inc({ told: message.reported, duplicate: String(!fresh) });
    const { reference, reported, messageId } = message;
    log.info({ channelId, reference, reported, messageId, duplicate: !fresh }, 'channel message received');
    return { duplicate: !fresh };
  }
}
