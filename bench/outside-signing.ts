import { createHmac, hash } from 'node:crypto';

/* Signatures of callers from outside, written from the contract without the product's code. */

/** Contract, "Authentication". Keys and values are ASCII here. */
export function merchantSignature(parameters: Readonly<Record<string, string>>, apiKey: string): string {
  const text = Object.keys(parameters)
    .sort()
    .map((key) => `${key}=${parameters[key] ?? ''}`)
    .join('&');
  return hash('md5', text + apiKey);
}

/** docs/bank-notifications.md, "Request". */
export const agentSignature = (secret: string, timestamp: string, nonce: string, body: string): string =>
  createHmac('sha256', secret).update(`${timestamp}.${nonce}.${body}`).digest('hex');

/** X-Timestamp, now. */
export const unixSeconds = (): string => Math.floor(Date.now() / 1000).toString();
