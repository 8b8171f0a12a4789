import { createHash, createHmac } from 'node:crypto';

/** Fields of flat text, as these actors send and get them. */
export type Fields = Readonly<Record<string, string | null>>;

/** Contract, "Authentication", written again without the product's code. */
export function merchantSignature(fields: Fields, apiKey: string): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => `${key}=${value ?? ''}`);
  return createHash('md5')
    .update(pairs.join('&') + apiKey)
    .digest('hex');
}

/** docs/bank-notifications.md, "Request". */
export const agentSignature = (secret: string, timestamp: string, nonce: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${nonce}.${body}`).digest('hex');

/** X-Timestamp, now. */
export const unixSeconds = (): string => Math.floor(Date.now() / 1000).toString();
