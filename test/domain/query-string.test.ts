import fc from 'fast-check';
import { parseQuery } from '../../domain/query-string';

const property = { numRuns: 300, seed: 3 };

test.each([
  ['', []],
  ['&&', []],
  ['a=1', [['a', '1']]],
  ['a', [['a', '']]],
  ['a=', [['a', '']]],
  ['=b', [['', 'b']]],
  ['=', [['', '']]],
  ['a=b=c', [['a', 'b=c']]],
  ['a+b=c+d%20e%2Bf', [['a b', 'c d e+f']]],
  ['a%26b=c%26d', [['a&b', 'c&d']]],
  ['a=%c3%A9%F0%9F%98%80', [['a', 'é😀']]],
  ['a=%EF%BB%BF', [['a', '\ufeff']]],
  ['b=1&a=2', [['b', '1'], ['a', '2']]],
  ['a=1&A=2', [['a', '1'], ['A', '2']]],
  ['__proto__=1', [['__proto__', '1']]],
])('%s', (raw, pairs) => {
  expect(parseQuery(raw)).toEqual({ fields: new Map(pairs as [string, string][]) });
}); // prettier-ignore

const encoding = 'must be percent-encoded UTF-8';

test.each([
  ['a=%', encoding],
  ['a=%4', encoding],
  ['a=%zz', encoding],
  ['a=%ff', encoding],
  ['%ff=a', encoding],
  ['a=%C0%80', encoding],
  ['a=%ED%A0%80', encoding],
  ['a=%E2%82&b', encoding],
  ['a=é', 'must be percent-encoded'],
  ['a=\ud83d', 'must be percent-encoded'],
  ['a=\0', 'must be percent-encoded'],
  ['a b', 'must be percent-encoded'],
  ['a=%00', 'must not contain NUL characters'],
  ['a%00=1', 'must not contain NUL characters'],
  ['a=1&a=2', 'must not name a key twice'],
  ['a=1&a=1', 'must not name a key twice'],
  ['a=1&%61=1', 'must not name a key twice'],
  ['a&b&a', 'must not name a key twice'],
])('%j is refused', (raw, problem) => {
  expect(parseQuery(raw)).toEqual({ problem });
});

test('a query that a form encoded is read back', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'));
  const record = fc.uniqueArray(fc.tuple(text, text), { selector: ([key]) => key });
  fc.assert(
    fc.property(record, (pairs) => {
      const raw = new URLSearchParams(pairs).toString();
      expect(parseQuery(raw)).toEqual({ fields: new Map(pairs) });
    }),
    property,
  );
});

test('an accepted query is read as by any form parser', () => {
  const raw = fc.string({ unit: fc.constantFrom(...'ab=&+%2041cC3A9fF'.split('')), maxLength: 20 });
  fc.assert(
    fc.property(raw, (query) => {
      const parsed = parseQuery(query);
      fc.pre('fields' in parsed);
      expect([...parsed.fields]).toEqual([...new URLSearchParams(query)]);
    }),
    property,
  );
});
