import { itInFull } from '../support/in-full';
import { connect } from 'node:net';
import * as zlib from 'node:zlib';
import { getIntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-ws';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import WebSocket from 'ws';
import type { Actor } from '../../steps/access/actor';
import type { GraphContext } from '../../graph/context';
import { sha256 } from '../../graph/guard/documents';
import { Guard } from '../../graph/guard/guard';
import { OPERATION_LIMITS } from '../../graph/guard/limits';
import { loadManifest, readPersisted } from '../../graph/guard/persisted';
import { contextFor } from '../../graph/index';
import { buildGraphServer } from '../../graph/server';
import { OPERATIONS } from '../../local/generated/operations';
import { OperatorClient } from '../../local/operator-client';
import { metrics } from '../../runtime/metrics';
import { answersIn, rawHttp } from '../support/raw-http';
import { Tenant } from '../support/tenant';
import { ABUSE } from '../../bench/abuse-corpus';

const silent = pino({ level: 'silent' });

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { code: string } }[];
}

describe('the guard of the internal listener', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let url: string;
  let token: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    app = await buildGraphServer(tenant.graph, silent);
    url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
    const operator = new OperatorClient(url);
    ({ token } = await operator.run<{ token: string }>('Login', {
      login: 'admin',
      password: 'a password of the tests',
    }));
  });
  afterAll(async () => {
    await app.close();
    await tenant.close();
  });

  const send = async (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
      body,
    });

  const refused = async (limit: string): Promise<number> =>
    (await metrics.operationsRefused.get()).values.find(({ labels }) => labels.limit === limit)?.value ?? 0;

  it.each(ABUSE)('refuses $name', async ({ body, code, limit }) => {
    const before = await refused(limit);
    const answer = await send(body);
    const { data, errors } = (await answer.json()) as Answer;
    expect(errors?.[0]?.extensions.code).toBe(code);
    expect(data ?? null).toBeNull();
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await refused(limit)).toBe(before + 1);
  });

  it('refuses the same over a socket, and the socket stays open', async () => {
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    const ask = async (payload: { query: string }): Promise<unknown> => {
      const results = client.iterate(payload);
      return (await results.next()).value as unknown;
    };
    let tried = 0;
    for (const { body, code } of ABUSE) {
      if (!/^\{"query":"/.test(body) || body.length > 60_000) continue;
      const refusal: unknown = await ask(JSON.parse(body) as { query: string }).catch(
        (errors: unknown) => (errors as NonNullable<Answer['errors']>)[0]?.extensions.code,
      );
      expect(refusal).toBe(code);
      tried++;
    }
    expect(tried).toBeGreaterThan(20);
    expect(await ask({ query: '{ me { login } }' })).toEqual({ data: { me: { login: 'admin' } } });
    await client.dispose();
  });

  it('accepts all documents of docs/operations.graphql', () => {
    const guard = new Guard(tenant.graph.schema, 'production', new Map());
    // On a busy machine, parsing all documents at once exceeds one caller's budget.
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    let admitted = 0;
    for (const query of Object.values(OPERATIONS)) {
      expect(() => guard.admit({ query, variables: {} }, contextOf('session', false))).not.toThrow();
      admitted++;
    }
    now.mockRestore();
    expect(admitted).toBeGreaterThan(25);
  });

  const contextOf = (via: 'session' | 'token', cookie: boolean): GraphContext => {
    const actor: Actor = { ...tenant.operator, via, cookie } as Actor;
    return contextFor(tenant.graph.core, actor, silent);
  };

  it('shows the schema in a sandbox only', async () => {
    const answer = await send(JSON.stringify({ query: getIntrospectionQuery() }));
    expect(((await answer.json()) as Answer).errors).toBeUndefined();
    const production = new Guard(tenant.graph.schema, 'production', new Map());
    for (const query of [getIntrospectionQuery(), '{ ... { s: __type(name: "Query") { name } } }'])
      expect(() => production.admit({ query }, contextOf('session', false))).toThrow(
        expect.objectContaining({ limit: 'introspection' }) as Error,
      );
    expect(() => production.admit({ query: '{ __typename }' }, contextOf('session', false))).not.toThrow();
  });

  it('reveals no name of the schema that the document lacks, except in a sandbox', () => {
    const messageOf = (environment: 'production' | 'sandbox', query: string, filter?: object) => {
      const guard = new Guard(tenant.graph.schema, environment, new Map());
      try {
        guard.checkValues(guard.admit({ query, variables: { filter } }, contextOf('token', false)));
      } catch (error) {
        const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
        return (first as Error).message;
      }
      throw new Error('it was admitted');
    };
    const byFilter = 'query ($filter: DepositFilter) { deposits(filter: $filter) { nodes { id } } }';
    for (const [query, filter] of [
      ['{ depositz { nodes { id } } }'],
      ['{ deposits(filterz: {}) { nodes { id } } }'],
      ['{ deposits(filter: { statuz: [PENDING] }) { nodes { id } } }'],
      ['{ deposits(filter: { status: [PENDINGZ] }) { nodes { id } } }'],
      [byFilter, { statuz: ['PENDING'] }],
      [byFilter, { status: ['PENDINGZ'] }],
    ] as const) {
      expect(messageOf('sandbox', query, filter)).toContain('Did you mean');
      expect(messageOf('production', query, filter)).not.toContain('Did you mean');
    }
  });

  it("in production runs only the console's own operations for a browser's session", () => {
    const text = 'query Who { me { login } }';
    const { schema } = tenant.graph;
    const persisted = readPersisted(schema, { [sha256(text)]: text });
    const production = new Guard(schema, 'production', persisted);
    const byHash = { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(text) } } };
    expect(production.admit(byHash, contextOf('session', true)).text).toBe(text);
    expect(() => production.admit({ query: text }, contextOf('session', true))).toThrow(
      expect.objectContaining({ limit: 'persisted' }) as Error,
    );
    expect(production.admit({ query: text }, contextOf('token', false)).text).toBe(text);
    const sandbox = new Guard(schema, 'sandbox', persisted);
    expect(sandbox.admit({ query: text }, contextOf('session', true)).text).toBe(text);
  });

  it('does not start with a text that is not that of its hash, and runs none that does not fit the schema', () => {
    const { schema } = tenant.graph;
    expect(() => readPersisted(schema, { ['00'.repeat(32)]: '{ me { id } }' })).toThrow('hash');
    const text = '{ me { shoeSize } }';
    const broken = readPersisted(schema, { [sha256(text)]: text }).get(sha256(text));
    expect(() => broken?.document).toThrow('shoeSize');
  });

  it("fits the schema with each of the console's operations", () => {
    const persisted = readPersisted(tenant.graph.schema, loadManifest());
    expect(persisted.size).toBeGreaterThan(100);
    for (const { document } of persisted.values()) expect(document.kind).toBe('Document');
  });

  it('accepts operations only by POST', async () => {
    const answer = await fetch(`${url}?query={__typename}`, {
      headers: { authorization: `Bearer ${token}`, 'apollo-require-preflight': '1' },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('limits the operations that each operator has under way', () => {
    const guard = new Guard(tenant.graph.schema, 'sandbox', new Map());
    const context = contextOf('session', false);
    const leave = Array.from({ length: OPERATION_LIMITS.underWay }, () => guard.enter(context));
    expect(() => guard.enter(context)).toThrow(expect.objectContaining({ limit: 'under_way' }) as Error);
    leave[0]?.();
    expect(() => guard.enter(context)).not.toThrow();
  });

  it('charges new documents to their sender’s budget', () => {
    const guard = new Guard(tenant.graph.schema, 'sandbox', new Map());
    const known = '{ me { id } }';
    const context = contextOf('session', false);
    guard.admit({ query: known }, context);
    const now = jest.spyOn(performance, 'now');
    let time = performance.now();
    now.mockImplementation(() => (time += 100));
    const flood = (): void => {
      for (let n = 0; n < 100; n++) guard.admit({ query: `{ me { a${n}: id } }` }, context);
    };
    expect(flood).toThrow(expect.objectContaining({ limit: 'reading_budget' }) as Error);
    expect(() => guard.admit({ query: known }, context)).not.toThrow();
    const other = contextFor(tenant.graph.core, { ...tenant.operator, tokenHash: 'another' } as Actor, silent);
    expect(() => guard.admit({ query: '{ me { login } }' }, other)).not.toThrow();
    now.mockRestore();
  });

  it('reads coded bodies up to its size, and refuses those that are not what they say', async () => {
    const query = JSON.stringify({ query: '{ __typename }' });
    const bomb = JSON.stringify({ query: ' '.repeat(8_000_000) });
    const codings: [string, (text: string) => Buffer][] = [
      ['gzip', zlib.gzipSync],
      ['deflate', zlib.deflateSync],
      ['br', zlib.brotliCompressSync],
    ];
    // Node.js 20 does not know it.
    const knowsZstd = 'zstdCompressSync' in zlib;
    if (knowsZstd) codings.push(['zstd', zlib.zstdCompressSync]);
    const cases: [string, string | Buffer, number, string?][] = [
      ...codings.flatMap(([coding, code]): [string, string | Buffer, number, string?][] => [
        [coding, code(query), 200],
        [coding, query, 400, 'VALIDATION_ERROR'],
        [coding, code(query).subarray(0, -6), 400, 'VALIDATION_ERROR'],
        [coding, code('{'), 400, 'VALIDATION_ERROR'],
        [coding, code(bomb), 413, 'PAYLOAD_TOO_LARGE'],
      ]),
      ['gzip', Buffer.from('1f8b0800000000000003', 'hex'), 400, 'VALIDATION_ERROR'],
      [knowsZstd ? 'compress' : 'zstd', query, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['gzip, gzip', query, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ];
    const before = await refused('body');
    for (const path of ['', '/files', '/exports/deposits'])
      for (const [coding, body, status, code] of cases) {
        // A whole body is then looked at as an operation.
        if (code === undefined && path !== '') continue;
        const answer = await fetch(`${url}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'content-encoding': coding,
            authorization: `Bearer ${token}`,
          },
          body,
        });
        const { errors } = (await answer.json()) as Answer;
        const got = [path, coding, answer.status, errors?.[0]?.extensions.code];
        expect(got).toEqual([path, coding, status, code]);
      }
    expect(await refused('body')).toBe(before + 3 * (cases.length - codings.length));
  });

  it('takes requests that name one host, over HTTP/1.0 also none', async () => {
    const port = Number(new URL(url).port);
    const ask = async (head: string): Promise<unknown> => {
      const [answer] = answersIn(await rawHttp(port, `${head}Connection: close\r\n\r\n`));
      return answer;
    };
    const refusal = {
      status: 400,
      body: { errors: [{ extensions: { code: 'VALIDATION_ERROR' } }] },
    };
    for (const path of ['/health/live', '/graphql', '/nowhere']) {
      const get = `GET ${path} HTTP/1.1\r\n`;
      expect(await ask(get)).toMatchObject(refusal);
      expect(await ask(`${get}Host: a\r\nhost: a\r\n`)).toMatchObject(refusal);
    }
    expect(await ask('GET /health/live HTTP/1.0\r\n')).toMatchObject({ status: 200 });
    expect(await ask('GET /health/live HTTP/1.1\r\nHost: a\r\n')).toMatchObject({ status: 200 });
    const upgrade =
      'GET /graphql HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    for (const hosts of ['', 'Host: a\r\nHost: b\r\n'])
      expect(await rawHttp(port, `${upgrade}${hosts}\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  itInFull('disconnects a client that sends its body slowly, or no body', async () => {
    const { port, hostname } = new URL(url);
    const ended = async (bytes: string): Promise<boolean> => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      socket.write(bytes);
      await new Promise((resolve) => socket.once('close', resolve).resume());
      return socket.destroyed;
    };
    const all = await Promise.all([
      ended('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'),
      ended('POST /graphql HTTP/1.1\r\nHo'),
      ended(''),
    ]);
    expect(all).toEqual([true, true, true]);
  });
});
