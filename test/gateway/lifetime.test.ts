import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import WebSocket from 'ws';
import { boundedGraph } from '../../gateway/bounded-graph';
import type { GraphCalls } from '../../gateway/deps';
import { CatalogueError } from '../../domain/errors';
import { registry } from '../../runtime/metrics';
import { depositBody, md5, MERCHANT_API, Platform, signingString } from '../support/platform';
import { LogLines } from '../support/log-lines';
import { Scrape } from '../support/prometheus';
import { ownTime } from '../support/stopwatch';
import { answersIn } from '../support/raw-http';

describe('a listener that closes', () => {
  it('finishes requests in flight and refuses new ones, in the envelope', async () => {
    const outside = await Platform.open();
    const merchant = await outside.merchant();
    let asked = (): void => undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const platform = await Platform.open({
      deps: {
        graph: {
          ...outside.tenant.graph,
          authenticate: async (request, permission) => {
            asked();
            await held;
            return await outside.tenant.graph.authenticate(request, permission);
          },
        },
      },
    });

    const timestamp = outside.timestamp();
    const get =
      `GET ${MERCHANT_API}/balance HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${merchant.apiKey}\r\n` +
      `X-Timestamp: ${timestamp}\r\nX-Signature: ${md5(signingString({}, timestamp) + merchant.apiKey)}\r\n\r\n`;
    const open = await connected(platform.port);
    const idle = await connected(platform.port);
    let answer = '';
    open.on('data', (part: string) => (answer += part));
    open.write(get);
    await reached;

    const { server } = platform.gateway;
    const closing = platform.gateway.close();
    while (server.listening) await sleep(5);
    await expect(connected(platform.port)).rejects.toThrow('ECONNREFUSED');
    const next = once(server, 'request');
    open.write('GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n');
    await next;
    const ended = once(open, 'close');
    release();
    expect(
      (
        await ownTime(async () => {
          await closing;
        })
      ).ms,
    ).toBeLessThan(1_000);
    await ended;
    idle.destroy();

    const [first, second] = answersIn(answer);
    expect(first).toMatchObject({ status: 200, body: { code: 'SUCCESS' } });
    expect(first?.head).toMatch(/\r\nconnection: close/i);
    // Its answer may be cut off: the previous answer announced the close.
    const underWay = async (): Promise<number | undefined> =>
      new Scrape(await registry.metrics()).value('causeway_requests_in_flight');
    while ((await underWay()) !== 0) await sleep(5);
    if (second) expect(second).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await platform.close();
    await outside.close();
  });

  it("closes payers' sockets with 1001", async () => {
    const platform = await Platform.open();
    const merchant = await platform.cashierMerchant();
    await platform.account();
    const session = { merchant_order_no: 'a session', currency_code: 'USD' };
    const { body } = await merchant.signed('POST', '/orders/deposit/cashier', session);
    const token = String(body.data?.['cashier_token']);
    const socket = new WebSocket(`ws://127.0.0.1:${platform.port}/cashier/${token}/stream`);
    await once(socket, 'message');
    const closed = once(socket, 'close') as Promise<[number]>;
    await platform.gateway.close();
    expect((await closed)[0]).toBe(1001);
    await platform.close();
  });

  async function connected(port: number): Promise<Socket> {
    return await new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        resolve(socket.setEncoding('utf8'));
      });
      socket.on('error', reject);
    });
  }
});

describe('the log and the metrics', () => {
  it('record each request, and never a secret', async () => {
    // Other tests of the process have counted theirs.
    registry.resetMetrics();
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => lines.push(line) });
    const platform = await Platform.open({ deps: { log } });
    const accountId = await platform.account();
    const merchant = await platform.merchant();
    const agent = await platform.agent([accountId]);
    const body = depositBody({ account_no: '5555666677778888', account_holder: 'Jane Payer' });

    const created = await merchant.signed('POST', '/orders/deposit?note=private', body);
    const query = `/query/deposit?merchant_order_no=${body.merchant_order_no}&secret=hidden`;
    await merchant.signed('GET', query, undefined, { signature: 'abcdef0123456789' });
    const transfer = {
      account_id: accountId,
      amount: '1.00',
      currency_code: 'USD',
      bank_time: '2026-01-01T00:00:00Z',
      memo: 'a memo',
      payer_account: '9999000011112222',
    };
    const notified = await platform.notify(agent, transfer);
    const transferId = notified.body.data?.['transfer_id'];
    const orderNo = created.body.data?.['order_no'];
    await platform.tenant.operate('MatchTransfer', { transferId, orderNo, reason: 'test' });
    await platform.notify(agent, transfer);
    await platform.send('GET', '/nowhere?token=hidden');
    await platform.close();

    const logged = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['msg'] === 'request answered');
    expect(logged).toMatchObject([
      {
        traceId: created.headers['x-request-id'],
        environment: 'sandbox',
        method: 'POST',
        route: '/api/v1/merchant/orders/deposit',
        status: 201,
        code: 'SUCCESS',
        orderNo,
        merchantCode: merchant.merchantCode,
        ms: expect.any(Number) as unknown,
      },
      {
        route: '/api/v1/merchant/query/deposit',
        status: 401,
        code: 'INVALID_SIGNATURE',
        refusal: 'the signature does not match',
      },
      {
        route: '/bank-notifications',
        status: 201,
        code: 'SUCCESS',
        agent: agent.keyId,
        transferId,
      },
      { route: '/bank-notifications', status: 200, transferId, orderNo },
      { route: 'unknown', status: 404, code: 'NOT_FOUND' },
    ]);
    const all = lines.join('');
    for (const secret of [
      merchant.apiKey,
      agent.secret,
      'abcdef0123456789',
      '5555666677778888',
      '9999000011112222',
      'Jane Payer',
      'private',
      'hidden',
    ])
      expect(all).not.toContain(secret);

    const counted = await registry.getSingleMetricAsString('causeway_merchant_requests_total');
    expect(counted).toContain('{route="/api/v1/merchant/orders/deposit",code="SUCCESS"} 1');
    expect(counted).toContain('{route="unknown",code="NOT_FOUND"} 1');
    const refused = await registry.getSingleMetricAsString('causeway_refusals_total');
    expect(refused).toContain('{kind="INVALID_SIGNATURE"} 1');
  });

  it('record a client that leaves before its answer', async () => {
    const { log, having } = new LogLines();
    let asked = (): void => undefined;
    const reached = new Promise<void>((resolve) => (asked = resolve));
    let release = (): void => undefined;
    const held = new Promise<never>((_resolve, reject) => {
      release = () => {
        reject(new CatalogueError('INVALID_SIGNATURE', 'at last'));
      };
    });
    const authenticateAgent = (): Promise<never> => {
      asked();
      return held;
    };
    const graph = {
      authenticateAgent,
      areCreditsLate: () => false,
    } as Partial<GraphCalls> as GraphCalls;
    const platform = await Platform.open({ deps: { log, graph } });
    const scrape = async (): Promise<Scrape> => new Scrape(await registry.metrics());

    const socket = connect({ port: platform.port, host: '127.0.0.1' });
    socket.write(
      'POST /bank-notifications HTTP/1.1\r\nHost: a\r\nX-Agent-Key: k\r\nX-Agent-Signature: s\r\n' +
        `X-Agent-Nonce: 12345678\r\nX-Agent-Timestamp: ${platform.timestamp()}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    );
    await reached;
    expect((await scrape()).value('causeway_requests_in_flight')).toBe(1);
    expect((await scrape()).value('causeway_graph_calls_in_flight')).toBe(1);
    // A client that only closes its side still waits for the answer.
    socket.resetAndDestroy();
    while (having({ msg: 'client left' }).length === 0) await sleep(10);
    expect(having({ msg: 'client left' })).toMatchObject([
      {
        route: '/bank-notifications',
        code: 'CLIENT_LEFT',
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    ]);
    const labels = { route: '/bank-notifications', code: 'CLIENT_LEFT' };
    expect((await scrape()).value('causeway_merchant_requests_total', labels)).toBe(1);
    expect((await scrape()).value('causeway_requests_in_flight')).toBe(0);
    release();
    await platform.close();
  });
});

describe('a graph that hangs', () => {
  it('gets a bounded number of concurrent requests', async () => {
    let release = (): void => undefined;
    const held = new Promise<never>((_resolve, reject) => {
      release = () => {
        reject(new CatalogueError('NOT_FOUND', 'order not found'));
      };
    });
    const hanging = { authenticateAgent: () => held } as Partial<GraphCalls> as GraphCalls;
    const graph = boundedGraph(hanging, 2);
    const ask = async () => await graph.authenticateAgent({} as never);
    const waiting = [ask(), ask()].map((one) => one.catch((error: unknown) => error));
    await expect(ask()).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
    const scraped = new Scrape(await registry.metrics());
    expect(scraped.value('causeway_graph_calls_in_flight')).toBe(2);
    expect(scraped.value('causeway_graph_calls_limit')).toBe(2);
    expect(scraped.value('causeway_graph_calls_refused_total')).toBe(1);
    release();
    await Promise.all(waiting);
    await expect(ask()).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });
});
