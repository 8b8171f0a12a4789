import { businessError } from '../../domain/errors';
import { money } from '../../domain/money';
import * as agentKeys from '../../db/accounts/agent-keys';
import * as apiKeys from '../../db/merchants/api-keys';
import { effect } from '../changes/change-effect';

/** A key that waits, dead, for its approval: sealed, and found by nobody until it is in its table. */
export type ApiKeyPayload = Readonly<{
  id: string;
  merchantId: string;
  lookupHash: string;
  sealedKey: string;
  hint: string;
}>;

/** A key that replaces the merchant's others. */
export type RotateApiKeyPayload = ApiKeyPayload & Readonly<{ overlapSeconds: number }>;

/** An agent's key that waits, dead, for its approval. */
export type AgentKeyPayload = Readonly<{
  id: string;
  keyId: string;
  label: string;
  accountIds: readonly string[];
  maxTransferAmount: string | null;
  maxDailyAmount: string | null;
  sealedSecret: string;
}>;

/** A key to end. */
export type RevokePayload = Readonly<{ id: string }>;

const gone = (): Error =>
  businessError('WRONG_STATE', 'the key does not exist or is already revoked');

/** Puts a key beside those that the merchant has. */
export const issueApiKey = effect<ApiKeyPayload>({
  apply: async (tx, key, { now }) => {
    await apiKeys.insertApiKey(tx, { ...key, createdAt: now });
  },
});

/** Puts a key in the place of those that the merchant has; they work for the overlap. */
export const rotateApiKey = effect<RotateApiKeyPayload>({
  basis: async (tx, { merchantId }) => ({
    liveKeys: await apiKeys.lockLiveApiKeys(tx, merchantId),
  }),
  apply: async (tx, { overlapSeconds, ...key }, { now }) => {
    const retiresAt = new Date(now.getTime() + overlapSeconds * 1000);
    await apiKeys.retireApiKeys(tx, key.merchantId, retiresAt, now);
    await apiKeys.insertApiKey(tx, { ...key, createdAt: now });
  },
});

/** Ends a key. */
export const revokeApiKey = effect<RevokePayload>({
  apply: async (tx, { id }, { now }) => {
    if (!(await apiKeys.revokeApiKey(tx, id, now))) throw gone();
  },
});

const optionalMoney = (text: string | null) => (text === null ? null : money(text));

/** Lets an agent report. */
export const createAgentKey = effect<AgentKeyPayload>({
  apply: async (tx, key, { now }) => {
    await agentKeys.insertAgentKey(tx, {
      ...key,
      maxTransferAmount: optionalMoney(key.maxTransferAmount),
      maxDailyAmount: optionalMoney(key.maxDailyAmount),
      createdAt: now,
      revokedAt: null,
    });
  },
});

/** Ends an agent's key. */
export const revokeAgentKey = effect<RevokePayload>({
  apply: async (tx, { id }, { now }) => {
    if (!(await agentKeys.revokeAgentKey(tx, id, now))) throw gone();
  },
});
