import { isSignedBy, isSoundKeyText, readEd25519Key } from '../../crypto/ed25519';
import { hmacSha256 } from '../../crypto/hmac';
import { hexEquals } from '../../crypto/compare';
import { signatureMatches, signMd5 } from '../../crypto/md5';
import type { Webhook } from '../../channels';
import { isListed } from '../../domain/address-list';
import { isKeyOf } from '../../crypto/tokens';
import { CatalogueError, notFound } from '../../domain/errors';
import { type SignedParameters, signingString } from '../../domain/signing';
import { noteFirstUse } from '../../db/merchants/api-keys';
import { findChannelByCode } from '../../db/channels/channels';
import type { Actor } from './actor';
import type { Needs } from '../context';

/** What a merchant's signature covers, and the signature (contract, "Authentication"). */
export interface SignedRequest {
  readonly apiKey: string;
  /** X-Timestamp, already checked against the window. */
  readonly timestamp: string;
  readonly signature: string;
  readonly parameters: SignedParameters;
  /** The client's address; null or absent if unknown. */
  readonly address?: string | null;
}

/** The permission that a create needs beyond an enabled merchant; queries need none. */
export type Permission = 'can_deposit' | 'can_withdraw';

const invalidSignature = (): CatalogueError => new CatalogueError('INVALID_SIGNATURE', 'the signature does not match');

/**
 * The merchant behind a signed request. Not a field of the schema: so no key is ever returned, and the internal
 * listener cannot make this actor.
 * @throws INVALID_SIGNATURE for an unknown key or one of the other environment, a wrong signature, or a body
 * `timestamp` that is not the header's; AUTHORIZATION_ERROR for an address outside the merchant's list, a merchant that
 * is disabled or lacks the permission
 */
export async function authenticate(
  core: Needs<'clock' | 'database' | 'environment' | 'log' | 'lookup' | 'merchantsByKey'>,
  request: SignedRequest,
  permission: Permission | null,
): Promise<Actor> {
  const { environment, merchantsByKey, lookup } = core;
  const { apiKey, timestamp, signature, parameters } = request;
  const signed = parameters.get('timestamp');
  if (signed !== undefined && signed !== timestamp) throw invalidSignature();
  // In addition to what the database holds: a sandbox key never moves real money, nor the reverse.
  if (!isKeyOf(environment, apiKey)) throw invalidSignature();
  const merchant = await merchantsByKey.call(lookup.all(apiKey));
  const expected = signMd5(signingString(parameters, timestamp), apiKey);
  if (!signatureMatches(signature, expected) || !merchant) throw invalidSignature();
  const { allowedAddresses } = merchant;
  if (allowedAddresses !== null && !isListed(request.address ?? '', allowedAddresses))
    throw new CatalogueError('AUTHORIZATION_ERROR', 'requests from this address are not accepted');
  if (!merchant.enabled) throw new CatalogueError('AUTHORIZATION_ERROR', 'the merchant is disabled');
  if (permission === 'can_deposit' && !merchant.canDeposit)
    throw new CatalogueError('AUTHORIZATION_ERROR', 'the merchant may not create deposits');
  if (permission === 'can_withdraw' && !merchant.canWithdraw)
    throw new CatalogueError('AUTHORIZATION_ERROR', 'the merchant may not create withdrawals');
  if (!merchant.apiKeyUsed) await noteUse(core, merchant.apiKeyId);
  return { kind: 'merchant', merchant };
}

/** Keys whose first use this process has recorded: concurrent requests record it once. */
const noted = new WeakMap<object, Set<string>>();

/** Records the first request of a key. If that fails, the request continues, and the next one records it. */
async function noteUse(core: Needs<'clock' | 'database' | 'log'>, keyId: string): Promise<void> {
  const known = noted.get(core) ?? new Set();
  noted.set(core, known);
  if (known.has(keyId)) return;
  known.add(keyId);
  try {
    await noteFirstUse(core.database, keyId, core.clock());
  } catch (error) {
    known.delete(keyId);
    core.log.warn({ err: error }, 'the first use of a key was not noted');
  }
}

/** An agent's signed notification (docs/bank-notifications.md). */
export interface SignedNotification {
  readonly keyId: string;
  /** X-Agent-Timestamp, already checked against the window. */
  readonly timestamp: string;
  readonly nonce: string;
  /** Over `timestamp.nonce.body`: HMAC-SHA256 in hex, or Ed25519 in base64. */
  readonly signature: string;
  readonly body: string;
}

/**
 * The agent behind a signed notification.
 * @throws INVALID_SIGNATURE for an unknown or revoked key, a wrong signature, a nonce used before, or a key for which
 * anybody can sign
 */
export async function authenticateAgent(
  { agentKeys, agentNonces, sealer }: Needs<'agentKeys' | 'agentNonces' | 'sealer'>,
  { keyId, timestamp, nonce, signature, body }: SignedNotification,
): Promise<Actor> {
  const key = await agentKeys.call(keyId);
  if (!key) throw invalidSignature();
  const { sealedSecret, ...agent } = key;
  const text = `${timestamp}.${nonce}.${body}`;
  const isSigned =
    key.publicKey === null
      ? hexEquals(signature, hmacSha256(sealer.open(sealedSecret ?? '', `agent_key:${key.id}`), text))
      : isSoundKeyText(key.publicKey) && isSignedBy(readEd25519Key(key.publicKey), text, signature);
  if (!isSigned) throw invalidSignature();
  if (!(await agentNonces.call({ agentKeyId: key.id, nonce })))
    throw new CatalogueError('INVALID_SIGNATURE', 'the nonce was already used');
  return { kind: 'agent', key: agent };
}

/** The headers of a message that are stored: those that verify it, and no cookies. */
const headersOf = ({ headers }: Webhook, names: readonly string[]): Webhook['headers'] =>
  Object.fromEntries(
    ['content-type', ...names].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

/**
 * The channel of a webhook, and its message (docs/channels.md).
 * @throws NOT_FOUND for an unknown channel, INVALID_SIGNATURE for a wrong signature, MALFORMED_REQUEST
 */
export async function authenticateChannel(
  { database, clock, openChannel }: Needs<'clock' | 'database' | 'openChannel'>,
  channelCode: string,
  webhook: Webhook,
): Promise<Actor> {
  const channel = await findChannelByCode(database, channelCode);
  if (!channel || (channel.mapped && channel.mappingVersion === null)) throw notFound('channel');
  const opened = openChannel(channel);
  const reading = opened.readWebhook(webhook, clock());
  switch (reading.kind) {
    case 'forged':
      throw new CatalogueError('INVALID_SIGNATURE', reading.problem);
    case 'malformed':
      throw new CatalogueError('MALFORMED_REQUEST', reading.problem);
    case 'message':
      return {
        kind: 'channel',
        channelId: channel.id,
        message: reading.message,
        answer: reading.answer,
        webhook: { ...webhook, headers: headersOf(webhook, opened.webhookHeaders) },
      };
  }
}
