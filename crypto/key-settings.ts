import { keyTextsOf } from '../runtime/secret-settings';
import type { AuditKeys } from './audit-signer';
import { firstKey, KeyRing, keyIdOf, type PlatformKey, platformKey } from './key-ring';
import { weaknessOf } from './weak-key';

/** The settings that hold keys. Each may be a file's (`…_FILE`) or wrapped by a KMS (runtime/secret-settings.ts). */
export interface KeyTexts {
  readonly CAUSEWAY_KEYS?: string;
  readonly CAUSEWAY_AUDIT_KEY?: string;
  readonly CAUSEWAY_LOOKUP_KEY?: string;
  readonly CAUSEWAY_ENCRYPTION_KEY?: string;
  readonly CASHIER_TOKEN_SECRET?: string;
}

/** The keys of a process. */
export interface Keys {
  /** At least one; the first is the current one until the database names another. */
  readonly ring: readonly PlatformKey[];
  readonly audit: AuditKeys;
}

function key32(name: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error(`${name} must be 32 bytes in base64`);
  return key;
}

/** The keys in a setting. @throws if one is not 32 bytes in base64 */
const keysOf = (name: keyof KeyTexts, text: string | undefined): readonly Buffer[] =>
  keyTextsOf(text).map((entry) => key32(name, entry));

const FIRST = ['CAUSEWAY_LOOKUP_KEY', 'CAUSEWAY_ENCRYPTION_KEY', 'CASHIER_TOKEN_SECRET'] as const;

/** The three keys from before the ring. @throws if only some are set, or two are equal */
function firstOf(texts: KeyTexts): PlatformKey | null {
  const found = FIRST.map((name) => texts[name]);
  if (found.every((text) => text === undefined)) return null;
  const [lookup, seal, cashier] = FIRST.map((name) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`${name} must be set, as ${FIRST.join(' or ')} is`);
    return key32(name, text);
  });
  if (!lookup || !seal || !cashier) throw new Error(`${FIRST.join(', ')} must be set`);
  if (lookup.equals(seal) || lookup.equals(cashier) || seal.equals(cashier))
    throw new Error(`${FIRST.join(', ')} must differ`);
  return firstKey({ lookup, seal, cashier });
}

/** The keys of CAUSEWAY_KEYS. @throws if one is not 32 bytes in base64 */
export const ringKeys = (text: string | undefined): readonly PlatformKey[] =>
  keysOf('CAUSEWAY_KEYS', text).map(platformKey);

/** The keys that verify what was signed. @throws if one is not 32 bytes in base64 */
export const auditKeysOf = (texts: {
  readonly [Name in 'CAUSEWAY_AUDIT_KEY' | 'CAUSEWAY_LOOKUP_KEY']?: string | undefined;
}): AuditKeys => ({
  own: keysOf('CAUSEWAY_AUDIT_KEY', texts.CAUSEWAY_AUDIT_KEY),
  lookup: texts.CAUSEWAY_LOOKUP_KEY ? key32('CAUSEWAY_LOOKUP_KEY', texts.CAUSEWAY_LOOKUP_KEY) : null,
});

/**
 * Reads the keys of a process.
 * @param strict production: refuses keys that are weak, and the same key twice
 * @throws with the setting's name
 */
export function readKeys(texts: KeyTexts, strict: boolean): Keys {
  if (strict) refuseWeak(texts);
  const first = firstOf(texts);
  const ring = [...(first ? [first] : []), ...ringKeys(texts.CAUSEWAY_KEYS)];
  if (ring.length === 0) throw new Error(`CAUSEWAY_KEYS must have a key, or ${FIRST.join(', ')} be set`);
  // Two keys with one id are refused here, before anything is made with them.
  new KeyRing(ring);
  const own = keysOf('CAUSEWAY_AUDIT_KEY', texts.CAUSEWAY_AUDIT_KEY);
  const named = new Set([...ring.map(({ id }) => id), ...own.map(keyIdOf)]);
  if (named.size < ring.length + own.length)
    throw new Error('CAUSEWAY_AUDIT_KEY and CAUSEWAY_KEYS must be different keys, each named once');
  return { ring, audit: { own, lookup: first?.lookup ?? null } };
}

/** @throws with the setting's name if a key can be guessed, or is there twice */
function refuseWeak(texts: KeyTexts): void {
  const seen = new Map<string, string>();
  for (const name of ['CAUSEWAY_KEYS', 'CAUSEWAY_AUDIT_KEY', ...FIRST] as const)
    for (const key of keysOf(name, texts[name])) {
      const weakness = weaknessOf(key);
      if (weakness !== null)
        throw new Error(`${name}: ${weakness}; production needs 32 random bytes (npm run keys:new)`);
      const other = seen.get(key.toString('hex'));
      if (other !== undefined) throw new Error(`${name} and ${other} have the same key: each needs its own`);
      seen.set(key.toString('hex'), name);
    }
}
