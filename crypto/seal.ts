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
  /** As `seal`, for a file: base64url would make it a third longer. */
  sealBytes(plaintext: Buffer, context: string): Buffer;
  /** As `open`, of `sealBytes`. */
  openBytes(sealed: Buffer, context: string): Buffer;
}

/** Node's base64url decoder skips unknown characters: only the canonical spelling is accepted. */
function decodeCanonical(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/** A key by the name that a sealed text gives it: none, or its id. */
type FindKey = (id: string | undefined) => Buffer | undefined;

/** What something sealed begins with: the name of its key. */
const PREFIX = /^(?:v1\.|v2\.([0-9a-f]{8})\.)/;
const LONGEST_PREFIX = 12;

/** The parts of something sealed. */
interface Parts {
  readonly id: string | undefined;
  readonly bytes: Buffer;
}

/** The parts of a sealed text; undefined if it is none. */
function partsOfText(sealed: string): Parts | undefined {
  const [prefix, id] = PREFIX.exec(sealed) ?? [];
  const bytes = prefix === undefined ? undefined : decodeCanonical(sealed.slice(prefix.length));
  return bytes && bytes.length >= IV_BYTES + TAG_BYTES ? { id, bytes } : undefined;
}

/** The parts of a sealed file; undefined if it is none. */
function partsOfBytes(sealed: Buffer): Parts | undefined {
  const [prefix, id] = PREFIX.exec(sealed.toString('latin1', 0, LONGEST_PREFIX)) ?? [];
  const bytes = prefix === undefined ? undefined : sealed.subarray(prefix.length);
  return bytes && bytes.length >= IV_BYTES + TAG_BYTES ? { id, bytes } : undefined;
}

/** The key of a value that has the form of something sealed; undefined for any other value. */
export const keyOfSealed = (value: string | Buffer): Pick<Parts, 'id'> | undefined =>
  typeof value === 'string' ? partsOfText(value) : partsOfBytes(value);

function decrypt(parts: Parts | undefined, context: string, find: FindKey): Buffer {
  if (!parts) throw new Error('it is not sealed');
  const { id, bytes } = parts;
  const key = find(id);
  if (!key) throw new Error(`this process lacks the key ${id ?? 'from before the ring'}`);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

function encrypt(plaintext: Buffer, context: string, key: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** What each text begins with that a key sealed. */
export const sealedBy = ({ id, named }: Pick<PlatformKey, 'id' | 'named'>): string =>
  named ? `${NAMED}${id}.` : UNNAMED;

/**
 * Encrypts with AES-256-GCM and a fresh random nonce; the context is authenticated. A sealed text is `v2.`, the id of
 * its key and a dot, or `v1.` for a key without a name; then base64url of nonce (12 bytes), tag (16 bytes), ciphertext.
 * A sealed file is the same without base64url.
 * @param keys a ring, which seals with its current key and opens with all; or one key without a name, 32 bytes
 */
export function createSealer(keys: KeyRing | Buffer): Sealer {
  if (!(keys instanceof KeyRing) && keys.length !== KEY_BYTES)
    throw new RangeError(`the sealing key must have ${KEY_BYTES} bytes`);
  const find: FindKey = (id) => {
    if (keys instanceof KeyRing) return keys.find(id)?.seal;
    return id === undefined ? keys : undefined;
  };
  const opened = (parts: Parts | undefined, context: string): Buffer => {
    try {
      return decrypt(parts, context, find);
    } catch (cause) {
      throw new Error(`the sealed secret of ${context} does not open: changed, moved from elsewhere, or another key`, {
        cause,
      });
    }
  };
  /** What it begins with, and the rest. */
  const sealed = (plaintext: Buffer, context: string): readonly [string, Buffer] =>
    keys instanceof KeyRing
      ? [sealedBy(keys.current), encrypt(plaintext, context, keys.current.seal)]
      : [UNNAMED, encrypt(plaintext, context, keys)];
  return {
    seal(plaintext, context) {
      const [prefix, bytes] = sealed(Buffer.from(plaintext), context);
      return prefix + bytes.toString('base64url');
    },
    open: (text, context) => opened(partsOfText(text), context).toString(),
    sealBytes: (plaintext, context) => {
      const [prefix, bytes] = sealed(plaintext, context);
      return Buffer.concat([Buffer.from(prefix), bytes]);
    },
    openBytes: (file, context) => opened(partsOfBytes(file), context),
  };
}
