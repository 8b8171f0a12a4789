import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The field of the curve. */
const P = 2n ** 255n - 19n;
/** The y of a point of order 8; the other one is its negative. */
const Y8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y of the eight points of low order. A signature by a key that is one says nothing: anybody can make it. */
const LOW_ORDER: ReadonlySet<bigint> = new Set([0n, 1n, P - 1n, Y8, P - Y8]);

/**
 * Whether a public key of Ed25519 is the usual spelling of a point whose private key somebody can have (RFC 8032, 5.1.3):
 * not one of low order, with either sign, and not a y beyond the field.
 */
export function isSoundEd25519Key(key: KeyObject): boolean {
  // The last 32 bytes of its SPKI: y with its lowest byte first, and the sign of x in the highest bit.
  const point = key.export({ format: 'der', type: 'spki' }).subarray(-32).reverse();
  const y = BigInt(`0x${point.toString('hex')}`) & (2n ** 255n - 1n);
  return y < P && !LOW_ORDER.has(y);
}

/** Reads a public key: SPKI, DER in base64. @throws if it is not an Ed25519 key, or one for which anybody can sign */
export function readEd25519Key(base64: string): KeyObject {
  const key = createPublicKey({
    ...({ format: 'der', type: 'spki' } as const),
    key: Buffer.from(base64, 'base64'),
  });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not a key of Ed25519');
  if (!isSoundEd25519Key(key)) throw new Error('a key of Ed25519 for which anybody can sign');
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
  isSoundEd25519Key(key) && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
