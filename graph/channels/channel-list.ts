import { Field, InputType } from 'type-graphql';
import type { ChannelHealth, ChannelKind } from '../../domain/channel';
import * as db from '../../db/channels/channel-list';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { Channel } from './channel';
import { ChannelHealthEnum, ChannelKindEnum } from './channel-enums';
import { listResolver } from '../list-resolver';

@InputType({ description: 'Filter of channels. All given conditions must hold.' })
export class ChannelFilter implements db.ChannelFilter {
  @Field(() => [ChannelKindEnum], { nullable: true, description: 'Of one of these kinds.' })
  kind?: ChannelKind[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: enabled ones. False: disabled ones. Null: both.',
  })
  enabled?: boolean | null;

  @Field(() => [ChannelHealthEnum], { nullable: true, description: 'One of these.' })
  health?: ChannelHealth[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'It pays out or takes deposits in this currency, ISO 4217.',
  })
  currencyCode?: string | null;
}

export const ChannelListResolver = listResolver('channels', {
  description: 'The channels, by name by default.',
  connection: connectionOf(Channel, 'Channel'),
  sort: sortEnum('ChannelSort', {
    NAME: 'By name',
  }),
  defaultSort: 'NAME_ASC',
  filter: ChannelFilter,
  sorts: db.CHANNEL_SORTS,
  id: BY_ID,
  read: db.listChannels,
  count: db.countChannels,
});
