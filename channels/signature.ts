import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LIMITS } from '../domain/limits';
import type { Webhook } from './channel';

/** The headers that identify and protect each request, in either direction (docs/channels.md). */
const HEADERS = {
  key: 'x-channel-key',
  timestamp: 'x-channel-timestamp',
  nonce: 'x-channel-nonce',
  signature: 'x-channel-signature',
} as const;

/** The headers with which a message is verified. */
export const SIGNATURE_HEADERS: readonly string[] = Object.values(HEADERS);

/** The key id and secret of a signer. */
export interface SigningKey {
  readonly keyId: string;
  readonly secret: string;
}

/** HMAC-SHA256, lower-case hex, over `timestamp.nonce.target.body`. The target binds a request to its path. */
function sign(secret: string, signed: readonly string[], body: string | Buffer): string {
  const hmac = createHmac('sha256', secret);
  hmac.update(`${signed.join('.')}.`);
  return hmac.update(body).digest('hex');
}

/**
 * The headers of a request to a channel.
 * @param target the path below the channel's base address
 */
export function signedHeaders(
  { keyId, secret }: SigningKey,
  target: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const nonce = randomBytes(16).toString('hex');
  return {
    'content-type': 'application/json',
    [HEADERS.key]: keyId,
    [HEADERS.timestamp]: timestamp,
    [HEADERS.nonce]: nonce,
    [HEADERS.signature]: sign(secret, [timestamp, nonce, target], body),
  };
}

/** Why a request is not authentic, or null if it is. Its nonce is signed, and its message id counts once. */
export function forgery({ keyId, secret }: SigningKey, { headers, body }: Webhook, now: Date): string | null {
  const [key, timestamp, nonce, signature] = Object.values(HEADERS).map((name) => headers[name]);
  if (key === undefined || timestamp === undefined || nonce === undefined || !signature) return 'a header is missing';
  if (key !== keyId) return 'the key is unknown';
  const expected = Buffer.from(sign(secret, [timestamp, nonce, 'webhook'], body));
  const given = Buffer.from(signature.toLowerCase());
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'the signature does not match';
  if (!/^\d{1,12}$/.test(timestamp)) return 'the timestamp must be Unix seconds';
  const differs = Math.abs(Number(timestamp) - Math.floor(now.getTime() / 1000));
  return differs > LIMITS.timestampWindowSeconds ? 'the timestamp is too far from our clock' : null;
}
