import { hkdfSync } from 'node:crypto';
import { hmacSha256 } from './hmac';

const KEY_BYTES = 32;
/** 32 bits: enough to tell a few keys apart; a ring refuses two that share one. */
const ID_CHARACTERS = 8;

/** A key of the platform: one secret for each purpose, so that none can be used for another. */
export interface PlatformKey {
  /** Made from the key itself: processes cannot give one key two names, nor two keys one name. */
  readonly id: string;
  /**
   * Whether what it makes names it. What was made before there was a ring names no key: it belongs to the three
   * settings of that time, which sign as they did then.
   */
  readonly named: boolean;
  readonly seal: Buffer;
  readonly lookup: Buffer;
  readonly cashier: Buffer;
}

/** The secret of one purpose. */
export const derived = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, 'causeway', purpose, KEY_BYTES));

/** What a key is called: 8 hexadecimal characters, which reveal nothing of it. */
export const keyIdOf = (key: Buffer): string => hmacSha256(derived(key, 'id'), 'id').slice(0, ID_CHARACTERS);

/** @param key 32 random bytes */
export function platformKey(key: Buffer): PlatformKey {
  if (key.length !== KEY_BYTES) throw new RangeError(`a key must have ${KEY_BYTES} bytes`);
  return {
    id: keyIdOf(key),
    named: true,
    seal: derived(key, 'seal'),
    lookup: derived(key, 'look-up'),
    cashier: derived(key, 'cashier'),
  };
}

/** The three keys from before the ring, as one key of it. */
export const firstKey = (keys: Pick<PlatformKey, 'seal' | 'lookup' | 'cashier'>): PlatformKey => ({
  ...keys,
  id: keyIdOf(Buffer.concat([keys.seal, keys.lookup, keys.cashier])),
  named: false,
});

/** The keys of a process: it opens with each of them, and makes what is new with the current one. */
export class KeyRing {
  private readonly keys = new Map<string, PlatformKey>();
  private now: PlatformKey;

  /** @param keys the first is the current one until the database names another */
  constructor(keys: readonly PlatformKey[]) {
    const [first] = keys;
    if (!first) throw new Error('a ring needs a key');
    this.now = first;
    this.learn(keys);
  }

  get current(): PlatformKey {
    return this.now;
  }

  /** All keys, the current one first. */
  get all(): readonly PlatformKey[] {
    return [this.now, ...[...this.keys.values()].filter(({ id }) => id !== this.now.id)];
  }

  /** The key with this id; undefined stands for the one from before the ring. */
  find(id: string | undefined): PlatformKey | undefined {
    if (id === undefined) return [...this.keys.values()].find(({ named }) => !named);
    const key = this.keys.get(id);
    return key?.named === true ? key : undefined;
  }

  has(id: string): boolean {
    return this.keys.has(id);
  }

  /** Adds keys; those that are there stay. @throws if two different keys have one id */
  learn(keys: readonly PlatformKey[]): void {
    for (const key of keys) {
      const known = this.keys.get(key.id);
      if (known && (known.named !== key.named || !known.seal.equals(key.seal)))
        throw new Error(`two keys are called ${key.id}: make another one`);
      if (!known) this.keys.set(key.id, key);
    }
  }

  /** Makes what is new with this key from here on. @returns false if the ring lacks it */
  use(id: string): boolean {
    const key = this.keys.get(id);
    if (key) this.now = key;
    return key !== undefined;
  }
}
