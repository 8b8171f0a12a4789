import { uuidv7 } from 'uuidv7';
import { newAgentKeyId, newAgentSecret } from '../../crypto/tokens';
import { isEmail } from '../../domain/email';
import { businessError, invalidField } from '../../domain/errors';
import type { Money } from '../../domain/money';
import * as db from '../../db/accounts/agent-keys';
import { type BankTransferView, listTransfersOfSource } from '../../db/transfers/bank-transfers';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { AgentKeyPayload, RevokePayload } from '../merchants/key-effects';
import { requireOutsider } from '../merchants/owner-link';
import { propose, type Evidence, type ProposalNeeds } from '../changes/propose';
import { readPublicKey } from './agent-public-key';
import type { Needs } from '../context';

/** An agent key to issue. */
export interface AgentKeyRequest {
  readonly label: string;
  readonly accountIds: readonly string[];
  readonly maxTransferAmount?: Money | null | undefined;
  readonly maxDailyAmount?: Money | null | undefined;
  readonly publicKey?: string | null | undefined;
  readonly ownerEmail?: string | null | undefined;
}

/** A proposed key. */
export interface ProposedAgentKey {
  readonly change: ChangeRow;
  /** Shown this once; null for a key pair. */
  readonly secret: string | null;
  readonly keyId: string;
  /** Null until the change is applied. */
  readonly key: db.AgentKeyRow | null;
}

/** A revoked key, and the transfers that it reported and that paid a deposit, newest first. */
export interface EndedAgentKey {
  readonly change: ChangeRow;
  readonly key: db.AgentKeyRow;
  readonly credited: readonly BankTransferView[];
}

function ceiling(field: string, amount: Money | null | undefined): Money | null {
  if (amount && !amount.gt(0)) throw invalidField(field, 'must be greater than 0', 'OUT_OF_RANGE');
  return amount ?? null;
}

/** What an agent signs with: a key that is given, one that its owner enrols, or a secret where it has neither. */
interface Signing {
  readonly publicKey?: string;
  readonly ownerEmail?: string;
}

/** @throws INVALID_FIELD if it is invalid, for both, and in production without an owner or with a key */
function signingOf({ environment }: Needs<'environment'>, input: AgentKeyRequest): Signing {
  const ownerEmail = input.ownerEmail?.trim() || null;
  const publicKey = input.publicKey?.trim() || null;
  if (environment === 'production' && ownerEmail === null)
    throw invalidField(
      'ownerEmail',
      'must be given: in production nobody here chooses what an agent signs with',
      'REQUIRED',
    );
  if (ownerEmail !== null && publicKey !== null)
    throw invalidField('publicKey', 'must be null: the owner enrols it', 'NOT_ALLOWED');
  if (ownerEmail !== null && !isEmail(ownerEmail)) throw invalidField('ownerEmail', 'is no mail address');
  if (ownerEmail !== null) return { ownerEmail };
  return publicKey === null ? {} : { publicKey: readPublicKey(publicKey) };
}

/** Checks that in production an agent has ceilings, in one currency. @throws INVALID_FIELD */
function requireCeilings(
  { environment }: Needs<'environment'>,
  input: AgentKeyRequest,
  currencies: readonly string[],
): void {
  if (environment !== 'production') return;
  for (const field of ['maxTransferAmount', 'maxDailyAmount'] as const)
    if (input[field] == null) throw invalidField(field, 'must be set in production', 'REQUIRED');
  if (currencies.length > 1) throw invalidField('accountIds', 'must have one currency, which is that of the ceilings');
}

/** The key after a change of it is applied. */
async function keyOf({ database }: Needs<'database'>, change: ChangeRow): Promise<db.AgentKeyRow | null> {
  if (change.status !== 'APPLIED') return null;
  return (await db.findAgentKeyById(database, change.subjectId)) ?? null;
}

/**
 * Proposes a key for an agent that reports what arrives on the named accounts.
 * @throws INVALID_FIELD for what no agent may have
 */
export async function createAgentKey(
  context: ProposalNeeds & Needs<'bankAccounts' | 'environment'>,
  input: AgentKeyRequest,
  { reason, evidence }: { readonly reason: string; readonly evidence?: Evidence | null | undefined },
): Promise<ProposedAgentKey> {
  if (input.accountIds.length === 0) throw invalidField('accountIds', 'must name at least one', 'REQUIRED');
  const accountIds = [...new Set(input.accountIds)];
  const found = await Promise.all(accountIds.map((id) => context.bankAccounts.call(id)));
  const accounts = found.flatMap((account) => account ?? []);
  const currencies = [...new Set(accounts.map(({ currencyCode }) => currencyCode))];
  requireCeilings(context, input, currencies);
  const signing = signingOf(context, input);
  const { ownerEmail } = signing;
  if (ownerEmail !== undefined)
    await context.database.transaction(async (tx) => {
      await requireOutsider(tx, ownerEmail, "the address of the agent's owner", context.now);
    });
  const id = uuidv7();
  const keyId = newAgentKeyId();
  const secret = Object.keys(signing).length === 0 ? newAgentSecret() : null;
  const seen = {
    keyId,
    label: input.label,
    maxTransferAmount: ceiling('maxTransferAmount', input.maxTransferAmount)?.toFixed() ?? null,
    maxDailyAmount: ceiling('maxDailyAmount', input.maxDailyAmount)?.toFixed() ?? null,
  };
  const payload: AgentKeyPayload = {
    id,
    accountIds,
    ...seen,
    ...signing,
    sealedSecret: secret === null ? null : context.sealer.seal(secret, `agent_key:${id}`),
  };
  const change = await propose(context, {
    kind: 'CREATE_AGENT_KEY',
    subject: { kind: 'agent_key', id, name: input.label },
    summary: `Let the agent ${input.label} report on ${accounts.length} account(s)`,
    before: {},
    // The approver sees which accounts these are, and which currency the ceilings are in.
    after: {
      ...seen,
      ...signing,
      accounts: accounts.map(({ name, bankCode, accountNo }) => `${name} (${bankCode} ${accountNo})`),
      currencies,
    },
    payload,
    reason,
    evidence,
  });
  return { change, secret, keyId, key: await keyOf(context, change) };
}

/**
 * Ends an agent key at once, and lists what it had credited.
 * @throws WRONG_STATE for a key that does not work any more
 */
export async function revokeAgentKey(
  context: ProposalNeeds,
  { id, reason }: { readonly id: string; readonly reason: string },
): Promise<EndedAgentKey> {
  const key = await db.findAgentKeyById(context.database, id);
  if (!key) throw businessError('WRONG_STATE', 'the key does not exist or is already revoked');
  const payload: RevokePayload = { id };
  const change = await propose(context, {
    kind: 'REVOKE_AGENT_KEY',
    subject: { kind: 'agent_key', id, name: key.label },
    summary: `Revoke the agent key ${key.label}`,
    before: { revoked: false },
    after: { revoked: true },
    payload,
    reason,
    alone: 'CLOSING',
  });
  const credited = await listTransfersOfSource(context.database, `agent:${id}`, 1_000);
  return { change, key: (await keyOf(context, change)) ?? key, credited };
}
