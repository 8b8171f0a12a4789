import type { Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { type Raw, type RowOf, rowReader } from '../rows';
import type { agentEnrolments } from '../schema/agent-enrolments';

/** A link by which the owner of an agent enrols its public key; its token is not stored. */
export type AgentEnrolmentRow = Omit<RowOf<typeof agentEnrolments>, 'tokenHash'>;

/** A link with the data for its page and its mail. */
export interface AgentEnrolmentCase extends AgentEnrolmentRow {
  /** What the agent sends as X-Agent-Key. */
  readonly keyId: string;
  readonly label: string;
  readonly maxTransferAmount: Money | null;
  readonly maxDailyAmount: Money | null;
  readonly revokedAt: Date | null;
}

/** An account on which an agent may report. */
export interface WatchedAccount {
  readonly id: string;
  readonly name: string;
  readonly currencyCode: string;
}

const caseOf = rowReader<AgentEnrolmentCase>({ maxTransferAmount: true, maxDailyAmount: true });

/** Adds a link; a trigger queues its mail. */
export async function insertAgentEnrolment(
  tx: Transaction,
  link: Omit<AgentEnrolmentRow, 'expiresAt' | 'enrolledAt'>,
): Promise<void> {
  await tx`
    insert into agent_enrolments (id, agent_key_id, mail, change_id, created_at)
    values (${link.id}, ${link.agentKeyId}, ${link.mail}, ${link.changeId}, ${link.createdAt})`;
}

/** A link by its id. */
export async function findAgentEnrolment({ sql }: Database, id: string): Promise<AgentEnrolmentCase | undefined> {
  const [row] = await sql<Raw<AgentEnrolmentCase>[]>`
    select l.id, l.agent_key_id, l.mail, l.change_id, l.expires_at, l.enrolled_at, l.created_at, k.key_id, k.label,
      k.max_transfer_amount, k.max_daily_amount, k.revoked_at
    from agent_enrolments l join agent_keys k on k.id = l.agent_key_id where l.id = ${id}`;
  return row && caseOf(row);
}

/** The link with one of this token's hashes. */
export async function findAgentEnrolmentByToken(
  { sql }: Database,
  tokenHashes: readonly string[],
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from agent_enrolments where token_hash = any(${tokenHashes as string[]})`;
  return row?.id;
}

/** The accounts on which an agent may report. */
export const findWatchedAccounts = async ({ sql }: Database, agentKeyId: string): Promise<WatchedAccount[]> =>
  await sql<WatchedAccount[]>`
    select b.id, b.name, b.currency_code from agent_key_accounts a join bank_accounts b on b.id = a.account_id
    where a.agent_key_id = ${agentKeyId} order by b.name, b.id`;

/** Gives a link another token; the previous one becomes invalid. @returns false if the link was used */
export async function putEnrolmentToken(
  { sql }: Database,
  id: string,
  tokenHash: string,
  expiresAt: Date,
): Promise<boolean> {
  const { count } = await sql`
    update agent_enrolments set token_hash = ${tokenHash}, expires_at = ${expiresAt}
    where id = ${id} and enrolled_at is null`;
  return count > 0;
}

/** Gives the agent's key its public key and uses the link. @returns false if the link is no longer valid */
export async function enrolAgent({ sql }: Database, id: string, publicKey: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ enrolled: boolean }[]>`
    select enrol_agent(${id}, ${publicKey}, ${now}) as enrolled`;
  return row?.enrolled ?? false;
}
