import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A channel's secrets by their names. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * The secrets of a channel: one text, or a JSON object of several, of which `sign` signs, such as
 * `{"sign": "…", "token": "…"}`.
 */
export function secretsOf(secret: string): Secrets {
  if (!secret.trimStart().startsWith('{')) return { sign: secret };
  try {
    const parsed = JSON.parse(secret) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(parsed).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
  } catch {
    return { sign: secret };
  }
}

const isPem = (text: string): boolean => text.includes('-----BEGIN');
/** Some providers give keys as base64 without a PEM's first and last line. */
const derOf = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ''), 'base64');

/** @throws if the text is not a private key */
export function privateKeyOf(text: string): KeyObject {
  if (isPem(text)) return createPrivateKey(text);
  const der = { key: derOf(text), format: 'der' } as const;
  try {
    return createPrivateKey({ ...der, type: 'pkcs8' });
  } catch {
    return createPrivateKey({ ...der, type: 'pkcs1' });
  }
}

/** @throws if the text is not a public key */
export function publicKeyOf(text: string): KeyObject {
  if (isPem(text)) return createPublicKey(text);
  return createPublicKey({ key: derOf(text), format: 'der', type: 'spki' });
}
