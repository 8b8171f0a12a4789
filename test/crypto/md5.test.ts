import fc from 'fast-check';
import { signatureMatches, signMd5 } from '../../crypto/md5';

const signature = '900150983cd24fb0d6963f7d28e17f72';

test('the api key follows without separator; RFC 1321 vectors', () => {
  expect(signMd5('ab', 'c')).toBe(signature);
  expect(signMd5('', '')).toBe('d41d8cd98f00b204e9800998ecf8427e');
  expect(signMd5('abcdefghijklm', 'nopqrstuvwxyz')).toBe('c3fcd3d76192e4007dfb496cca67e13b');
});

test('texts count as UTF-8', () => {
  expect(signMd5('é', '😀')).toBe('62b3afe3b01f6f80152b567d9b216cde');
});

test('case does not matter', () => {
  expect(signatureMatches(signature, signature)).toBe(true);
  expect(signatureMatches(signature.toUpperCase(), signature)).toBe(true);
});

test.each(['', ' ', signature.slice(1), `${signature}0`, ` ${signature}`, '9'.repeat(32), 'g'.repeat(32), 'é'.repeat(16), '\ud83d', '0x900150983cd24fb0d6963f7d28e17f72', '9'.repeat(16_384)])(
  '%j does not match',
  (given) => {
    expect(signatureMatches(given, signature)).toBe(false);
  },
); // prettier-ignore

test('only the signature matches, and nothing throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 30, maxLength: 34 }), (given) => {
      expect(signatureMatches(given, signature)).toBe(false);
    }),
    { numRuns: 300, seed: 3 },
  );
});

test('every changed digit is noticed', () => {
  const changed = Array.from(signature, (digit, at) => {
    const other = digit === '0' ? '1' : '0';
    return signature.slice(0, at) + other + signature.slice(at + 1);
  });
  expect(changed.filter((given) => signatureMatches(given, signature))).toEqual([]);
});
