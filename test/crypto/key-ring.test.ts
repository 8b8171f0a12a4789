import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createCashierTokens } from '../../crypto/cashier-token';
import { firstKey, KeyRing, type PlatformKey, platformKey } from '../../crypto/key-ring';
import { createLookup, shortHash } from '../../crypto/lookup';
import { createSealer } from '../../crypto/seal';

const property = { numRuns: 100, seed: 5 };
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((key) => Buffer.from(key));
const text = fc.string({ unit: 'binary' });
const first = firstKey({
  seal: randomBytes(32),
  lookup: randomBytes(32),
  cashier: randomBytes(32),
});
/** One to four different keys, with that from before the ring or without it, and which of them is current. */
const ring = fc
  .record({
    keys: fc.uniqueArray(bytes, {
      minLength: 1,
      maxLength: 4,
      selector: (key) => key.toString('hex'),
    }),
    old: fc.boolean(),
    current: fc.nat(),
  })
  .map(({ keys, old, current }) => {
    const all: PlatformKey[] = [...(old ? [first] : []), ...keys.map(platformKey)];
    const made = new KeyRing(all);
    made.use(all[current % all.length]?.id ?? '');
    return { all, made };
  });
/** A ring with the same keys, of which another one is current. */
const turned = (all: readonly PlatformKey[], by: number): KeyRing => {
  const other = new KeyRing(all);
  other.use(all[by % all.length]?.id ?? '');
  return other;
};

test('a secret sealed by any key of the ring opens, whichever key is current', () => {
  fc.assert(
    fc.property(ring, fc.nat(), text, text, ({ all, made }, by, plaintext, context) => {
      const sealed = createSealer(made).seal(plaintext, context);
      expect(createSealer(turned(all, by)).open(sealed, context)).toBe(plaintext);
      expect(sealed.split('.')[1]).toEqual(
        made.current.named ? made.current.id : expect.not.stringMatching(/^[0-9a-f]{8}$/),
      );
    }),
    property,
  );
});

test('secrets sealed and hashed before the ring still open and are found', () => {
  const made = new KeyRing([platformKey(randomBytes(32)), first]);
  const sealed = createSealer(first.seal).seal('secret', 'a');
  expect(sealed).toMatch(/^v1\./);
  expect(createSealer(made).open(sealed, 'a')).toBe('secret');
  expect(createLookup(made).all('secret')).toContain(createLookup(first.lookup)('secret'));
});

test('a text of a key that the ring lacks, or with another id, is refused', () => {
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      fc.pre(!one.equals(other));
      const [mine, theirs] = [platformKey(one), platformKey(other)];
      const sealed = createSealer(new KeyRing([mine])).seal('secret', 'a');
      expect(() => createSealer(new KeyRing([theirs])).open(sealed, 'a')).toThrow('does not open');
      const renamed = sealed.replace(mine.id, theirs.id);
      expect(() => createSealer(new KeyRing([mine, theirs])).open(renamed, 'a')).toThrow('does not open');
    }),
    property,
  );
});

test('the purposes of a key have secrets of their own', () => {
  fc.assert(
    fc.property(bytes, (key) => {
      const { seal, lookup, cashier } = platformKey(key);
      expect(new Set([key, seal, lookup, cashier].map((one) => one.toString('hex'))).size).toBe(4);
      const sealed = createSealer(new KeyRing([platformKey(key)])).seal('secret', 'a');
      const wrong = { ...platformKey(key), seal: lookup };
      expect(() => createSealer(new KeyRing([wrong])).open(sealed, 'a')).toThrow('does not open');
    }),
    property,
  );
});

test('a secret is found under every key of the ring, and stored under the current one', () => {
  fc.assert(
    fc.property(ring, fc.nat(), text, ({ all, made }, by, secret) => {
      const stored = createLookup(made)(secret);
      const found = createLookup(turned(all, by)).all(secret);
      expect(found).toContain(stored);
      expect(new Set(found).size).toBe(all.length);
      expect(shortHash(stored, 12)).toMatch(/^[0-9a-f]{12}$/);
    }),
    property,
  );
});

test('a cashier token of any key of the ring is read, and one of another key or another id is not', async () => {
  const sessionId = '0190b8d3-0000-7000-8000-000000000001';
  const [one, two] = [platformKey(randomBytes(32)), platformKey(randomBytes(32))];
  const tokens = (...keys: PlatformKey[]) => createCashierTokens(new KeyRing(keys), 'sandbox');
  for (const key of [first, one]) {
    const token = await tokens(key).sign({ sessionId });
    expect(await tokens(two, first, one).read(token)).toEqual({ sessionId });
    expect(await tokens(two).read(token)).toBeUndefined();
  }
  const [head = '', ...rest] = (await tokens(one).sign({ sessionId })).split('.');
  const header = {
    ...(JSON.parse(Buffer.from(head, 'base64url').toString()) as object),
    kid: two.id,
  };
  const renamed = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
  expect(await tokens(one, two).read(renamed)).toBeUndefined();
});

test('a ring knows its keys by ids, and uses only those that it has', () => {
  const [one, two] = [platformKey(randomBytes(32)), platformKey(randomBytes(32))];
  const made = new KeyRing([first, one]);
  expect(made.use(two.id)).toBe(false);
  expect(made.current).toBe(first);
  made.learn([one, two]);
  expect(made.use(two.id)).toBe(true);
  expect(made.all.map(({ id }) => id)).toEqual([two.id, first.id, one.id]);
  // The keys from before the ring are found without a name alone.
  expect([made.find(undefined), made.find(first.id)]).toEqual([first, undefined]);
  expect(() => {
    made.learn([{ ...one, seal: two.seal }]);
  }).toThrow('two keys are called');
  expect(() => new KeyRing([])).toThrow('needs a key');
});
