import type { Database, Transaction } from '../client';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { agentKeys } from '../schema/agent-keys';

/** A key with which an agent that watches bank accounts reports what arrives on them. */
export interface AgentKeyRow extends Omit<RowOf<typeof agentKeys>, 'sealedSecret'> {
  readonly accountIds: readonly string[];
  /** Since when it works; null while its agent's owner has not enrolled a public key. */
  readonly worksSince: Date | null;
}

/** As PostgreSQL returns it. */
export type RawAgentKey = Raw<AgentKeyRow>;
/** In our own types. */
export const agentKeyOf = rowReader<AgentKeyRow>(amountFieldsOf(agentKeys));

/** An account that does not exist violates a foreign key. */
export async function insertAgentKey(
  tx: Transaction,
  key: Omit<AgentKeyRow, 'worksSince'> & { readonly sealedSecret: string | null },
): Promise<void> {
  await tx`
    insert into agent_keys
      (id, key_id, label, sealed_secret, public_key, max_transfer_amount, max_daily_amount, created_at)
    values
      (${key.id}, ${key.keyId}, ${key.label}, ${key.sealedSecret}, ${key.publicKey},
       ${key.maxTransferAmount?.toFixed() ?? null}, ${key.maxDailyAmount?.toFixed() ?? null},
       ${key.createdAt})`;
  await tx`
    insert into agent_key_accounts (agent_key_id, account_id)
    select ${key.id}, unnest(${key.accountIds as string[]}::uuid[])`;
}

/** @returns undefined if there is no such key, or it was revoked before */
export async function revokeAgentKey(tx: Transaction, id: string, now: Date): Promise<AgentKeyRow | undefined> {
  const [row] = await tx<RawAgentKey[]>`
    update agent_keys k set revoked_at = ${now} where id = ${id} and revoked_at is null
    returning id, key_id, label, public_key, max_transfer_amount, max_daily_amount, created_at, revoked_at,
      case when num_nonnulls(sealed_secret, public_key) = 1 then coalesce(
        (select enrolled_at from agent_enrolments n where n.agent_key_id = k.id), created_at) end as works_since,
      array(select account_id from agent_key_accounts a where a.agent_key_id = k.id) as account_ids`;
  return row && agentKeyOf(row);
}

/** Whether a key is not revoked; a revocation waits for the end of the transaction. */
export async function isAgentKeyLive(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx`
    select from agent_keys where id = ${id} and revoked_at is null for share`;
  return rows.length === 1;
}

/** The live keys of agents that sign by a key pair of their own. */
export const findPublicAgentKeys = async ({
  sql,
}: Database): Promise<{ id: string; keyId: string; label: string; publicKey: string }[]> =>
  await sql`
    select id, key_id, label, public_key from agent_keys where public_key is not null and revoked_at is null`;

/** The labels of agents, by the ids of their keys. */
export async function findAgentLabels({ sql }: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; label: string }[]>`
    select id, label from agent_keys where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, label }) => [id, label]));
}

/** An agent key by its id, live or not. */
export async function findAgentKeyById(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  id: string,
): Promise<AgentKeyRow | undefined> {
  const [row] = await sql<RawAgentKey[]>`
    select id, key_id, label, public_key, max_transfer_amount, max_daily_amount, created_at, revoked_at,
      case when num_nonnulls(sealed_secret, public_key) = 1 then coalesce(
        (select enrolled_at from agent_enrolments n where n.agent_key_id = k.id), created_at) end as works_since,
      array(select account_id from agent_key_accounts a where a.agent_key_id = k.id) as account_ids
    from agent_keys k where id = ${id}`;
  return row && agentKeyOf(row);
}

/** A key with its sealed secret, if it signs by one. */
export type SigningAgentKey = AgentKeyRow & { readonly sealedSecret: string | null };

/** Live keys by their public ids; a key is live once it is enrolled. */
export async function findAgentKeys(
  { sql }: Database,
  keyIds: readonly string[],
): Promise<Map<string, SigningAgentKey>> {
  const rows = await sql<(RawAgentKey & { sealedSecret: string | null })[]>`
    select id, key_id, label, public_key, sealed_secret, max_transfer_amount, max_daily_amount, created_at, revoked_at,
      case when num_nonnulls(sealed_secret, public_key) = 1 then coalesce(
        (select enrolled_at from agent_enrolments n where n.agent_key_id = k.id), created_at) end as works_since,
      array(select account_id from agent_key_accounts a where a.agent_key_id = k.id) as account_ids
    from agent_keys k
    where key_id = any(${[...keyIds]}) and revoked_at is null and num_nonnulls(sealed_secret, public_key) = 1`;
  return new Map(rows.map((row) => [row.keyId, { ...agentKeyOf(row), sealedSecret: row.sealedSecret }]));
}

/** A nonce of a key's notification. */
export interface NonceUse {
  readonly agentKeyId: string;
  readonly nonce: string;
}

/**
 * Uses nonces, and deletes those of the same keys that are older than the timestamp window.
 * @returns for each whether this is its first use; of equal ones, only the first is
 */
export async function useNonces(
  { sql }: Database,
  uses: readonly NonceUse[],
  now: Date,
  forgetBefore: Date,
): Promise<boolean[]> {
  const keys = uses.map(({ agentKeyId }) => agentKeyId);
  const rows = await sql<NonceUse[]>`
    with forgotten as (
      delete from agent_nonces where agent_key_id = any(${keys}::uuid[]) and used_at < ${forgetBefore}
    )
    insert into agent_nonces (agent_key_id, nonce, used_at)
    select distinct key, nonce, ${now}::timestamptz
    from unnest(${keys}::uuid[], ${uses.map(({ nonce }) => nonce)}::text[]) as used (key, nonce)
    order by key, nonce
    on conflict do nothing returning agent_key_id, nonce`;
  const unused = new Set(rows.map(({ agentKeyId, nonce }) => `${agentKeyId} ${nonce}`));
  return uses.map(({ agentKeyId, nonce }) => unused.delete(`${agentKeyId} ${nonce}`));
}
