import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { readAmount, writeAmount } from '../../domain/mapping/amounts';
import { payloadOf } from '../../domain/mapping/body';
import { readMapping } from '../../domain/mapping/check';
import { textAt, valuesOfForm, valuesOfJson } from '../../domain/mapping/document';
import { differencesOf } from '../../domain/mapping/flatten';
import type { SignedFieldsRule } from '../../domain/mapping/schema';
import { joinFields, stringToSign } from '../../domain/mapping/string-to-sign';
import { fill } from '../../domain/mapping/template';
import { problemOfTime, writeTime } from '../../domain/mapping/times';
import { money } from '../../domain/money';

const SEED = { seed: 16 };
const RULE: SignedFieldsRule = {
  of: 'message',
  order: 'sorted',
  assign: '=',
  separator: '&',
  skipEmpty: true,
  encode: 'none',
};
const VALUES = [
  { name: 'b', value: '2' },
  { name: 'a', value: 'x y' },
  { name: 'empty', value: '' },
  { name: 'B', value: 'ä&' },
];

describe('the text that is signed', () => {
  it.each<[string, Partial<SignedFieldsRule>, string]>([
    ['sorted, without empty ones', {}, 'B=ä&&a=x y&b=2'],
    ['in the order of the message', { order: 'given' }, 'b=2&a=x y&B=ä&'],
    ['with empty ones', { skipEmpty: false }, 'B=ä&&a=x y&b=2&empty='],
    ['values alone', { assign: null, separator: '' }, 'ä&x y2'],
    ['with other separators', { assign: ':', separator: '|' }, 'B:ä&|a:x y|b:2'],
    ['without excluded ones', { except: ['b', 'B'] }, 'a=x y'],
    ['encoded as in a URL', { encode: 'uri' }, 'B=%C3%A4%26&a=x%20y&b=2'],
    ['encoded as in a form', { encode: 'form' }, 'B=%C3%A4%26&a=x+y&b=2'],
  ])('joins values %s', (_how, over, text) => {
    expect(joinFields({ ...RULE, ...over }, VALUES)).toBe(text);
  });

  it.each([
    ['{fields}&key={secret}', 'a=1&key=s'],
    ['{secret}{fields}{secret}', 'sa=1s'],
    ['{timestamp}.{body}', '9.{"a":1}'],
  ])('puts the key where %s has it', (text, expected) => {
    const variables = { secret: 's', timestamp: '9', body: '{"a":1}' };
    const rule = text.includes('{fields}') ? { text, fields: RULE } : { text };
    expect(stringToSign(rule, [{ name: 'a', value: '1' }], variables)).toBe(expected);
  });

  it('is null if one of its values is missing', () => {
    expect(stringToSign({ text: '{nonce}.{body}' }, [], { body: '' })).toBeNull();
    expect(fill('{header.x-time}', { 'header.x-time': null })).toBeNull();
  });

  it('is sorted by the bytes of the names, in any language', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 8 });
    fc.assert(
      fc.property(names, (some) => {
        const values = some.map((name) => ({ name, value: '' }));
        const rule = { ...RULE, assign: '', separator: '\n', skipEmpty: false };
        const expected = [...some].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        expect(joinFields(rule, values)).toBe(expected.join('\n'));
      }),
      SEED,
    );
  });

  it('of a sorted message does not depend on the order of its fields', () => {
    const pairs = fc.uniqueArray(fc.record({ name: fc.string({ minLength: 1 }), value: fc.string() }), {
      selector: ({ name }) => name,
      maxLength: 8,
    });
    fc.assert(
      fc.property(pairs, (values) => {
        expect(joinFields(RULE, [...values].reverse())).toBe(joinFields(RULE, values));
      }),
      SEED,
    );
  });
});

describe('messages', () => {
  const request = {
    encoding: 'json' as const,
    fields: [
      { to: '/order/id', value: '{reference}' },
      { to: '/order/amount', value: '{amount}', as: 'number' as const },
      { to: '/a', value: '<{name}>' },
      { to: '/none', value: '{nothing}' },
      { to: '/list', value: '[1]', as: 'json' as const },
    ],
  };
  const variables = { reference: 'D"1', amount: '12345678901234.5678', name: 'ü', nothing: null };

  it('are written by JSON pointers, with every digit, and without empty values', () => {
    const { body } = payloadOf(request, variables);
    expect(body).toBe('{"order":{"id":"D\\"1","amount":12345678901234.5678},"a":"<ü>","list":[1]}');
    const sorted = payloadOf({ ...request, sortKeys: true, escapeHtml: true }, variables).body;
    expect(sorted).toBe('{"a":"\\u003cü\\u003e","list":[1],"order":{"amount":12345678901234.5678,"id":"D\\"1"}}');
  });

  it('read back what was written, for any texts', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => !one.includes('\0'));
    fc.assert(
      fc.property(text, fc.constantFrom('json', 'form', 'query'), (value, encoding) => {
        const fields = [{ to: '/one', value: '{value}' }];
        const { body, query } = payloadOf({ encoding, fields }, { value });
        const read = encoding === 'json' ? valuesOfJson(body) : valuesOfForm(body || query);
        expect(textAt(read ?? null, '/one')).toBe(value);
      }),
      SEED,
    );
  });

  it('are read by JSON pointers, with every digit', () => {
    const values = valuesOfJson('{"data":[{"a/b":12345678901234.5670,"n":null,"ok":true}]}') ?? null;
    expect(textAt(values, '/data/0/a~1b')).toBe('12345678901234.5670');
    expect(textAt(values, '/data/0/ok')).toBe('true');
    expect(textAt(values, '/data/0/n')).toBeNull();
    expect(textAt(values, '/data/1/ok')).toBeNull();
    expect(textAt(values, '/constructor/name')).toBeNull();
    expect(valuesOfJson('{"a":1,"a":2}')).toBeUndefined();
    expect(valuesOfForm('a=1&a=2')).toBeUndefined();
  });
});

it('amounts are written exactly or refused, and read back', () => {
  expect(writeAmount(money('100.5'), { unit: 'major', digits: 2 })).toBe('100.50');
  expect(writeAmount(money('100.5'), { unit: 'minor', digits: 2 })).toBe('10050');
  expect(writeAmount(money('100.505'), { unit: 'minor', digits: 2 })).toBeNull();
  expect(readAmount('1e3', { unit: 'major', digits: 2 })).toBeNull();
  expect(readAmount('-5', { unit: 'minor', digits: 2 })).toBeNull();
  expect(readAmount('1.5', { unit: 'minor', digits: 2 })).toBeNull();
  const cents = fc.bigInt({ min: 1n, max: 10n ** 17n });
  fc.assert(
    fc.property(cents, fc.constantFrom('major', 'minor'), (count, unit) => {
      const amount = money(count.toString()).div(100);
      const format = { unit, digits: 2 } as const;
      expect(readAmount(writeAmount(amount, format), format)?.eq(amount)).toBe(true);
    }),
    SEED,
  );
});

it.each([
  [{ format: 'epoch_s' }, '1767323045'],
  [{ format: 'epoch_ms' }, '1767323045006'],
  [{ format: 'rfc3339' }, '2026-01-02T03:04:05.006Z'],
  [{ format: 'yyyyMMddHHmmss', zone: 'Asia/Shanghai' }, '20260102110405'],
  [{ format: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", zone: 'Asia/Dhaka' }, '2026-01-02T09:04:05.006+06:00'],
  [{ format: 'yyyy-MM-dd HH:mm:ssXXX' }, '2026-01-02 03:04:05+00:00'],
])('times are written as %j', (format, text) => {
  expect(problemOfTime(format)).toBeNull();
  expect(writeTime(new Date('2026-01-02T03:04:05.006Z'), format)).toBe(text);
});

describe('a mapping', () => {
  const file = path.join(__dirname, '../../docs/mappings/md5-query.json');
  type Json = Record<string, unknown>;
  const mapping = (): Json => JSON.parse(readFileSync(file, 'utf8')) as Json;
  /** The documented mapping with another value at a path; undefined removes it. */
  function withAt(at: string, value: unknown): Json {
    const changed = mapping();
    const segments = at.split('/').slice(1);
    const last = segments.pop() ?? '';
    const inner = segments.reduce<Json>((one, key) => one[key] as Json, changed);
    if (value === undefined) Reflect.deleteProperty(inner, last);
    else inner[last] = value;
    return changed;
  }

  it.each(['md5-query', 'hmac-json', 'rsa-sorted'])('of the documentation is valid: %s', (name) => {
    const text = readFileSync(path.join(path.dirname(file), `${name}.json`), 'utf8');
    expect(readMapping(JSON.parse(text))).not.toHaveProperty('problems');
  });

  it.each<[string, unknown, string, RegExp]>([
    ['/money/unit', 'cents', '/money/unit', /major/],
    ['/surprise', 1, '/', /surprise/],
    ['/document', undefined, '/', /document/],
    ['/time/format', 'YYYY', '/time', /pattern/],
    ['/currency', undefined, '/operations/queryDeposit/answer/currency', /required/],
    ['/cost', undefined, '/cost', /required/],
    ['/operations/queryPayout', undefined, '/operations', /sendPayout and queryPayout/],
    ['/operations/queryPayout/answer/amount', undefined, '/operations/queryPayout/answer/amount', /required/],
    ['/operations/sendPayout/path', '/x/{nothing}', '/operations/sendPayout/path', /not known/],
    ['/operations/sendPayout/fields/0/value', '{set.other}', '/operations/sendPayout/fields/0/value', /settings/],
    ['/operations/queryPayout/fields/0/to', '/a/b', '/operations/queryPayout/fields/0/to', /nested/],
    [
      '/operations/queryPayout/answer/statuses',
      { '1': 'accepted' },
      '/operations/queryPayout/answer/statuses',
      /completed/,
    ],
    ['/signature/text', '{fields}', '/signature/text', /secret/],
    ['/signature/fields', undefined, '/signature/fields', /required/],
    ['/settings/production/values', {}, '/settings', /same values/],
    ['/webhook/signature/algorithm', 'RSA_SHA256', '/webhook/signature/verifyKey', /public key/],
  ])('is refused for %s, with the path', (at, value, where, why) => {
    const read = readMapping(withAt(at, value));
    const problems = 'problems' in read ? read.problems : [];
    expect(problems.map(({ path: place }) => place)).toContain(where);
    expect(problems.find(({ path: place }) => place === where)?.problem).toMatch(why);
  });

  it('shows its differences from another one line by line', () => {
    const changed = withAt('/operations/sendPayout/path', '/v3/payouts');
    expect(differencesOf(mapping() as never, changed as never)).toEqual([
      {
        path: '/operations/sendPayout/path',
        before: '/gateway/api/v2/payouts',
        after: '/v3/payouts',
      },
    ]);
  });
});
