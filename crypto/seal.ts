import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1.';
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

/**
 * Encrypts with AES-256-GCM and a fresh random nonce; the context is authenticated. A sealed text is `v1.` and
 * base64url of nonce (12 bytes), tag (16 bytes), ciphertext.
 * @param key 32 bytes
 */
export function createSealer(key: Buffer): Sealer {
  if (key.length !== KEY_BYTES)
    throw new RangeError(`the sealing key must have ${KEY_BYTES} bytes`);

  function decrypt(sealed: string, context: string): string {
    const bytes = sealed.startsWith(VERSION)
      ? decodeCanonical(sealed.slice(VERSION.length))
      : undefined;
    if (!bytes || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('not a sealed text');
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const ciphertext = bytes.subarray(IV_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString();
  }

  return {
    seal(plaintext, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString('base64url');
    },
    open(sealed, context) {
      try {
        return decrypt(sealed, context);
      } catch (cause) {
        throw new Error(
          `the sealed secret of ${context} does not open: changed, moved from elsewhere, or another key`,
          { cause },
        );
      }
    },
  };
}
