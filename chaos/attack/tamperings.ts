import { createHash, createHmac } from 'node:crypto';
import { METHODS } from 'node:http';
import { bytesOf, type Draft, setHeader } from './draft';
import type { Named, Tampering } from './mutation';
import type { Random } from './random';

const PIECES = ['\0', '{', '}', '"', ',', '\\', 'é', ' ', '0', '\ud83d', '\ufeff', '"x":1,', '\r\n', '\xff'];

/** Replaces one character of a text by another visible one. */
function otherCharacter(text: string, random: Random): string {
  if (text === '') return '!';
  const at = random.below(text.length);
  const code = 33 + ((text.charCodeAt(at) - 33 + 1 + random.below(93)) % 94);
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

const AUTH_HEADERS = [
  'X-API-Key',
  'X-Timestamp',
  'X-Signature',
  'X-Agent-Key',
  'X-Agent-Timestamp',
  'X-Agent-Nonce',
  'X-Agent-Signature',
];

/** One of the headers that authenticate this request. */
const authHeader = (draft: Draft, random: Random): [string, string] =>
  random.pick(draft.headers.filter(([name]) => AUTH_HEADERS.includes(name)));

/** For any request. */
export const TAMPERINGS: Named<Tampering> = {
  nothing: () => undefined,
  'a byte of the body': (draft, { random }) => {
    const { body } = draft;
    if (body.length === 0) return;
    const at = random.below(body.length);
    body[at] = ((body[at] ?? 0) + 1 + random.below(255)) % 256;
  },
  'bytes cut out': (draft, { random }) => {
    const at = random.below(draft.body.length + 1);
    const rest = draft.body.subarray(at + 1 + random.below(8));
    draft.body = Buffer.concat([draft.body.subarray(0, at), rest]);
  },
  'a piece put in': (draft, { random }) => {
    const at = random.below(draft.body.length + 1);
    const piece = Buffer.from(random.pick(PIECES), random.chance(0.9) ? 'utf8' : 'latin1');
    draft.body = Buffer.concat([draft.body.subarray(0, at), piece, draft.body.subarray(at)]);
  },
  'the end repeated': (draft, { random }) => {
    const from = random.below(draft.body.length + 1);
    draft.body = Buffer.concat([draft.body, draft.body.subarray(from)]);
  },
  'another value': (draft, { random }) => {
    const text = draft.body.toString();
    const [from, to] = random.pick([
      ['100.00', '1.00'],
      ['USD', 'EUR'],
      ['merchant.example', 'evil.example'],
      ['1.50', '1.5'],
      ['Zürich', 'Zu\u0308rich'],
      ['[1,{', '[1, {'],
    ] as const);
    draft.body = Buffer.from(text.replace(from, to));
  },
  'a field nobody signed': (draft, { random }) => {
    const field = random.pick(['"x":1,', '"x":"",', '"x":null,', '"email":"a@b.example",']);
    draft.body = Buffer.from(draft.body.toString().replace('{', `{${field}`));
  },
  'fields that join to the same text': (draft) => {
    // Both {k: "v", l: "w"} and {k: "v&l=w"} sign `k=v&l=w`, as the contract defines.
    const text = draft.body.toString();
    draft.body = Buffer.from(
      text
        .replace(/"extra_data":"([^"]*)",/, '')
        .replace('"currency_code":"USD"', (found) => found.replace('USD', 'USD&extra_data=Zürich 😀')),
    );
  },
  'the body in another order': (draft, { random }) => {
    const text = draft.body.toString();
    const inner = /^\{(.*)\}$/s.exec(text)?.[1];
    if (inner === undefined || !inner.includes('","')) return;
    // A position between two texts, so that no value is split.
    const pieces = inner.split(/(?<="),(?=")/);
    draft.body = Buffer.from(`{${random.shuffled(pieces).join(',')}}`);
  },
  'a character of a header': (draft, { random }) => {
    const header = authHeader(draft, random);
    header[1] = otherCharacter(header[1], random);
  },
  'the case of a header': (draft, { random }) => {
    const header = authHeader(draft, random);
    header[1] = random.chance(0.5) ? header[1].toUpperCase() : header[1].toLowerCase();
  },
  'the name of a header': (draft, { random }) => {
    const header = authHeader(draft, random);
    header[0] = random.pick([
      header[0].toLowerCase(),
      header[0].toUpperCase(),
      header[0].replaceAll('-', '_'),
      `${header[0]}-`,
      header[0].slice(2),
    ]);
  },
  'a header less': (draft, { random }) => {
    const header = authHeader(draft, random);
    draft.headers = draft.headers.filter((other) => other !== header);
  },
  'a header twice': (draft, { random }) => {
    const [name, value] = authHeader(draft, random);
    const other = random.pick([value, '', otherCharacter(value, random)]);
    draft.headers.splice(random.below(draft.headers.length + 1), 0, [
      random.chance(0.5) ? name : name.toLowerCase(),
      other,
    ]);
  },
  'a strange header value': (draft, { random, world }) => {
    const header = authHeader(draft, random);
    header[1] = random.pick([
      '',
      ' ',
      `  ${header[1]}\t`,
      `${header[1]},${header[1]}`,
      `"${header[1]}"`,
      `${header[1]};`,
      bytesOf('é'),
      '\xff',
      bytesOf('\u200b') + header[1],
      header[1].slice(0, -1),
      `${header[1]}0`,
      'x'.repeat(5_000),
      '0'.repeat(32),
      encodeURIComponent(header[1]).replace(/./, (c) => `%${c.charCodeAt(0).toString(16)}`),
      world.stranger.apiKey,
      world.revokedKey,
      world.agent.keyId,
      'null',
      'undefined',
      "' or 1=1 --",
    ]);
  },
  "somebody else's key": (draft, { world, drafts, random }) => {
    if (draft.kind === 'notify') {
      const { secret } = random.pick([world.otherAgent, { secret: '' }]);
      const agent = random.pick([world.otherAgent, { ...world.agent, secret }]);
      drafts.signAsAgent(draft, agent, drafts.timestamp());
      return;
    }
    const key = random.pick([world.stranger.apiKey, world.revokedKey]);
    setHeader(draft, 'X-API-Key', key);
    if (random.chance(0.6)) drafts.signAgain(draft);
    // Signed with one key, sent with another.
    if (random.chance(0.4)) setHeader(draft, 'X-API-Key', world.merchant.apiKey);
  },
  'another way to sign': (draft, { world, random }) => {
    const { apiKey } = world.merchant;
    const timestamp = draft.headers.find(([name]) => name === 'X-Timestamp')?.[1] ?? '';
    const body = draft.body.toString();
    const digest = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
    const right = draft.headers.find(([name]) => name === 'X-Signature')?.[1] ?? '';
    setHeader(
      draft,
      'X-Signature',
      random.pick([
        digest('md5', body + apiKey),
        digest('md5', `${body}&key=${apiKey}`),
        digest('md5', `timestamp=${timestamp}${apiKey}`),
        digest('md5', `timestamp=${timestamp}`),
        digest('md5', apiKey),
        digest('md5', ''),
        digest('sha256', body + apiKey),
        createHmac('sha256', apiKey).update(body).digest('hex'),
        createHmac('md5', apiKey).update(body).digest('hex'),
        Buffer.from(right, 'hex').toString('base64'),
        right.toUpperCase(),
        right.slice(0, 31),
        `0x${right}`,
      ]),
    );
  },
  'an older timestamp': (draft, { random, drafts }) => {
    const name = draft.kind === 'notify' ? 'X-Agent-Timestamp' : 'X-Timestamp';
    setHeader(draft, name, drafts.timestamp(random.pick([-1, 1, -290, 290, -310, 310, -1e6])));
    if (random.chance(0.5)) drafts.signAgain(draft);
  },
  'a method': (draft, { random }) => {
    const others = METHODS.filter((method) => method !== 'CONNECT' && method !== draft.method);
    draft.method = random.pick([...others, draft.method.toLowerCase(), 'BREW', '']);
    if (random.chance(0.3)) draft.headers.push(['X-HTTP-Method-Override', draft.kind === 'create' ? 'POST' : 'GET']);
  },
  'a path': (draft, { random, world }) => {
    const [path = '', query] = draft.target.split('?');
    const other = random.pick([
      otherCharacter(path, random),
      `${path}/`,
      path.replace('/api', '/api/'),
      `/${path}`,
      path.toUpperCase(),
      path.replace('merchant', '%6derchant'),
      path.replace('merchant', '%256derchant'),
      path.replaceAll('/', '%2f'),
      path.replace('/v1', '/v1/./x/..'),
      `${path};a=b`,
      `${path}%00`,
      `${path}%20`,
      `${path}%ff`,
      `${path}%`,
      `${path}#x`,
      `http://gateway.test${path}`,
      `//gateway.test${path}`,
      path.slice(1),
      '*',
      '/graphql',
      '/metrics',
      '/health/live',
      `/api/v1/merchant/query/deposit/${world.stranger.order.orderNo}`,
      `/api/v1/merchant/query/deposit/${world.merchant.order.orderNo.toLowerCase()}`,
      `/api/v1/merchant/query/deposit/${world.merchant.order.orderNo}`,
      '/api/v1/merchant/orders/refund',
      '/api/v1/merchant/balance',
      '/api/v1/merchant/orders/deposit',
    ]);
    draft.target = query === undefined ? other : `${other}?${query}`;
  },
  'a query that nobody signed': (draft, { random }) => {
    const mark = draft.target.includes('?') ? '&' : '?';
    const piece = random.pick(['a=b', 'amount=1', '', 'a=%ff', 'timestamp=1', 'x', '%']);
    draft.target = `${draft.target}${mark}${piece}`;
  },
  'a content type': (draft, { random }) => {
    const type = random.pick([
      'application/json; charset=utf-8',
      'APPLICATION/JSON',
      'application/json;',
      'application/json ;x',
      'text/json',
      'application/json5',
      'application/problem+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '*/*',
      '',
      'application/json, text/plain',
      'application/jsonp',
    ]);
    setHeader(draft, 'Content-Type', type);
  },
  'further headers': (draft, { random }) => {
    const more = random.pick<[string, string][]>([
      [['Content-Encoding', 'identity']],
      [['Expect', '100-continue']],
      [['Expect', 'nonsense']],
      [['Upgrade', 'websocket']],
      [['Upgrade', 'h2c']],
      [['X-Forwarded-For', '127.0.0.1']],
      [['X-Original-URL', '/health/live']],
      [['X-Rewrite-URL', '/health/live']],
      [['Host', 'other.test']],
      [['Authorization', 'Bearer x']],
      [['Cookie', 'a=b; __proto__=c']],
      [['Accept-Version', '9']],
      [['__proto__', 'x']],
      [['constructor', 'x']],
      Array.from({ length: 150 }, (_, n): [string, string] => [`X-Many-${n}`, 'x']),
      [['X-Large', 'x'.repeat(20_000)]],
      [['TE', 'trailers, deflate']],
      [['Trailer', 'X-Signature']],
    ]);
    draft.headers.push(...more);
  },
  'hop by hop': (draft, { random }) => {
    setHeader(draft, 'Connection', random.pick(['x-signature, close', 'close, x-api-key', 'keep-alive, close']));
  },
  'no end of the connection': (draft, { random }) => {
    setHeader(draft, 'Connection', random.pick(['keep-alive', '', 'upgrade', 'Close']));
  },
};
