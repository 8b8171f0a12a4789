import { hmacSha256 } from './hmac';

const KEY_BYTES = 32;

/**
 * Makes the function that turns a secret into its look-up key: a keyed hash, so that a copy of the database neither
 * reveals the secret nor lets anybody test guesses.
 * @param key at least 32 bytes, other than the sealing key
 * @returns secret → HMAC-SHA256, lower-case hex
 */
export function createLookup(key: Buffer): (secret: string) => string {
  if (key.length < KEY_BYTES)
    throw new RangeError(`the lookup key must have at least ${KEY_BYTES} bytes`);
  return (secret) => hmacSha256(key, secret);
}
