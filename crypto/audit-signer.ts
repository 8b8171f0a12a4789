import { hexEquals } from './compare';
import { hmacSha256 } from './hmac';
import { derived, keyIdOf } from './key-ring';

/** What a look at a signature says; UNKNOWN_KEY: the key that it names was not given. */
export type SignatureFinding = 'RIGHT' | 'WRONG' | 'UNKNOWN_KEY';

/** Signs what must be noticed when it is changed: the audit log's rows and the heads of the ledger's chain. */
export interface AuditSigner {
  /** HMAC-SHA256, lower-case hex, after the id of its key and a dot; without them under the look-up key. */
  readonly sign: (text: string) => string;
  readonly judge: (text: string, signature: string) => SignatureFinding;
}

/** The keys of an audit signer. */
export interface AuditKeys {
  /** 32 bytes each; the first signs, the others verify. */
  readonly own: readonly Buffer[];
  /** The look-up key, which signed before there was a key of its own, and where none is set. Null: not given. */
  readonly lookup: Buffer | null;
}

/** The id of the key that a signature names; null: the look-up key from before. */
export const signedWith = (signature: string): string | null =>
  signature.includes('.') ? signature.slice(0, signature.indexOf('.')) : null;

/** @throws when it signs, if there is no key */
export function createAuditSigner({ own, lookup }: AuditKeys): AuditSigner {
  const keys = new Map(own.map((key) => [keyIdOf(key), derived(key, 'audit')]));
  const under = (id: string | null, text: string): string | undefined => {
    const key = id === null ? lookup : keys.get(id);
    return key ? (id === null ? '' : `${id}.`) + hmacSha256(key, text) : undefined;
  };
  const [current = null] = keys.keys();
  return {
    sign(text) {
      const signature = under(current, text);
      if (signature === undefined) throw new Error('CAUSEWAY_AUDIT_KEY must be set');
      return signature;
    },
    judge(text, signature) {
      const expected = under(signedWith(signature), text);
      if (expected === undefined) return 'UNKNOWN_KEY';
      return hexEquals(signature, expected) ? 'RIGHT' : 'WRONG';
    },
  };
}
