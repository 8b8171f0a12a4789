import { hmacSha256 } from '../../crypto/hmac';
import { createLookup } from '../../crypto/lookup';

const key = Buffer.alloc(32, 1);

test('the same secret has the same look-up key, another secret another one', () => {
  const lookupHash = createLookup(key);
  expect(lookupHash('pre_abc')).toBe(hmacSha256(key, 'pre_abc'));
  expect(lookupHash('pre_abc')).toMatch(/^[0-9a-f]{64}$/);
  expect(lookupHash('pre_abd')).not.toBe(lookupHash('pre_abc'));
});

test('another key finds nothing', () => {
  expect(createLookup(Buffer.alloc(32, 2))('pre_abc')).not.toBe(createLookup(key)('pre_abc'));
});

test('a short key is refused', () => {
  expect(() => createLookup(Buffer.alloc(31))).toThrow('at least 32 bytes');
});
