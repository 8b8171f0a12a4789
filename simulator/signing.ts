import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The key that the simulator shares with its client. */
export interface SharedKey {
  readonly keyId: string;
  readonly secret: string;
}

/** How long a request is valid, seconds. */
const WINDOW_SECONDS = 300;

function signatureOf(secret: string, parts: readonly string[], body: string): string {
  return createHmac('sha256', secret)
    .update(`${parts.join('.')}.${body}`)
    .digest('hex');
}

/** Headers of a webhook. */
export function signWebhook({ keyId, secret }: SharedKey, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomBytes(16).toString('hex');
  return {
    'content-type': 'application/json',
    'x-channel-key': keyId,
    'x-channel-timestamp': timestamp,
    'x-channel-nonce': nonce,
    'x-channel-signature': signatureOf(secret, [timestamp, nonce, 'webhook'], body),
  };
}

/** Lets in requests that its client has signed, each nonce once. */
export class Doorkeeper {
  private readonly seen = new Set<string>();

  constructor(private readonly key: SharedKey) {}

  /** @param target the path below the base address */
  admits(headers: IncomingHttpHeaders, target: string, body: string): boolean {
    const of = (name: string): string => String(headers[`x-channel-${name}`] ?? '');
    const [timestamp, nonce] = [of('timestamp'), of('nonce')];
    const expected = Buffer.from(signatureOf(this.key.secret, [timestamp, nonce, target], body));
    const given = Buffer.from(of('signature'));
    const fresh = Math.abs(Number(timestamp) - Date.now() / 1000) <= WINDOW_SECONDS;
    const known = of('key') === this.key.keyId && nonce !== '' && !this.seen.has(nonce);
    if (!known || !fresh || given.length !== expected.length) return false;
    if (!timingSafeEqual(given, expected)) return false;
    this.seen.add(nonce);
    return true;
  }
}
