import { Arg, Args, Authorized, Ctx, Field, ID, InputType, Query, Resolver } from 'type-graphql';
import * as db from '../../db/accounts/agent-key-list';
import { AgentKey } from './agent-key';
import {
  BY_ID,
  type Connected,
  connect,
  connectionOf,
  PageArgs,
  sortEnum,
  type SortName,
} from '../connection';
import { type GraphContext } from '../context';

/** A page of agent keys. */
export const AgentKeyConnection = connectionOf(AgentKey, 'AgentKey');

/** How agent keys are sorted. */
export const AgentKeySort = sortEnum<db.AgentKeySortBy>('AgentKeySort', {
  CREATED_AT: 'By when they were issued',
});

@InputType({ description: 'Which agent keys to show: all that is given must hold.' })
export class AgentKeyFilter implements db.AgentKeyFilter {
  @Field(() => [ID], { nullable: true, description: 'May report on one of these accounts.' })
  accountId?: string[] | null;

  @Field(() => Boolean, { nullable: true })
  revoked?: boolean | null;
}

@Resolver()
export class AgentKeyListResolver {
  @Authorized('VIEW')
  @Query(() => AgentKeyConnection, {
    description: 'The agent keys, the newest first unless told otherwise.',
  })
  async agentKeys(
    @Ctx() { database }: GraphContext,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('sort', () => AgentKeySort, { defaultValue: 'CREATED_AT_DESC' })
    sort: SortName<db.AgentKeySortBy>,
    @Arg('filter', () => AgentKeyFilter, { nullable: true }) filter?: AgentKeyFilter | null,
  ): Promise<Connected<AgentKey>> {
    return await connect(
      {
        sorts: db.AGENT_KEY_SORTS,
        id: BY_ID,
        read: async (shown, request) => await db.listAgentKeys(database, shown, request),
        count: async (shown, most) => await db.countAgentKeys(database, shown, most),
      },
      page,
      filter ?? {},
      sort,
    );
  }
}
