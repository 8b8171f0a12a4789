import fc from 'fast-check';
import { callbackSigningString, compareUtf8, signingString } from '../../domain/signing';

const property = { numRuns: 300, seed: 3 };

test('keys in ASCII order, timestamp among them', () => {
  const parameters = new Map([
    ['z', '1'],
    ['a', '2'],
    ['_', '3'],
    ['A', '4'],
  ]);
  expect(signingString(parameters, '1767225600')).toBe('A=4&_=3&a=2&timestamp=1767225600&z=1');
});

test('a parameter named timestamp is included once', () => {
  expect(signingString(new Map([['timestamp', '1']]), '1')).toBe('timestamp=1');
});

test('no parameters: the timestamp alone', () => {
  expect(signingString(new Map(), '1767225600')).toBe('timestamp=1767225600');
});

test('a callback signs its fields alone', () => {
  const fields = new Map([
    ['status', 'completed'],
    ['amount', '1.0000'],
  ]);
  expect(callbackSigningString(fields)).toBe('amount=1.0000&status=completed');
  expect(callbackSigningString(new Map())).toBe('');
});

test('the parameters are not changed', () => {
  const parameters = new Map([['b', '1']]);
  signingString(parameters, '1767225600');
  expect([...parameters]).toEqual([['b', '1']]);
});

/**
 * Texts where the orders of UTF-16 and UTF-8 differ: surrogates, the characters above them, and short texts with a
 * common prefix.
 */
const wellFormed = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'B', '_', 'é', '\ud7ff', '\ue000', '\uffff', '𐀀', '😀') }),
);

test('the order is the order of the UTF-8 bytes', () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    property,
  );
});

test('every parameter is signed, in any order of the parameters', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(wellFormed, wellFormed)), (pairs) => {
      const parameters = new Map(pairs);
      const lines = [...parameters.set('timestamp', '1')].sort(([a], [b]) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      );
      const reversed = new Map([...parameters].reverse());
      const expected = lines.map((line) => line.join('=')).join('&');
      expect(signingString(reversed, '1')).toBe(expected);
    }),
    property,
  );
});
