import fc from 'fast-check';
import { createSealer } from '../../crypto/seal';

const property = { numRuns: 300, seed: 3 };
const sealer = createSealer(Buffer.alloc(32, 1));
const text = fc.string({ unit: 'binary' });

test('a sealed secret opens', () => {
  fc.assert(
    fc.property(text, text, (plaintext, context) => {
      expect(sealer.open(sealer.seal(plaintext, context), context)).toBe(plaintext);
    }),
    property,
  );
});

test('the format is v1. and base64url of nonce, tag and ciphertext', () => {
  const sealed = sealer.seal('secret', 'api_key:1');
  expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  expect(Buffer.from(sealed.slice(3), 'base64url')).toHaveLength(12 + 16 + 'secret'.length);
});

test('the same secret seals differently each time', () => {
  const sealed = Array.from({ length: 100 }, () => sealer.seal('secret', 'api_key:1'));
  expect(new Set(sealed).size).toBe(100);
});

test('it opens only in its context', () => {
  fc.assert(
    fc.property(text, text, (context, other) => {
      fc.pre(context !== other);
      const sealed = sealer.seal('secret', context);
      expect(() => sealer.open(sealed, other)).toThrow('does not open');
    }),
    property,
  );
});

test('it opens only with its key', () => {
  const other = createSealer(Buffer.alloc(32, 2));
  expect(() => other.open(sealer.seal('secret', 'a'), 'a')).toThrow('does not open');
});

const opens = (sealed: string): boolean => {
  try {
    sealer.open(sealed, 'api_key:1');
    return true;
  } catch {
    return false;
  }
};

test('every changed bit is noticed', () => {
  const sealed = sealer.seal('secret', 'api_key:1');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  const changed = Array.from({ length: bytes.length * 8 }, (_, bit) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    return `v1.${copy.toString('base64url')}`;
  });
  expect(opens(sealed)).toBe(true);
  expect(changed.filter(opens)).toEqual([]);
});

test('every changed, removed or added character is noticed, even where base64 would not care', () => {
  const sealed = sealer.seal('secrets', 'api_key:1');
  const changed = Array.from(sealed).flatMap((character, at) => [
    sealed.slice(0, at) + (character === 'A' ? 'B' : 'A') + sealed.slice(at + 1),
    sealed.slice(0, at) + String.fromCharCode(character.charCodeAt(0) + 1) + sealed.slice(at + 1),
    sealed.slice(0, at) + sealed.slice(at + 1),
    `${sealed.slice(0, at)} ${sealed.slice(at)}`,
    sealed.slice(0, at),
  ]);
  expect(changed.filter(opens)).toEqual([]);
  expect([`${sealed}=`, `${sealed}\n`, `${sealed}A`, '', 'v1.', 'v2.AAAA'].filter(opens)).toEqual([]);
});

test('the error names the context and no secret', () => {
  expect(() => sealer.open('v1.hush', 'api_key:1')).toThrow(
    'the sealed secret of api_key:1 does not open: changed, moved from elsewhere, or another key',
  );
});

test.each([0, 16, 31, 33, 64])('a key of %d bytes is refused', (length) => {
  expect(() => createSealer(Buffer.alloc(length))).toThrow('32 bytes');
});
