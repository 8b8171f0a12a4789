import { uuidv7 } from 'uuidv7';
import { businessError } from '../../domain/errors';
import { money } from '../../domain/money';
import { insertAgentEnrolment } from '../../db/accounts/agent-enrolments';
import * as agentKeys from '../../db/accounts/agent-keys';
import * as apiKeys from '../../db/merchants/api-keys';
import type { Settings } from '../../domain/change-request';
import type { Transaction } from '../../db/client';
import { type Applied, effect } from '../changes/change-effect';
import { ownersAddresses, requireOutsider, sendToOwner } from './owner-link';

/** A key before its approval: sealed, and not valid until it is in its table. */
export type ApiKeyPayload = Readonly<{
  id: string;
  merchantId: string;
  lookupHash: string;
  sealedKey: string;
  hint: string;
}>;

/** A key that is made when the merchant's owner fetches it. */
export type OwnersKeyPayload = Readonly<{ id: string; merchantId: string; toOwner: true }>;

/** A key beside the merchant's present ones. */
export type IssueApiKeyPayload = ApiKeyPayload | OwnersKeyPayload;
/** A key that replaces the merchant's present ones. */
export type RotateApiKeyPayload = IssueApiKeyPayload & Readonly<{ overlapSeconds: number }>;

/** An agent's key before its approval: sealed, and not valid. */
export type AgentKeyPayload = Readonly<{
  id: string;
  keyId: string;
  label: string;
  accountIds: readonly string[];
  maxTransferAmount: string | null;
  maxDailyAmount: string | null;
  sealedSecret: string | null;
  /** The public key of an agent that signs with its own key pair. */
  publicKey?: string | null;
  /** Where the link to enrol a public key goes; then there is no other key yet. */
  ownerEmail?: string;
}>;

/** A key to revoke. */
export type RevokePayload = Readonly<{ id: string }>;

/** What is done when the owner fetches the key. */
const linkTo = ({ id, merchantId }: OwnersKeyPayload, overlapSeconds: number | null) =>
  ({ kind: 'API_KEY', merchantId, subjectId: id, overlapSeconds }) as const;

const gone = (): Error => businessError('WRONG_STATE', 'the key does not exist or is already revoked');

const isOwners = (key: IssueApiKeyPayload): key is OwnersKeyPayload => 'toOwner' in key;

/** The basis of a proposal: the owner's address in force. */
const addressBasis = async (tx: Transaction, key: IssueApiKeyPayload): Promise<Settings> =>
  isOwners(key) ? { addressesId: (await ownersAddresses(tx, key.merchantId)).id } : {};

/** Adds a key beside the merchant's present ones, or sends the owner a link to fetch it. */
export const issueApiKey = effect<IssueApiKeyPayload>({
  basis: async (tx, key) => (isOwners(key) ? await addressBasis(tx, key) : null),
  apply: async (tx, key, applied) => {
    if (isOwners(key)) await sendToOwner(tx, linkTo(key, null), applied);
    else await apiKeys.insertApiKey(tx, { ...key, createdAt: applied.now });
  },
});

/** Replaces the merchant's keys by a new one; the old ones stay valid for the overlap. */
export const rotateApiKey = effect<RotateApiKeyPayload>({
  basis: async (tx, key) => ({
    liveKeys: await apiKeys.lockLiveApiKeys(tx, key.merchantId),
    ...(await addressBasis(tx, key)),
  }),
  apply: async (tx, { overlapSeconds, ...key }, applied) => {
    if (isOwners(key)) {
      await sendToOwner(tx, linkTo(key, overlapSeconds), applied);
      return;
    }
    const { now } = applied;
    const retiresAt = new Date(now.getTime() + overlapSeconds * 1000);
    await apiKeys.retireApiKeys(tx, key.merchantId, retiresAt, now);
    await apiKeys.insertApiKey(tx, { ...key, createdAt: now });
  },
});

/** Revokes a key. */
export const revokeApiKey = effect<RevokePayload>({
  apply: async (tx, { id }, { now }) => {
    if (!(await apiKeys.revokeApiKey(tx, id, now))) throw gone();
  },
});

const optionalMoney = (text: string | null) => (text === null ? null : money(text));

/** Sends an agent's owner a link to enrol the agent. @throws NOT_ENABLED for an operator's address */
async function sendToAgentsOwner(
  tx: Transaction,
  agentKeyId: string,
  mail: string,
  { id: changeId, now }: Applied,
): Promise<void> {
  await requireOutsider(tx, mail, "the address of the agent's owner", now);
  await insertAgentEnrolment(tx, { id: uuidv7(), agentKeyId, mail, changeId, createdAt: now });
}

/** Adds an agent's key. */
export const createAgentKey = effect<AgentKeyPayload>({
  apply: async (tx, key, applied) => {
    const { now } = applied;
    await agentKeys.insertAgentKey(tx, {
      ...key,
      publicKey: key.publicKey ?? null,
      maxTransferAmount: optionalMoney(key.maxTransferAmount),
      maxDailyAmount: optionalMoney(key.maxDailyAmount),
      createdAt: now,
      revokedAt: null,
    });
    if (key.ownerEmail !== undefined) await sendToAgentsOwner(tx, key.id, key.ownerEmail, applied);
  },
});

/** Revokes an agent's key. */
export const revokeAgentKey = effect<RevokePayload>({
  apply: async (tx, { id }, { now }) => {
    if (!(await agentKeys.revokeAgentKey(tx, id, now))) throw gone();
  },
});
