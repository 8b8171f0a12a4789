import type { Content, Member } from './draft';
import type { ContentMutation, Named } from './mutation';
import type { Random } from './random';

const replaceMember = (content: Content, name: string, json: string): void => {
  const member = content.members.find(([given]) => given === name);
  if (member) member[1] = json;
  else content.members.push([name, json]);
};

const object = (members: readonly Member[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

/** The characters of a JSON string as escapes, sometimes; other values unchanged. */
function escaped(json: string, random: Random): string {
  let text: unknown;
  try {
    text = JSON.parse(json);
  } catch {
    return json;
  }
  if (typeof text !== 'string') return json;
  const units = text
    .split('')
    .map((unit) =>
      random.chance(0.5) || /[^ !#-[\]-~]/.test(unit) ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit,
    );
  return `"${units.join('')}"`;
}

const STRANGE_TEXTS = [
  '',
  ' ',
  ' padded ',
  'a&amount=0.01',
  'x=y&z',
  '&',
  '=',
  '%26',
  '+',
  'é',
  'e\u0301',
  '\u212b',
  'İı',
  '\u202eltr',
  '\ufffd',
  '\ufeff',
  '\u2028',
  '😀',
  '\u{10ffff}',
  "'; drop table deposit_orders; --",
  '${jndi:ldap://a}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'null',
  'true',
  '0',
];

const STRANGE_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  ' amount',
  'AMOUNT',
  'amount ',
  'a=b',
  'a&b',
  'Amount',
  'timestamp ',
  'api_key',
  'sign',
  '\ufb00',
  '\u{1f600}',
  'é',
];

const STRANGE_JSON = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1e2',
  '1E+2',
  '1.0',
  '1.50',
  '0.1e1',
  '9007199254740993',
  '123456789012345678901234567890',
  '1e400',
  '[]',
  '{}',
  '[ 1 , 2 ]',
  '{ "a" : [ ] }',
  '{"a":{"a":{"a":1}}}',
  '"\\u0041"',
  '"\\/"',
  '"\\ud83d\\ude00"',
  // Bodies that are no JSON, or that are refused.
  '01',
  '.5',
  '1.',
  '+1',
  '0x10',
  'NaN',
  'Infinity',
  'undefined',
  "'a'",
  '"\\x41"',
  '"\t"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '[1,]',
  '{"a":1,}',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '[{"b":{"c":1,"c":1}}]',
  '/**/1',
  '1 2',
  '',
];

const AMOUNTS = [
  '"0.01"',
  '"99999999999999.99"',
  '"100000000000000"',
  '"100.000000"',
  '"0.001"',
  '"0"',
  '"-1"',
  '"+1"',
  '"1e2"',
  '" 1"',
  '"1 "',
  '"1,000"',
  '"١"',
  '"１"',
  '"01"',
  '"1."',
  '".5"',
  '"NaN"',
  '""',
  '1',
  '1.5',
  '1.50',
  '1.500000000000000000000001',
  '100',
  '1e2',
  '0',
  '-5',
  '99999999999999.99',
  'true',
  '["1"]',
  '{"a":1}',
];

const CURRENCIES = ['EUR', 'JPY', 'KWD', 'ZZZ', 'usd', 'US', 'USDT', 'U5D', ' USD', 'USD\\n', ''];

const CALLBACKS = [
  'https://merchant.example/',
  'https://merchant.example/a/b?c=d',
  'http://merchant.example/',
  'ftp://merchant.example/',
  'https://u:p@merchant.example/',
  'https://merchant.example\\\\@evil.example/',
  'https:/merchant.example/',
  'https:',
  'javascript:alert(1)',
  '//merchant.example/',
  'https://merchant.example/ x',
  '',
];

/** For creates and notifications. */
export const BODY_CONTENTS: Named<ContentMutation> = {
  'keys in another order': (content, { random }) => {
    content.members = random.shuffled(content.members);
  },
  'white space': (content, { random }) => {
    const space = (): string => random.pick(['', ' ', '\n', '\t', '\r\n  ']);
    content.text = (members) =>
      `${space()}{${members
        .map(([name, json]) => `${space()}${JSON.stringify(name)}${space()}:${space()}${json}${space()}`)
        .join(',')}}${space()}`;
  },
  escapes: (content, { random }) => {
    content.text = (members) =>
      `{${members
        .map(([name, json]) => `${escaped(JSON.stringify(name), random)}:${escaped(json, random)}`)
        .join(',')}}`;
  },
  'a further field': (content, { random }) => {
    const value = random.chance(0.5) ? random.pick(STRANGE_JSON) : JSON.stringify(random.pick(STRANGE_TEXTS));
    content.members.push([random.chance(0.5) ? random.pick(STRANGE_KEYS) : 'x', value]);
  },
  'a strange text': (content, { random }) => {
    const names = ['merchant_order_no', 'user_id', 'extra_data', 'account_holder', 'memo', 'email'];
    const name = random.pick(names);
    // Every mutant gets a number of its own.
    const tail = name === 'merchant_order_no' ? random.hex(12) : '';
    replaceMember(content, name, JSON.stringify(random.pick(STRANGE_TEXTS) + tail));
  },
  'a strange value': (content, { random }) => {
    const [name] = random.pick(content.members);
    replaceMember(content, name, random.pick(STRANGE_JSON));
  },
  'an amount': (content, { random }) => {
    replaceMember(content, 'amount', random.pick(AMOUNTS));
  },
  'a currency': (content, { random }) => {
    replaceMember(content, 'currency_code', `"${random.pick(CURRENCIES)}"`);
  },
  'a callback': (content, { random }) => {
    replaceMember(content, 'callback_url', `"${random.pick(CALLBACKS)}"`);
  },
  'a field less': (content, { random }) => {
    content.members.splice(random.below(content.members.length), 1);
  },
  'a field of nothing': (content, { random }) => {
    replaceMember(content, random.pick(['user_id', 'email', 'nothing', 'amount']), 'null');
  },
  'a text at its limit': (content, { random }) => {
    const [name, limit] = random.pick([
      ['merchant_order_no', 64],
      ['user_id', 64],
      ['account_holder', 128],
      ['mobile', 32],
      ['email', 255],
      ['bank_code', 32],
      ['account_no', 64],
    ] as const);
    const unit = random.pick(['x', '😀', 'é']);
    const lengths = [limit - 1, limit, limit + 1];
    const tail = random.hex(12);
    const head = unit.repeat(Math.max(0, random.pick(lengths) - tail.length));
    replaceMember(content, name, JSON.stringify(head + tail));
  },
  'a key twice': (content, { random }) => {
    const [name, json] = random.pick(content.members);
    const again = random.chance(0.5) ? JSON.stringify(name) : escaped(JSON.stringify(name), random);
    content.text = (members) => object(members).replace(/\}$/, `,${again}:${json}}`);
  },
  'a timestamp field': (content, { random, drafts }) => {
    const right = content.timestamp;
    content.members.push([
      'timestamp',
      random.pick([JSON.stringify(right), right, `"0${right}"`, `"${drafts.timestamp(1)}"`, 'null']),
    ]);
  },
  depth: (content, { random }) => {
    const levels = 61 + random.below(5);
    const [open, close] = random.pick([
      ['[', ']'],
      ['{"a":', '}'],
    ] as const);
    content.members.push(['deep', `${open.repeat(levels)}1${close.repeat(levels)}`]);
  },
  'much depth': (content, { random }) => {
    const levels = 5_000 + random.below(20_000);
    content.members.push(['deep', '['.repeat(levels) + ']'.repeat(levels)]);
  },
  size: (content, { random }) => {
    const size = random.pick([65_535, 65_536, 65_537, 70_000]);
    content.text = (members) => {
      const text = object(members);
      const room = size - Buffer.byteLength(text) - ',"pad":""'.length;
      return text.replace(/\}$/, `,"pad":"${'x'.repeat(Math.max(0, room))}"}`);
    };
  },
  'no object': (content, { random }) => {
    const text = random.pick(['', 'null', '[]', '"text"', '1', '{', '}', '{}{}', '{},', 'a=b']);
    content.text = () => text;
  },
  'around the object': (content, { random }) => {
    const piece = random.pick(['\ufeff', '/*c*/', '//c\n', ',', ';', '\0', ")]}'\n", '\u00a0']);
    const before = random.chance(0.5);
    content.text = (members) => (before ? piece + object(members) : object(members) + piece);
  },
  'keys whose order tells UTF-8 from UTF-16': (content) => {
    content.members.push(['\uffee', '"b"'], ['\u{10000}', '"a"'], ['\ud7ff', '"c"']);
  },
  'a timestamp': (content, { random, drafts }) => {
    content.timestamp = random.pick([
      drafts.timestamp(-290),
      drafts.timestamp(290),
      drafts.timestamp(-310),
      drafts.timestamp(310),
      `0${drafts.timestamp()}`,
      `00${drafts.timestamp()}`,
      `000${drafts.timestamp()}`,
      `${drafts.timestamp()}000`,
      `${drafts.timestamp()}.0`,
      `+${drafts.timestamp()}`,
      `${drafts.timestamp()}n`,
      '0',
      'now',
      '１７６７２２５６００',
    ]);
  },
};

const over = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** For queries. */
export const QUERY_CONTENTS: Named<ContentMutation> = {
  'a further parameter': (content, { random }) => {
    const name = encodeURIComponent(random.pick(STRANGE_KEYS));
    const value = encodeURIComponent(random.pick(STRANGE_TEXTS));
    const pieces = [...content.query.split('&'), `${name}=${value}`].filter((p) => p !== '');
    content.query = random.shuffled(pieces).join('&');
  },
  'everything escaped': (content) => {
    content.query = content.query
      .split('&')
      .map((piece) => piece.split('=').map(over).join('='))
      .join('&');
  },
  'odd pieces': (content, { random }) => {
    const piece = random.pick(['', '&&', '=', '=x', 'a', 'a=', 'a==', 'a=b=c', '+=+', '%20=%2B']);
    content.query = [content.query, piece].filter((p) => p !== '').join('&');
  },
  'pieces that do not decode': (content, { random }) => {
    const piece = random.pick(['a=%', 'a=%f', 'a=%zz', 'a=%ff', '%c3=1', 'a=%00', 'a=%ed%a0%80']);
    content.query = [content.query, piece].filter((p) => p !== '').join('&');
  },
  'a parameter twice': (content, { random }) => {
    const piece = random.pick(['merchant_order_no=1', 'a=1', '%61=1']);
    content.query = [content.query, 'a=1', piece].filter((p) => p !== '').join('&');
  },
  'other separators': (content, { random }) => {
    content.query += random.pick([';a=b', '?a=b', '/x', '%26a=b', '[]=1', '%3Ba']);
  },
  'a timestamp parameter': (content, { random, drafts }) => {
    const value = random.pick([content.timestamp, drafts.timestamp(1), '']);
    content.query = [content.query, `timestamp=${value}`].filter((p) => p !== '').join('&');
  },
  "somebody else's number": (content, { world }) => {
    content.query = `merchant_order_no=${world.stranger.order.merchantOrderNo}`;
  },
  'another number': (content, { random }) => {
    content.query = `merchant_order_no=${encodeURIComponent(random.pick(STRANGE_TEXTS))}`;
  },
  'a timestamp': (content, tools) => {
    BODY_CONTENTS['a timestamp']?.(content, tools);
  },
};
