import { hmacSha256 } from './hmac';
import { KeyRing, type PlatformKey } from './key-ring';

const KEY_BYTES = 32;

/** Turns a secret into what it is found by. */
export interface Lookup {
  /** Under the current key: what is stored. HMAC-SHA256, lower-case hex, after the key's id and a dot if it has one. */
  (secret: string): string;
  /** Under each key of the ring, the current one first: what is searched for. */
  readonly all: (secret: string) => readonly string[];
}

const hashOf = ({ id, lookup, named }: PlatformKey, secret: string): string =>
  (named ? `${id}.` : '') + hmacSha256(lookup, secret);

/**
 * Makes the function that turns a secret into its look-up key: a keyed hash, so that a copy of the database neither
 * reveals the secret nor lets anybody test guesses.
 * @param keys a ring; or one key without a name, at least 32 bytes, other than the sealing key
 */
export function createLookup(keys: KeyRing | Buffer): Lookup {
  if (keys instanceof KeyRing)
    return Object.assign((secret: string) => hashOf(keys.current, secret), {
      all: (secret: string) => keys.all.map((key) => hashOf(key, secret)),
    });
  if (keys.length < KEY_BYTES) throw new RangeError(`the lookup key must have at least ${KEY_BYTES} bytes`);
  const lookup = (secret: string): string => hmacSha256(keys, secret);
  return Object.assign(lookup, { all: (secret: string) => [lookup(secret)] });
}

/** Enough of a look-up hash to tell secrets apart by: without the name of its key, which all share. */
export const shortHash = (hash: string, characters: number): string =>
  hash.slice(hash.indexOf('.') + 1).slice(0, characters);
