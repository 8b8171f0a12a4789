import { createPublicKey, sign as signBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Channel } from '../../channels';
import { privateKeyOf } from '../../channels/mapped/keys';
import { isSignedBy, sign } from '../../channels/mapped/signer';
import { money } from '../../domain/money';
import { testChannels } from '../support/channels';

/** RFC 8032, section 7.1, TEST 2: the message is the letter r. */
const ED25519 = {
  seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  signature:
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
    '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
};
/** As providers give keys: DER in base64, without a PEM's first and last line. */
const base64 = (prefix: string, hex: string): string => Buffer.from(prefix + hex, 'hex').toString('base64');
const ED_PRIVATE = base64('302e020100300506032b657004220420', ED25519.seed);
const ED_PUBLIC = base64('302a300506032b6570032100', ED25519.publicKey);

/** A key of PKCS #1 and its signature of TEXT, made by `openssl dgst -sha1 -sign`. */
const TEXT = 'amount=100&reference=W1';
const RSA_PRIVATE = [
  'MIICWwIBAAKBgQCyiyI1dpuGvETzR504J+yKYbmObjV9zPs9/LLc5nghpbHb3Yf5q3VvN4ySkGhQSFMfjE4Yb2vj',
  '2dz44H0+i7bGuvgJ18rvujHj5VHWatQQnk9xaVhb+hmTR1II4KOkJaCGQiIUPeZByNnLgvjydGtwp7Et/kqlAifU',
  'aOTjdDggLwIDAQABAoGAC5/pc0esqqIZbymLf/uBeCUSusZML0uoVAne72kGC1LJeMI8tzHFrJ8WRPioAgojd1tg',
  'PlEK2kP2EjIzlV3tYXko+J2IwXurVDGNoWRBuFw4pbbNFmlvtsM+2JLtgtOL2fh0togcpJKjSwKNpIASNl/BTDfO',
  'ivAl1qSdOaXrMxECQQDjF2h+S9P/0jNTDOA/Ai4KXK1U9z0b1yq8wJGMF8sX6c1amyTP3XPCjKn9TmHQUuABz1jk',
  '5/EIebRkPM2kAC1JAkEAyUWdqNkZqaV49njcYUTb7AVeTPeEG9322kP2iK1XClA4ItJKRfJyCPL6p4ZDvoLZmq7H',
  'LInV1MvlMhS4km65twJAHt0Qk5Gkt3EPDquCUq3uKfRcjl6nzH/azBpz7ZFSRea9xSGuyB113SwW8llTy+dnkHdo',
  'wnuPc7JuxOzKmg54GQJAO5B5pxWQza7lzHNaLQMW3pN8I+UAWMromhGQ7UP3RVsWMd/wESE99D4MRfWrKL9KrMda',
  'tGiaOp6Y1qhhMxzHowJAXF2nmukEQXVos0ibUpLb+y6eMNBrCOYWC4nCH9XCGHOJGzSoNbgLW6NrQA5gijEmhArK',
  'j0AyaIJRRHbm9bFnNA==',
].join('');
const RSA_PUBLIC = [
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCyiyI1dpuGvETzR504J+yKYbmObjV9zPs9/LLc5nghpbHb3Yf5',
  'q3VvN4ySkGhQSFMfjE4Yb2vj2dz44H0+i7bGuvgJ18rvujHj5VHWatQQnk9xaVhb+hmTR1II4KOkJaCGQiIUPeZB',
  'yNnLgvjydGtwp7Et/kqlAifUaOTjdDggLwIDAQAB',
].join('');
const RSA_SIGNATURE = [
  'rh+RT+Iw04tzbgysDnVzJAETZwl74YhmL+91ce8rHJUF5xpSf8zXTP9Jwphqp/y2fM9rpG8yhDsxPPsc5mNrHeQG',
  'B5CPTwlpnUc+Nqv1Z9zTGibwuJvHh/CGNcjURJVdhhRozfLa2R5LjA8OrX7oLOQ2KptiAjkIro3GmlSzdBk=',
].join('');

type Json = Readonly<Record<string, unknown>>;
const MAPPING = JSON.parse(readFileSync(path.join(__dirname, '../../docs/mappings/hmac-json.json'), 'utf8')) as {
  readonly operations: Json;
  readonly webhook: { readonly signature: Json };
} & Json;

describe('the signatures of mappings', () => {
  it('Ed25519: the published sample to its published result', () => {
    const rule = { algorithm: 'ED25519', output: 'hex' } as const;
    expect(sign(rule, 'r', ED_PRIVATE)).toBe(ED25519.signature);
    expect(isSignedBy(rule, 'r', ED25519.signature.toUpperCase(), ED_PUBLIC)).toBe(true);
    expect(isSignedBy(rule, 's', ED25519.signature, ED_PUBLIC)).toBe(false);
    expect(isSignedBy(rule, 'r', ED25519.signature.replace('92', '93'), ED_PUBLIC)).toBe(false);
  });

  it('RSA with SHA-1: as another program signs', () => {
    const rule = { algorithm: 'RSA_SHA1', output: 'base64' } as const;
    expect(sign(rule, TEXT, RSA_PRIVATE)).toBe(RSA_SIGNATURE);
    expect(isSignedBy(rule, TEXT, RSA_SIGNATURE, RSA_PUBLIC)).toBe(true);
    expect(isSignedBy(rule, `${TEXT} `, RSA_SIGNATURE, RSA_PUBLIC)).toBe(false);
    // The same text under another hash is no signature of this rule.
    const other = sign({ algorithm: 'RSA_SHA256', output: 'base64' }, TEXT, RSA_PRIVATE);
    expect(isSignedBy(rule, TEXT, other, RSA_PUBLIC)).toBe(false);
  });
});

/** A provider's server, defined by its answers. */
interface Asked {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}
type Answering = (asked: Asked) => Json;

describe('a mapped channel', () => {
  const channels = testChannels();
  const asked: Asked[] = [];
  let server: Server;
  let answer: Answering = () => ({});

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        const one = { body, headers: request.headers };
        asked.push(one);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer(one)));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    channels.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    asked.length = 0;
  });

  const open = (secret: string, mapping: Json): Channel =>
    channels.open({
      id: 'test',
      mockOutcome: null,
      timeoutSeconds: 5,
      keyId: 'k',
      sealedSecret: secret,
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      mapped: true,
      mapping,
    });

  it.each([
    ['ED25519', ED_PRIVATE, ED_PUBLIC, null],
    ['RSA_SHA1', RSA_PRIVATE, RSA_PUBLIC, 'sha1'],
  ] as const)('signs and verifies by %s', async (algorithm, secret, publicKey, hash) => {
    const put = { in: 'header', name: 'X-Sign' };
    const rule = { algorithm, text: '{body}', output: 'base64', put };
    const values = { publicKey };
    const channel = open(secret, {
      ...MAPPING,
      settings: { sandbox: { values }, production: { values } },
      signature: rule,
      webhook: { ...MAPPING.webhook, signature: { ...rule, verifyKey: '{set.publicKey}' } },
    });
    await channel.queryPayout({
      reference: 'W1',
      amount: money('100'),
      currencyCode: 'THB',
    });
    const der = { key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' } as const;
    const { body = '', headers = {} } = asked[0] ?? {};
    const given = Buffer.from(String(headers['x-sign']), 'base64');
    expect(verify(hash, Buffer.from(body), createPublicKey(der), given)).toBe(true);
    expect(given.length).toBeGreaterThan(0);

    const report = JSON.stringify({ id: 7, foreign_id: 'W1', status: 'confirmed' });
    const signature = signBytes(hash, Buffer.from(report), privateKeyOf(secret));
    const read = (text: string) =>
      channel.readWebhook({ headers: { 'x-sign': signature.toString('base64') }, body: Buffer.from(text) }, new Date());
    expect(read(report)).toMatchObject({ kind: 'message', message: { reference: 'W1' } });
    expect(read(report.replace('W1', 'W2'))).toMatchObject({ kind: 'forged' });
  });

  /** A provider with this many payouts, in pages of its own size. */
  const listing = (count: number, size: number, by: 'page' | 'offset'): Answering => {
    const all = Array.from({ length: count }, (_, n) => ({
      id: `W${n + 1}`,
      sum: '100.50',
      money: 'THB',
      state: 'confirmed',
    }));
    return ({ body }) => {
      const fields = JSON.parse(body) as Record<string, string>;
      const from = by === 'page' ? (Number(fields['page']) - 1) * size : Number(fields['skip']);
      return { rows: all.slice(from, from + size) };
    };
  };
  const listed = (fields: readonly Json[]): Channel =>
    open('a secret', {
      ...MAPPING,
      operations: {
        ...MAPPING.operations,
        listPayouts: {
          method: 'POST',
          path: '/list',
          encoding: 'json',
          fields,
          answer: {
            found: [{ http: [200] }],
            items: '/rows',
            reference: '/id',
            amount: '/sum',
            currency: '/money',
            status: '/state',
          },
        },
      },
    });
  const SINCE = { to: '/since', value: '{since}' };
  const BY = {
    page: [SINCE, { to: '/page', value: '{page}' }],
    offset: [SINCE, { to: '/skip', value: '{offset}' }, { to: '/most', value: '{limit}' }],
  } as const;
  const since = new Date('2026-01-02T03:04:05Z');

  it.each([
    [0, 20, 'page'],
    [7, 20, 'page'],
    [40, 20, 'page'],
    [45, 20, 'offset'],
    // A provider whose pages are smaller, or larger, than we ask for.
    [25, 10, 'page'],
    [25, 10, 'offset'],
    [120, 50, 'offset'],
  ] as const)('lists all of %i payouts in pages of %i, by %s', async (count, size, by) => {
    answer = listing(count, size, by);
    const list = await listed(BY[by]).listPayouts(since);
    if (list?.kind !== 'LISTED') throw new Error(JSON.stringify(list));
    const names = list.payouts.map(({ reference }) => reference);
    expect(names).toEqual(Array.from({ length: count }, (_, n) => `W${n + 1}`));
    if (count > 0)
      expect(list.payouts[0]).toEqual({
        reference: 'W1',
        amount: money('100.50'),
        currencyCode: 'THB',
        status: 'confirmed',
      });
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ since: '2026-01-02T03:04:05.000Z' });
  });

  it('accepts a list without pages, unless it is cut', async () => {
    answer = () => listing(45, 45, 'page')({ body: '{"page":"1"}', headers: {} });
    expect(await listed([SINCE]).listPayouts(since)).toMatchObject({ kind: 'LISTED' });
    expect(asked).toHaveLength(1);
    const limited = [SINCE, { to: '/most', value: '{limit}' }];
    expect(await listed(limited).listPayouts(since)).toMatchObject({ kind: 'UNKNOWN' });
  });

  it.each<[string, Answering]>([
    ['is no list', () => ({ rows: 'none' })],
    ['is not there', () => ({})],
    ['has a payout without a reference', () => ({ rows: [{ sum: '1', money: 'THB', state: 'x' }] })],
    ['has a payout without an amount', () => ({ rows: [{ id: 'W1', money: 'THB', state: 'x' }] })],
    ['has an amount that is none', () => ({ rows: [{ id: 'W1', sum: '1,5', money: 'THB', state: 'x' }] })],
    ['repeats a page for ever', () => listing(20, 20, 'page')({ body: '{"page":"1"}', headers: {} })],
  ])('reports an unknown list where it %s', async (_what, answering) => {
    answer = answering;
    expect(await listed(BY.page).listPayouts(since)).toMatchObject({ kind: 'UNKNOWN' });
  });

  it('reports that a provider has no list', async () => {
    expect(await open('a secret', MAPPING).listPayouts(since)).toEqual({ kind: 'NO_LIST' });
  });
});
