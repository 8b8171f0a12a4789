import type { Fragment, Sql } from 'postgres';
import { agentKeyOf, type AgentKeyRow, type RawAgentKey } from './agent-keys';
import type { Database } from '../client';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';

/** Filter of a list of agent keys. All given conditions must hold; absent and null mean none. */
export interface AgentKeyFilter {
  /** May report on one of these accounts. */
  readonly accountId?: readonly string[] | null;
  readonly revoked?: boolean | null;
}

/** What agent keys are sorted by. */
export type AgentKeySortBy = 'CREATED_AT';

/** How each is sorted. */
export const AGENT_KEY_SORTS: Readonly<Record<AgentKeySortBy, SortColumn<AgentKeyRow>>> = {
  CREATED_AT: {
    column: 'k.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
};

const from = (sql: Sql, { accountId, revoked }: AgentKeyFilter, ...more: Fragment[]): Fragment =>
  sql`from agent_keys k where ${all(sql, [
    accountId != null &&
      sql`exists (select from agent_key_accounts a where a.agent_key_id = k.id
        and ${among(sql, 'a.account_id', accountId, 'uuid') ?? sql`true`})`,
    revoked != null && (revoked ? sql`k.revoked_at is not null` : sql`k.revoked_at is null`),
    ...more,
  ])}`;

/** A page of agent keys. */
export async function listAgentKeys(
  { read: sql }: Database,
  filter: AgentKeyFilter,
  page: PageRequest<AgentKeySortBy>,
): Promise<Page<AgentKeyRow>> {
  const { within, window } = keyset(sql, AGENT_KEY_SORTS[page.by], 'k.id', page);
  const rows = await sql<RawAgentKey[]>`
    select k.id, k.key_id, k.label, k.public_key, k.max_transfer_amount, k.max_daily_amount, k.created_at, k.revoked_at,
      case when num_nonnulls(k.sealed_secret, k.public_key) = 1 then coalesce(
        (select enrolled_at from agent_enrolments n where n.agent_key_id = k.id), k.created_at) end as works_since,
      array(select account_id from agent_key_accounts a where a.agent_key_id = k.id) as account_ids
    ${from(sql, filter, within)} ${window}`;
  return pageOf(rows.map(agentKeyOf), page);
}

/** How many agent keys match a filter, counted up to `most`. */
export const countAgentKeys = async ({ read: sql }: Database, filter: AgentKeyFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
