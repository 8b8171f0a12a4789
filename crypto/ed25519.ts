import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { isSoundEd25519 } from '../domain/ed25519';

const isSound = (key: KeyObject): boolean => isSoundEd25519(key.export({ format: 'der', type: 'spki' }));

/** Reads a public key: SPKI, DER in base64. @throws if it is not an Ed25519 key, or one for which anybody can sign */
export function readEd25519Key(base64: string): KeyObject {
  const key = createPublicKey({
    ...({ format: 'der', type: 'spki' } as const),
    key: Buffer.from(base64, 'base64'),
  });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not a key of Ed25519');
  if (!isSound(key)) throw new Error('a key of Ed25519 for which anybody can sign');
  return key;
}

/** Whether a stored key still counts: older releases took keys for which anybody can sign. */
export function isSoundKeyText(base64: string): boolean {
  try {
    readEd25519Key(base64);
    return true;
  } catch {
    return false;
  }
}

/** Whether the owner of a key signed the text. @param signature base64 */
export const isSignedBy = (key: KeyObject, text: string, signature: string): boolean =>
  isSound(key) && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
