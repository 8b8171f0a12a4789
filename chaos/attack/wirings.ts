import { bytesOfDraft, chunked, type Draft } from './draft';
import type { Named, Tools, Wiring } from './mutation';

const joined = (...parts: (Buffer | string)[]): Buffer[] => [
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))),
];

/** The bytes of the head, without the empty line. */
function headOf(draft: Draft, more: readonly (readonly [string, string])[] = []): string {
  const headers = [...draft.headers, ...more].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${draft.method} ${draft.target} HTTP/${draft.version}\r\n${headers.join('')}`;
}

/** Another valid request, to follow or to be smuggled. */
function another({ drafts }: Tools, close: boolean): Draft {
  const draft = drafts.draft('create', drafts.content('create'));
  if (!close) draft.headers = draft.headers.filter(([name]) => name !== 'Connection');
  return draft;
}

const open = (draft: Draft): Draft => ({
  ...draft,
  headers: draft.headers.filter(([name]) => name !== 'Connection'),
});

/** Ways to put a request on the wire. */
export const WIRINGS: Named<Wiring> = {
  'in chunks': (draft, { random }) => {
    const body = chunked(draft.body, 1 + random.below(60));
    return joined(headOf(draft, [['Transfer-Encoding', random.pick(['chunked', 'Chunked'])]]), '\r\n', body);
  },
  'in chunks with a trailer': (draft, { random }) => {
    const trailer = random.pick([
      'X-Signature: 00000000000000000000000000000000\r\n',
      'X-API-Key: pre_other\r\n',
      'Content-Length: 5\r\n',
      'a: b\r\n',
      'no trailer at all\r\n',
    ]);
    return joined(headOf(draft, [['Transfer-Encoding', 'chunked']]), '\r\n', chunked(draft.body, 50, trailer));
  },
  'in odd chunks': (draft, { random }) => {
    const size = draft.body.length.toString(16);
    const odd = random.pick([
      `${size};a=b`,
      `${size};`,
      `${size} `,
      ` ${size}`,
      `0${size}`,
      size.toUpperCase(),
      `0x${size}`,
      `+${size}`,
      `-${size}`,
      `${size}g`,
      'ffffffffffffffff',
      '',
      `${size};${'x'.repeat(30_000)}`,
      (draft.body.length + 1).toString(16),
      (draft.body.length - 1).toString(16),
    ]);
    const head = headOf(draft, [['Transfer-Encoding', 'chunked']]);
    return joined(head, '\r\n', `${odd}\r\n`, draft.body, '\r\n0\r\n\r\n');
  },
  'a coding': (draft, { random }) => {
    const coding = random.pick([
      'identity',
      'gzip, chunked',
      'chunked, gzip',
      'chunked, chunked',
      'xchunked',
      'chunked\t',
      ' chunked',
      'chunked;q=1',
      '"chunked"',
      '\x0bchunked',
      'CHUNKED',
      '',
    ]);
    return joined(headOf(draft, [['Transfer-Encoding', coding]]), '\r\n', chunked(draft.body, 50));
  },
  'a length': (draft, { random }) => {
    const n = draft.body.length;
    const length = random.pick([
      `${n + 1}`,
      `${Math.max(0, n - 1)}`,
      `0`,
      `+${n}`,
      `-${n}`,
      ` ${n} `,
      `${n}, ${n}`,
      `${n},${n + 1}`,
      `0${n}`,
      `0x${n.toString(16)}`,
      `${n}.0`,
      '99999999999999999999',
      '',
      `${n} `,
    ]);
    return joined(headOf(draft, [['Content-Length', length]]), '\r\n', draft.body);
  },
  'a length twice': (draft, { random }) => {
    const n = String(draft.body.length);
    const lengths: [string, string][] = [
      ['Content-Length', n],
      ['Content-Length', random.pick([n, '0', `${n}0`])],
    ];
    return joined(headOf(draft, random.shuffled(lengths)), '\r\n', draft.body);
  },
  'no length': (draft) => joined(headOf(draft), '\r\n', draft.body),
  'length and chunks': (draft, tools) => {
    const { random } = tools;
    const hidden = bytesOfDraft(another(tools, true));
    const chunks = Buffer.concat([chunked(draft.body, 50), hidden]);
    const both: [string, string][] = [
      ['Content-Length', String(random.pick([chunks.length, draft.body.length, 5, 0]))],
      [
        random.pick(['Transfer-Encoding', 'transfer-encoding', 'Transfer-Encoding ', 'Transfer_Encoding']),
        random.pick(['chunked', ' chunked', 'x, chunked', 'chunked, identity']),
      ],
    ];
    return joined(headOf(open(draft), random.shuffled(both)), '\r\n', chunks);
  },
  'hidden in a body': (draft, tools) => {
    const hidden = bytesOfDraft(another(tools, true));
    const outer = tools.random.pick([
      `GET /api/v1/merchant/balance HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n`,
      `GET /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n`,
      `POST /api/v1/merchant/orders/deposit HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n`,
      `POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n`,
      `HEAD /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n`,
      `PUT /bank-notifications HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n`,
    ]);
    return joined(outer, '\r\n', hidden, bytesOfDraft(draft));
  },
  'hidden in a header': (draft, tools) => {
    const hidden = bytesOfDraft(another(tools, true)).toString('latin1');
    const { random } = tools;
    const breaks = random.pick(['\n', '\r', '\r\n ', '\0', '%0d%0a', '\v', '\x85']);
    const value = `x${breaks}${hidden.replaceAll('\r\n', random.pick(['\n', '\r', '\r\n ']))}`;
    return joined(
      headOf(draft, [
        ['X-Note', value],
        ['Content-Length', String(draft.body.length)],
      ]),
      '\r\n',
      draft.body,
    );
  },
  'bare line feeds': (draft, { random }) => {
    const head = headOf(draft, [['Content-Length', String(draft.body.length)]]);
    const lines = `${head}\r\n`.split('\r\n');
    const at = random.below(lines.length - 1);
    const text = lines.map((line, i) => (i === lines.length - 1 ? line : `${line}${i === at ? '\n' : '\r\n'}`));
    return joined(text.join(''), draft.body);
  },
  'an odd line': (draft, { random }) => {
    const line = random.pick([
      'X-Odd : x',
      'X Odd: x',
      ': x',
      'X-Odd',
      'X-Odd\0: x',
      'X-Odd: x\0y',
      'X-Odd: x\ry',
      'X-Odd: x\r\n folded',
      ' X-Odd: x',
      'X-Odd\t: x',
      'X-Ödd: x',
      'X-Odd: \x7f',
      'X-Odd: \xe9',
      '(comment): x',
      'X-API-Key : other',
    ]);
    const head = headOf(draft, [['Content-Length', String(draft.body.length)]]);
    const [first = '', ...rest] = head.split('\r\n');
    rest.splice(random.below(rest.length), 0, line);
    return joined([first, ...rest].join('\r\n'), '\r\n', draft.body);
  },
  'an odd first line': (draft, { random }) => {
    const bytes = bytesOfDraft(draft).toString('latin1');
    const [first = '', ...rest] = bytes.split('\r\n');
    const line = random.pick([
      ` ${first}`,
      `\r\n${first}`,
      `\r\n\r\n${first}`,
      first.replace(' ', '  '),
      first.replaceAll(' ', '\t'),
      first.replace('HTTP/1.1', 'HTTP/1.0'),
      first.replace('HTTP/1.1', 'HTTP/1.2'),
      first.replace('HTTP/1.1', 'HTTP/2.0'),
      first.replace('HTTP/1.1', 'HTTP/0.9'),
      first.replace('HTTP/1.1', 'HTTP/11.1'),
      first.replace('HTTP/1.1', 'http/1.1'),
      first.replace(' HTTP/1.1', ''),
      `${first} x`,
      `\0${first}`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${first}`,
    ]);
    return joined([line, ...rest].join('\r\n'));
  },
  'a byte of anything': (draft, { random }) => {
    const bytes = bytesOfDraft(draft);
    const at = random.below(bytes.length);
    bytes[at] = ((bytes[at] ?? 0) + 1 + random.below(255)) % 256;
    return [bytes];
  },
  'cut short': (draft, { random }) => {
    const bytes = bytesOfDraft(draft);
    return [bytes.subarray(0, random.below(bytes.length))];
  },
  'in pieces': (draft, { random }) => {
    const bytes = bytesOfDraft(draft);
    const cuts = [random.below(bytes.length), random.below(bytes.length)].sort((a, b) => a - b);
    const [from = 0, to = 0] = cuts;
    return [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  },
  'several at once': (draft, tools) => {
    const { random } = tools;
    const before = Array.from({ length: 1 + random.below(3) }, () => {
      const one = another(tools, false);
      if (random.chance(0.4)) one.body = Buffer.from(one.body.toString().replace('100.00', '1.00'));
      return bytesOfDraft(one);
    });
    return joined(...random.shuffled([...before, bytesOfDraft(open(draft))]), bytesOfDraft(another(tools, true)));
  },
  'garbage behind it': (draft, { random }) => {
    const garbage = random.pick(['garbage\r\n\r\n', '\0\0\0\0', 'GET', 'GET / HTTP/9.9\r\n\r\n']);
    return joined(bytesOfDraft(open(draft)), garbage);
  },
};
