import { METHODS } from 'node:http';
import type { GraphCalls } from '../../gateway/deps';
import { registry } from '../../runtime/metrics';
import { depositBody, MERCHANT_API, type MerchantClient, Platform } from '../support/platform';
import { answersIn, rawHttp } from '../support/raw-http';
import { ownTime } from '../support/stopwatch';

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const KEYS = ['success', 'code', 'message', 'data'];

const refusal = (code: string) => ({
  success: false,
  code,
  message: expect.any(String) as unknown,
  data: null,
});

describe('every answer is the envelope', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    merchant = await platform.merchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  it.each([
    '/',
    '/api',
    '/api/v1/merchant',
    '/api/v1/merchant/',
    '/api/v1/merchant/balance/',
    '/api/v1/merchant//balance',
    '/api/v1/MERCHANT/balance',
    '/api/v2/merchant/balance',
    '/api/v1/merchant/orders/refund',
    '/api/v1/merchant/orders/deposit/cashier/',
    '/api/v1/merchant/query/cashier/S1',
    '/api/v1/merchant/query/deposit/a/b',
    '/graphql',
    '/metrics',
    '/documentation',
    '/bank-notifications/',
    '/.env',
    '/balance?%ff',
    '/..%2f',
  ])('answers 404 for %s, with any method', async (path) => {
    for (const method of ['GET', 'POST', 'PROPFIND'])
      expect(await platform.send(method, path, {}, method === 'GET' ? undefined : 'x')).toMatchObject({
        status: 404,
        body: refusal('NOT_FOUND'),
      });
  });

  it.each([
    ['/api/v1/merchant/orders/deposit', 'POST'],
    ['/api/v1/merchant/query/deposit', 'GET'],
    ['/api/v1/merchant/query/deposit/D1', 'GET'],
    ['/api/v1/merchant/balance', 'GET'],
    ['/bank-notifications', 'POST'],
    ['/health/live', 'GET'],
    ['/health/ready', 'GET'],
  ])('answers 405 with Allow for %s with any method but %s', async (path, allowed) => {
    const others = METHODS.filter((method) => method !== allowed && method !== 'CONNECT');
    for (const method of others) {
      const sent = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const text = await rawHttp(platform.port, sent);
      expect(text).toMatch(/^HTTP\/1.1 405 /);
      expect(text).toMatch(new RegExp(`\r\nallow: ${allowed}\r\n`, 'i'));
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      const envelope = method === 'HEAD' ? null : refusal('METHOD_NOT_ALLOWED');
      expect(body === '' ? null : JSON.parse(body)).toEqual(envelope);
    }
  });

  it.each(['%', '%ff', '%zz', '%c3', '/%ff/x'])('answers 400 for the undecodable URL %s', async (path) => {
    const answer = await platform.send('GET', `${MERCHANT_API}/query/deposit/${path}`);
    expect(answer).toMatchObject({ status: 400, body: refusal('VALIDATION_ERROR') });
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
  });

  it('answers 404 for an order number of any length and content', async () => {
    for (const orderNo of ['x'.repeat(101), 'x'.repeat(10_000), '%00', 'a%00b', '%2F', '%F0%9F%98%80', '..%2f'])
      expect(await merchant.signed('GET', `/query/deposit/${orderNo}`)).toMatchObject({
        status: 404,
        body: refusal('NOT_FOUND'),
      });
  });

  it('answers 401 without headers, with repeated and with empty ones', async () => {
    const timestamp = platform.timestamp();
    const right = { 'x-api-key': 'k', 'x-signature': 's', 'x-timestamp': timestamp };
    for (const [name, code] of [
      ['x-api-key', 'INVALID_SIGNATURE'],
      ['x-signature', 'INVALID_SIGNATURE'],
      ['x-timestamp', 'INVALID_TIMESTAMP'],
    ] as const)
      for (const wrong of [null, '', [right[name], right[name]], ['', right[name]]])
        expect(await platform.send('GET', `${MERCHANT_API}/balance`, { ...right, [name]: wrong })).toMatchObject({
          status: 401,
          body: refusal(code),
        });
  });

  it.each([
    null,
    '',
    'text/plain',
    'application/jsonx',
    'application/json, text/plain',
    'json',
    ';',
    'application/x-www-form-urlencoded',
    ['application/json', 'application/json'],
  ])('answers 415 for content type %j', async (type) => {
    const headers = {
      'x-api-key': merchant.apiKey,
      'x-signature': 's',
      'x-timestamp': platform.timestamp(),
      'content-type': type,
    };
    for (const body of ['{}', '', undefined])
      expect(await platform.send('POST', `${MERCHANT_API}/orders/deposit`, headers, body)).toMatchObject({
        status: 415,
        body: refusal('UNSUPPORTED_MEDIA_TYPE'),
      });
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ;charset="utf-16"; x=y',
    'application/json;',
  ])('accepts content type %s', async (type) => {
    const answer = await merchant.signed(
      'POST',
      '/orders/deposit',
      {},
      {
        headers: { 'content-type': type },
      },
    );
    expect(answer).toMatchObject({ status: 422, body: refusal('VALIDATION_ERROR') });
  });

  it.each(['gzip', 'br', 'identity, gzip', ['identity', 'gzip']])(
    'answers 415 that names it for content encoding %j',
    async (encoding) => {
      const headers = {
        'x-api-key': merchant.apiKey,
        'x-signature': 's',
        'x-timestamp': platform.timestamp(),
        'content-type': 'application/json',
        'content-encoding': encoding,
      };
      for (const path of ['deposit', 'deposit/cashier', 'withdrawal']) {
        const answer = await platform.send('POST', `${MERCHANT_API}/orders/${path}`, headers, '{}');
        expect(answer).toMatchObject({ status: 415, body: refusal('UNSUPPORTED_MEDIA_TYPE') });
        expect(answer.body.message).toContain('Content-Encoding');
      }
    },
  );

  it('accepts content encoding identity', async () => {
    const headers = { 'content-encoding': 'Identity' };
    expect(await merchant.signed('POST', '/orders/deposit', {}, { headers })).toMatchObject({
      status: 422,
      body: refusal('VALIDATION_ERROR'),
    });
  });

  it('answers 400 for a body that is not UTF-8', async () => {
    const headers = {
      'x-api-key': merchant.apiKey,
      'x-signature': 's',
      'x-timestamp': platform.timestamp(),
      'content-type': 'application/json',
    };
    for (const body of [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('1f8b08', 'hex')])
      expect(await platform.send('POST', `${MERCHANT_API}/orders/deposit`, headers, body)).toMatchObject({
        status: 400,
        body: refusal('VALIDATION_ERROR'),
      });
  });

  it('carries a request id, its content type, and forbids caching', async () => {
    const answers = [
      await platform.send('GET', '/'),
      await platform.send('GET', '/health/live'),
      await merchant.signed('GET', '/balance'),
    ];
    for (const { headers, body } of answers) {
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(Object.keys(body)).toEqual(KEYS);
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });

  describe('before Node has parsed a request', () => {
    it.each([
      ['garbage', 'garbage\r\n\r\n', 400],
      ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
      ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
      ['a space in a header name', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400],
      ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx', 400],
      ['length and chunks', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
      ['no version', 'GET /health/live\r\nHost: a\r\n\r\n', 400],
      ['another version', 'GET /health/live HTTP/2.0\r\nHost: a\r\n\r\n', 400],
      [
        'a coding that nobody decodes',
        'POST /health/live HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
        400,
      ],
      ['chunks in HTTP/1.0', 'POST /health/live HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
      ['large headers', `GET / HTTP/1.1\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 413],
      ['a long URL', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 413],
      ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', 404],
      ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
      ['two Hosts', 'GET /health/live HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', 400],
      ['two Hosts in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
      ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 404],
      [
        'a stream without a Host',
        'GET /cashier/x/stream HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
        400,
      ],
      ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\nConnection: close\r\n\r\n', 404],
      ['an upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n', 404],
      ['no path', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
      ['a whole URL', 'GET http://a/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
    ])('%s', async (_name, bytes, status) => {
      const [answer, ...more] = answersIn(await rawHttp(platform.port, bytes));
      expect(more).toEqual([]);
      expect(answer).toMatchObject({ status, body: { success: false, data: null } });
      expect(Object.keys(answer?.body as object)).toEqual(KEYS);
    });

    const post = `POST ${MERCHANT_API}/orders/deposit HTTP/1.1\r\nHost: a\r\n`;

    it('answers a broken chunk with 400', async () => {
      const text = await rawHttp(platform.port, [`${post}Transfer-Encoding: chunked\r\n\r\n`, 'zz\r\n'], {
        pauseMs: 50,
      });
      expect(answersIn(text)).toMatchObject([{ status: 400, body: refusal('VALIDATION_ERROR') }]);
    });

    it.each([
      ['headers', post],
      ['a body', `${post}Content-Length: 10\r\n\r\n{`],
    ])('answers %s that stall, and ends the connection', async (_, sent) => {
      // Half of production's time limit for slow clients.
      const hasty = await Platform.open({ deps: { clientPatience: 0.5 } });
      const text = await rawHttp(hasty.port, sent);
      expect(answersIn(text)).toMatchObject([{ status: 400, body: refusal('VALIDATION_ERROR') }]);
      await hasty.close();
    });

    it('answers clients that close their side behind the request', async () => {
      const body = JSON.stringify(depositBody());
      for (const [bytes, status] of [
        ['GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n', 200],
        [`${post}Content-Length: ${body.length}\r\n\r\n${body}`, 401],
        [`${get('/health/ready')}${get('/health/live')}`, 200],
      ] as const) {
        const answers = answersIn(await rawHttp(platform.port, bytes, { halfClose: true }));
        expect(answers.map((one) => one.status)).toContain(status);
      }
    });

    it.each(['', 'Connection: close\r\n'])(
      'requests before garbage get their answers, and the garbage gets none (%j)',
      async (header) => {
        const get = 'GET /health/ready HTTP/1.1\r\nHost: a\r\n';
        const text = await rawHttp(platform.port, `${get}\r\n${get}${header}\r\ngarbage\r\n\r\n`);
        expect(answersIn(text).map(({ status }) => status)).toEqual([200, 200]);
      },
    );

    it('answers the request that precedes an incomplete body', async () => {
      const text = await rawHttp(platform.port, [
        `GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ]);
      expect(answersIn(text).map(({ status }) => status)).toEqual([200]);
    });
  });

  describe('an internal error and a hang', () => {
    let broken: Platform;
    let sender: MerchantClient;
    let execute: GraphCalls['execute'];

    beforeAll(async () => {
      const fail: GraphCalls['execute'] = (...given) => execute(...given);
      broken = await Platform.open({
        patience: 1,
        deps: {
          graph: {
            ...platform.tenant.graph,
            execute: fail,
            ready: () => new Promise(() => undefined),
          },
        },
      });
      sender = broken.client(merchant);
    });
    afterAll(async () => {
      await broken.close();
    });

    it('answers 500 for an internal error, without details', async () => {
      execute = () => {
        throw new Error('a secret of the implementation');
      };
      const answer = await sender.signed('GET', '/balance');
      expect(answer).toMatchObject({ status: 500, body: refusal('INTERNAL_ERROR') });
      expect(answer.text).not.toContain('secret');
    });

    it('answers 500 where an answer does not fit its schema', async () => {
      execute = () => Promise.resolve({ merchantBalances: [{ version: 'x' }] } as never);
      expect(await sender.signed('GET', '/balance')).toMatchObject({
        status: 500,
        body: refusal('INTERNAL_ERROR'),
      });
    });

    it('answers 503 with Retry-After within 5 s where the graph hangs', async () => {
      execute = () => new Promise(() => undefined);
      const { result, ms } = await ownTime(async () => await sender.signed('GET', '/balance'));
      expect(result).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        body: refusal('SERVICE_UNAVAILABLE'),
      });
      expect(ms).toBeLessThan(5_000);
      const counted = await registry.getSingleMetricAsString('causeway_dependency_failures_total');
      expect(counted).toContain('{dependency="graph"} 1');
    });

    it('is alive but not ready while the graph hangs', async () => {
      expect(await broken.send('GET', '/health/live')).toMatchObject({
        status: 200,
        body: { success: true, data: { live: true } },
      });
      const { result, ms } = await ownTime(async () => await broken.send('GET', '/health/ready'));
      expect(result).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        body: refusal('SERVICE_UNAVAILABLE'),
      });
      expect(ms).toBeLessThan(2_500);
    });
  });

  it('is ready while the graph is', async () => {
    expect(await platform.send('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { success: true, code: 'SUCCESS', message: 'OK', data: { ready: true } },
    });
  });
});
