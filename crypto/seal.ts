import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { KeyRing, type PlatformKey } from './key-ring';

const CIPHER = 'aes-256-gcm';
/** Sealed before there was a ring of keys: it names none. */
const UNNAMED = 'v1.';
/** The key's id and a dot follow. */
const NAMED = 'v2.';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets at rest, such as api keys, which callbacks need in the clear. */
export interface Sealer {
  /** @param context where the secret is stored, such as `api_key:<id>`; it opens only with the same context */
  seal(plaintext: string, context: string): string;
  /** @throws Error if the text was changed, moved to another context or sealed with another key */
  open(sealed: string, context: string): string;
}

/** Node's base64url decoder skips unknown characters: only the canonical spelling is accepted. */
function decodeCanonical(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** A key by the name that a sealed text gives it: none, or its id. */
type FindKey = (id: string | undefined) => Buffer | undefined;

/** The parts of a sealed text. @throws if it is none */
function partsOf(sealed: string): { readonly id: string | undefined; readonly bytes: Buffer } {
  const [, id, named] = /^v2\.([0-9a-f]{8})\.(.*)$/s.exec(sealed) ?? [];
  const text = sealed.startsWith(UNNAMED) ? sealed.slice(UNNAMED.length) : named;
  const bytes = text === undefined ? undefined : decodeCanonical(text);
  if (!bytes || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed text');
  return { id, bytes };
}

function decrypt(sealed: string, context: string, find: FindKey): string {
  const { id, bytes } = partsOf(sealed);
  const key = find(id);
  if (!key) throw new Error(`this process lacks the key ${id ?? 'from before the ring'}`);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const ciphertext = bytes.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
}

function encrypt(plaintext: string, context: string, key: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

/** What each text begins with that a key sealed. */
export const sealedBy = ({ id, named }: Pick<PlatformKey, 'id' | 'named'>): string =>
  named ? `${NAMED}${id}.` : UNNAMED;

/**
 * Encrypts with AES-256-GCM and a fresh random nonce; the context is authenticated. A sealed text is `v2.`, the id of
 * its key and a dot, or `v1.` for a key without a name; then base64url of nonce (12 bytes), tag (16 bytes), ciphertext.
 * @param keys a ring, which seals with its current key and opens with all; or one key without a name, 32 bytes
 */
export function createSealer(keys: KeyRing | Buffer): Sealer {
  if (!(keys instanceof KeyRing) && keys.length !== KEY_BYTES)
    throw new RangeError(`the sealing key must have ${KEY_BYTES} bytes`);
  const find: FindKey = (id) => {
    if (keys instanceof KeyRing) return keys.find(id)?.seal;
    return id === undefined ? keys : undefined;
  };
  return {
    seal(plaintext, context) {
      if (!(keys instanceof KeyRing)) return UNNAMED + encrypt(plaintext, context, keys);
      return sealedBy(keys.current) + encrypt(plaintext, context, keys.current.seal);
    },
    open(sealed, context) {
      try {
        return decrypt(sealed, context, find);
      } catch (cause) {
        throw new Error(
          `the sealed secret of ${context} does not open: changed, moved from elsewhere, or another key`,
          { cause },
        );
      }
    },
  };
}
