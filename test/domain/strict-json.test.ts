import fc from 'fast-check';
import { LIMITS } from '../../domain/limits';
import { decodeUtf8Strict, parseStrictObject, type StrictObject } from '../../domain/strict-json';

const property = { numRuns: 300, seed: 3 };

function accepted(text: string): StrictObject {
  const parsed = parseStrictObject(text);
  if ('problem' in parsed) throw new Error(`${parsed.problem}: ${text.slice(0, 200)}`);
  return parsed;
}

const isRefused = (text: string): boolean => 'problem' in parseStrictObject(text);

test.each([
  ['{}', {}],
  [' \t\r\n{ "a" : "x" } \n', { a: 'x' }],
  ['{"a":1.50,"b":1e2,"c":-0,"d":12345678901234567890,"e":1E+2}',
    { a: '1.50', b: '1e2', c: '-0', d: '12345678901234567890', e: '1E+2' }],
  ['{"a":true,"b":false,"c":null,"d":"","e":"null"}', { a: 'true', b: 'false', d: '', e: 'null' }],
  ['{"a": [ 1.0 , {"b" : null} ] ,"c" :{ } }', { a: '[ 1.0 , {"b" : null} ]', c: '{ }' }],
  ['{"a":{"a":{"a":1}},"b":[[]],"c":2}', { a: '{"a":{"a":1}}', b: '[[]]', c: '2' }],
  [String.raw`{"\u0061":"\u0041\ud83d\ude00\n","b":{"\u0041":"\u0042"}}`,
    { a: 'A😀\n', b: String.raw`{"\u0041":"\u0042"}` }],
  ['{"":"x","a=b":"c&d","\ufeff":"\ufeff"}', { '': 'x', 'a=b': 'c&d', '\ufeff': '\ufeff' }],
])('the texts of %s are signed', (text, texts) => {
  expect(Object.fromEntries(accepted(text).texts)).toEqual(texts);
}); // prettier-ignore

test('fields are the parsed values, including null', () => {
  const { fields } = accepted('{"a":1.50,"b":null,"c":[{"d":"x"}],"e":"\\u0041"}');
  expect([...fields]).toEqual([
    ['a', 1.5],
    ['b', null],
    ['c', [{ d: 'x' }]],
    ['e', 'A'],
  ]);
});

test('names of Object.prototype are ordinary names', () => {
  const text = '{"__proto__":{"amount":"1"},"constructor":"c","o":{"__proto__":1}}';
  const { fields, texts } = accepted(text);
  expect([...fields.keys()]).toEqual(['__proto__', 'constructor', 'o']);
  expect([...texts.values()]).toEqual(['{"amount":"1"}', 'c', '{"__proto__":1}']);
  expect(fields.get('amount')).toBeUndefined();
});

test.each([
  ['', 'must be JSON'],
  ['{', 'must be JSON'],
  ['{"a":1,}', 'must be JSON'],
  ['{"a":[1,]}', 'must be JSON'],
  ['{"a":1/* */}', 'must be JSON'],
  ['{"a":1}//', 'must be JSON'],
  ["{'a':1}", 'must be JSON'],
  ['{a:1}', 'must be JSON'],
  ['{"a":01}', 'must be JSON'],
  ['{"a":NaN}', 'must be JSON'],
  ['{"a":"\t"}', 'must be JSON'],
  ['{"a":"\\x41"}', 'must be JSON'],
  ['{}{}', 'must be JSON'],
  ['\ufeff{}', 'must be JSON'],
  ['\u00a0{}', 'must be JSON'],
  ['[]', 'must be a JSON object'],
  ['null', 'must be a JSON object'],
  ['"a"', 'must be a JSON object'],
  ['1', 'must be a JSON object'],
  ['{"a":1,"a":1}', 'must not name a key twice'],
  ['{"a":1,"\\u0061":1}', 'must not name a key twice'],
  ['{"a":null,"b":1,"a":null}', 'must not name a key twice'],
  ['{"__proto__":1,"__proto__":1}', 'must not name a key twice'],
  ['{"o":[{"p":{"a":1,"a":2}}]}', 'must not name a key twice'],
  ['{"a":"\\u0000"}', 'must not contain NUL characters or lone surrogates'],
  ['{"o":{"a\\u0000":1}}', 'must not contain NUL characters or lone surrogates'],
  ['{"a":"\\ud800"}', 'must not contain NUL characters or lone surrogates'],
  ['{"a":"\\udc00\\ud800"}', 'must not contain NUL characters or lone surrogates'],
  ['{"\\udfff":1}', 'must not contain NUL characters or lone surrogates'],
  ['{"o":[["\\uD83D"]]}', 'must not contain NUL characters or lone surrogates'],
  ['{"a":"\ud83d"}', 'must not contain NUL characters or lone surrogates'],
  ['{"a":"\ud83d\\ude00"}', 'must not contain NUL characters or lone surrogates'],
])('%j is refused', (text, problem) => {
  expect(parseStrictObject(text)).toEqual({ problem });
});

test('keys repeat only within one object', () => {
  const text = '{"a":{"a":1},"b":[{"a":1},{"a":1}],"c":{"b":1},"d":["a","a"]}';
  expect(isRefused(text)).toBe(false);
});

const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const mixed = (levels: number): string => `${'{"a":['.repeat(levels / 2)}${']}'.repeat(levels / 2)}`;

test('the last allowed depth and the first refused', () => {
  const problem = `must not nest more than ${LIMITS.jsonDepth} levels deep`;
  expect(isRefused(nested(LIMITS.jsonDepth))).toBe(false);
  expect(isRefused(mixed(LIMITS.jsonDepth))).toBe(false);
  expect(parseStrictObject(nested(LIMITS.jsonDepth + 1))).toEqual({ problem });
  expect(parseStrictObject(mixed(LIMITS.jsonDepth + 2))).toEqual({ problem });
});

describe('hostile bodies of 64 KiB and more', () => {
  const fill = (piece: string, frame = 0): string =>
    piece.repeat(Math.floor((LIMITS.bodyBytes - frame) / piece.length));
  const numbered = (count: number, key: (i: number) => string): string =>
    `{${Array.from({ length: count }, (_, i) => `"${key(i)}":1`).join()}}`;

  test.each([
    ['open brackets', fill('[')],
    ['open brackets, closed', fill('[', 1 + LIMITS.bodyBytes / 2) + fill(']', LIMITS.bodyBytes / 2)],
    ['a field of brackets', nested(LIMITS.bodyBytes / 2 - 3)],
    ['open objects', fill('{"a":')],
    ['objects, closed', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['open strings', fill('"')],
    ['open escapes', `{"a":"${fill('\\', 6)}`],
    ['minus signs', `{"a":${fill('-', 6)}}`],
    ['one key over and over', `{${fill('"a":1,', 9)}"a":1}`],
  ])('%s: refused', (_, text) => {
    expect(isRefused(text)).toBe(true);
  });

  test.each([
    ['10,000 keys', numbered(10_000, (i) => `k${i}`), 10_000],
    ['keys like numbers', numbered(10_000, (i) => String(i * 1024)), 10_000],
    ['escapes', `{"a":"${fill('\\u0041', 10)}"}`, 1],
    ['escaped surrogate pairs', `{"a":"${fill('\\ud83d\\ude00', 10)}"}`, 1],
    ['empty arrays', `{"a":[${fill('[],', 12)}[]]}`, 1],
    ['empty objects', `{"a":[${fill('{},', 12)}{}]}`, 1],
    ['white space', `{"a"${fill(' ', 8)}:1}`, 1],
    ['line breaks', `{"a"${fill('\n', 8)}:1}`, 1],
    ['digits', `{"a":${fill('9', 6)}}`, 1],
    ['brackets in a string', `{"a":"${fill('[', 8)}"}`, 1],
  ])('%s: accepted', (_, text, count) => {
    expect(accepted(text).texts.size).toBe(count);
  });
});

/** JSON texts in all spellings: white space, escapes, forms of numbers, repeated keys. */
const { value: jsonText, object: objectText } = fc.letrec<Record<'value' | 'object', string>>(
  (tie) => {
    const space = fc.constantFrom('', '', ' ', '\n', '\t ');
    const string = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
      fc.constantFrom('"a"', '"\\u0061"', '"__proto__"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\u0000"', '"[{"', '"\\""'),
    );
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.constantFrom('-0', '1.50', '1e2', '1E+2', '0.10', '123456789012345678901234567890', '1e999'),
    );
    const items = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      fc.array(fc.tuple(space, item, space).map((parts) => parts.join('')), { maxLength: 5 }).map(String);
    return {
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof(string, number, fc.constantFrom('true', 'false', 'null')),
        items(tie('value')).map((inner) => `[${inner}]`),
        tie('object'),
      ),
      object: items(
        fc.tuple(string, space, space, tie('value')).map(([key, a, b, value]) => `${key}${a}:${b}${value}`),
      ).map((inner) => `{${inner}}`),
    };
  },
); // prettier-ignore

/** Changes, removes or inserts one or two characters. */
const mutant = fc
  .tuple(
    objectText,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat({ max: 1 }),
        fc.constantFrom(...'{}[]",:\\/*0159.eE+-tfn \n\t\u00a0\ufeffu\ud83d\0'.split(''), ''),
      ),
      { minLength: 1, maxLength: 2 },
    ),
  )
  .map(([text, edits]) =>
    edits.reduce((now, [where, removed, put]) => {
      const at = where % (now.length + 1);
      return now.slice(0, at) + put + now.slice(at + removed);
    }, text),
  );

function parsedObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The documented refusals that JSON.parse lacks, found in another way: in the text and by counting its keys. */
function hasDocumentedFault(text: string, value: object): boolean {
  const wrong = /[\0\p{Surrogate}]/u;
  let keys = 0;
  let depth = 0;
  let faulty = wrong.test(text);
  const walk = (inner: unknown, level: number): void => {
    if (typeof inner === 'string') faulty ||= wrong.test(inner);
    if (typeof inner !== 'object' || inner === null) return;
    depth = Math.max(depth, level);
    for (const [key, item] of Object.entries(inner)) {
      if (!Array.isArray(inner)) keys++;
      faulty ||= wrong.test(key);
      walk(item, level + 1);
    }
  };
  walk(value, 1);
  // In a valid text each colon outside strings ends a key; a repeated key is missing from the parsed value.
  const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
  return faulty || colons !== keys || depth > LIMITS.jsonDepth;
}

test('the parser is neither looser nor stricter than JSON.parse with the documented refusals', () => {
  const seen = { accepted: 0, refused: 0, fault: 0 };
  fc.assert(
    fc.property(fc.oneof(objectText, mutant, jsonText), (text) => {
      const oracle = parsedObject(text);
      const fault = oracle !== undefined && hasDocumentedFault(text, oracle);
      const refused = isRefused(text);
      seen[refused ? (fault ? 'fault' : 'refused') : 'accepted']++;
      expect(refused).toBe(oracle === undefined || fault);
    }),
    { ...property, numRuns: 3_000 },
  );
  // The generator reaches every branch.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100);
});

test('texts and fields have the same values, and slices occur in the body', () => {
  fc.assert(
    fc.property(
      objectText.filter((text) => !isRefused(text)),
      (text) => {
        const { fields, texts } = accepted(text);
        expect([...fields]).toEqual(Object.entries(JSON.parse(text) as object));
        const kept = [...fields].filter(([, value]) => value !== null).map(([key]) => key);
        expect([...texts.keys()].sort()).toEqual(kept.sort());
        for (const [key, slice] of texts) {
          const value = fields.get(key);
          expect(typeof value === 'string' ? slice : JSON.parse(slice)).toEqual(value);
          expect(typeof value === 'string' || text.includes(slice)).toBe(true);
        }
      },
    ),
    property,
  );
});

describe('UTF-8', () => {
  const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list);

  test.each([
    ['a byte that never occurs', bytes(0x7b, 0xff, 0x7d)],
    ['a sequence cut short', bytes(0xe2, 0x82)],
    ['an overlong NUL', bytes(0xc0, 0x80)],
    ['an encoded surrogate', bytes(0xed, 0xa0, 0x80)],
    ['beyond U+10FFFF', bytes(0xf4, 0x90, 0x80, 0x80)],
  ])('%s is refused', (_, given) => {
    expect(decodeUtf8Strict(given)).toBeUndefined();
    expect(decodeUtf8Strict(bytes(0x41))).toBe('A');
  });

  test('a byte order mark stays, so that the parser refuses it', () => {
    const text = decodeUtf8Strict(bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d));
    expect(text).toBe('\ufeff{}');
    expect(isRefused('\ufeff{}')).toBe(true);
  });

  test('well-formed text is returned unchanged, and other bytes are refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeUtf8Strict(Buffer.from(text))).toBe(text);
      }),
      property,
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), (given) => {
        const lenient = Buffer.from(given).toString('utf8');
        const exact = Buffer.from(lenient).equals(given);
        expect(decodeUtf8Strict(given)).toBe(exact ? lenient : undefined);
      }),
      property,
    );
  });
});
