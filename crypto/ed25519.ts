import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** Reads a public key: SPKI, DER in base64. @throws if it is not an Ed25519 key */
export function readEd25519Key(base64: string): KeyObject {
  const key = createPublicKey({
    ...({ format: 'der', type: 'spki' } as const),
    key: Buffer.from(base64, 'base64'),
  });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not a key of Ed25519');
  return key;
}

/** Whether the owner of a key signed the text. @param signature base64 */
export const isSignedBy = (key: KeyObject, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
