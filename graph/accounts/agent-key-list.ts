import { Field, ID, InputType } from 'type-graphql';
import * as db from '../../db/accounts/agent-key-list';
import { AgentKey } from './agent-key';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import { listResolver } from '../list-resolver';

@InputType({ description: 'Filter of agent keys. All given conditions must hold.' })
export class AgentKeyFilter implements db.AgentKeyFilter {
  @Field(() => [ID], { nullable: true, description: 'May report on one of these accounts.' })
  accountId?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only revoked keys. False: only keys that work. Null: both.',
  })
  revoked?: boolean | null;
}

export const AgentKeyListResolver = listResolver('agentKeys', {
  description: 'The agent keys, the newest first by default.',
  connection: connectionOf(AgentKey, 'AgentKey'),
  sort: sortEnum('AgentKeySort', {
    CREATED_AT: 'By when they were issued',
  }),
  defaultSort: 'CREATED_AT_DESC',
  filter: AgentKeyFilter,
  sorts: db.AGENT_KEY_SORTS,
  id: BY_ID,
  read: db.listAgentKeys,
  count: db.countAgentKeys,
});
