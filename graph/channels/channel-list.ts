import { Arg, Args, Authorized, Ctx, Field, InputType, Query, Resolver } from 'type-graphql';
import type { ChannelHealth, ChannelKind } from '../../domain/channel';
import * as db from '../../db/channels/channel-list';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
} from '../connection';
import type { GraphContext } from '../context';
import { Channel } from './channel';
import { ChannelHealthEnum, ChannelKindEnum } from './channel-enums';

/** A page of channels. */
export const ChannelConnection = connectionOf(Channel, 'Channel');

/** How channels are sorted. */
export const ChannelSort = sortEnum<db.ChannelSortBy>('ChannelSort', {
  NAME: 'By what operators call them',
});

@InputType({ description: 'Which channels to show: all that is given must hold.' })
export class ChannelFilter implements db.ChannelFilter {
  @Field(() => ChannelKindEnum, { nullable: true })
  kind?: ChannelKind | null;

  @Field(() => Boolean, { nullable: true })
  enabled?: boolean | null;

  @Field(() => [ChannelHealthEnum], { nullable: true, description: 'One of these.' })
  health?: ChannelHealth[] | null;

  @Field(() => String, { nullable: true, description: 'It pays out in this currency, ISO 4217.' })
  currencyCode?: string | null;
}

@Resolver()
export class ChannelListResolver {
  @Authorized('VIEW')
  @Query(() => ChannelConnection, { description: 'The channels, by name unless told otherwise.' })
  async channels(
    @Ctx() { database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => ChannelSort, { defaultValue: 'NAME_ASC' })
    sort: SortName<db.ChannelSortBy>,
    @Arg('filter', () => ChannelFilter, { nullable: true }) filter?: ChannelFilter | null,
  ): Promise<Connected<Channel>> {
    return await connect(
      {
        sorts: db.CHANNEL_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listChannels(database, shown, request),
        count: async (shown, most) => await db.countChannels(database, shown, most),
      },
      page,
      filter ?? {},
      sort,
    );
  }
}
