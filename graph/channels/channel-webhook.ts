import { Authorized, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { recordChannelMessage } from '../../db/channels/channel-messages';
import { metrics } from '../../runtime/metrics';
import type { GraphContext } from '../context';

@ObjectType({ simpleResolvers: true, description: "The result of recording a channel's message." })
export class ChannelReceipt {
  @Field({ description: 'It came before: nothing more was done.' })
  duplicate!: boolean;
}

@Resolver()
export class ChannelWebhookResolver {
  @Authorized('CHANNEL')
  @Mutation(() => ChannelReceipt, {
    description:
      'Keeps what a channel has sent, as it came and once, and has its payout asked for: a message is a reason to ask, no proof.',
  })
  async recordChannelMessage(
    @Ctx() { actor, database, now, log }: GraphContext,
  ): Promise<ChannelReceipt> {
    if (actor.kind !== 'channel') throw new Error('the rule lets channels in alone');
    const { channelId, webhook, message } = actor;
    const fresh = await recordChannelMessage(
      database,
      { id: uuidv7(), channelId, ...message, ...webhook },
      now,
    );
    metrics.channelMessages.inc({ told: message.reported, duplicate: String(!fresh) });
    const { reference, reported, messageId } = message;
    log.info(
      { channelId, reference, reported, messageId, duplicate: !fresh },
      'channel message received',
    );
    return { duplicate: !fresh };
  }
}
