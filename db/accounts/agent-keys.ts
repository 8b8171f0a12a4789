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
export async function revokeAgentKey(
  tx: Transaction,
  id: string,
  now: Date,
): Promise<AgentKeyRow | undefined> {
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

/** The labels of agents, by the ids of their keys. */
export async function findAgentLabels(
  { sql }: Database,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; label: string }[]>`
    select id, label from agent_keys where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, label }) => [id, label]));
}

/** An agent key by its id, live or not. */
export async function findAgentKeyById(
  { sql }: Database,
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

/** A live key by its public id, with its sealed secret if it signs by one; not before it is enrolled. */
export async function findAgentKey(
  { sql }: Database,
  keyId: string,
): Promise<(AgentKeyRow & { readonly sealedSecret: string | null }) | undefined> {
  const [row] = await sql<(RawAgentKey & { sealedSecret: string | null })[]>`
    select id, key_id, label, public_key, sealed_secret, max_transfer_amount, max_daily_amount, created_at, revoked_at,
      case when num_nonnulls(sealed_secret, public_key) = 1 then coalesce(
        (select enrolled_at from agent_enrolments n where n.agent_key_id = k.id), created_at) end as works_since,
      array(select account_id from agent_key_accounts a where a.agent_key_id = k.id) as account_ids
    from agent_keys k where key_id = ${keyId} and revoked_at is null and num_nonnulls(sealed_secret, public_key) = 1`;
  return row && { ...agentKeyOf(row), sealedSecret: row.sealedSecret };
}

/**
 * Uses a nonce, and deletes those of this key that are older than the timestamp window.
 * @returns false if it was used before
 */
export async function useNonce(
  { sql }: Database,
  agentKeyId: string,
  nonce: string,
  now: Date,
  forgetBefore: Date,
): Promise<boolean> {
  const rows = await sql`
    with forgotten as (
      delete from agent_nonces where agent_key_id = ${agentKeyId} and used_at < ${forgetBefore}
    )
    insert into agent_nonces (agent_key_id, nonce, used_at) values (${agentKeyId}, ${nonce}, ${now})
    on conflict do nothing returning 1`;
  return rows.length === 1;
}
