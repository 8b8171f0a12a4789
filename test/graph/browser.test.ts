import type { FastifyInstance } from 'fastify';
import { createClient } from 'graphql-ws';
import { parse } from 'graphql';
import pino from 'pino';
import WebSocket from 'ws';
import { publishEvents } from '../../db/events/events';
import { consoleSite, isFromOurPage, keepCookie, tokenOfCookie } from '../../graph/browser';
import { buildGraphServer } from '../../graph/server';
import { Tenant } from '../support/tenant';

const silent = pino({ level: 'silent' });
const SIGN_IN = `mutation { signIn(login: "admin", password: "a password of the tests") {
  expiresAt operator { login } } }`;

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
}

describe('the session of a browser', () => {
  let tenant: Tenant;
  let app: FastifyInstance;
  let origin: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.account();
    await tenant.graph.core.events.start();
    app = await buildGraphServer(tenant.graph, silent);
    origin = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await app.close();
    await tenant.close();
  });

  const post = async (query: string, headers: Record<string, string>): Promise<Response> =>
    await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  const ask = async (query: string, headers: Record<string, string>): Promise<Answer> =>
    (await (await post(query, headers)).json()) as Answer;
  const ourPage = (): Record<string, string> => ({ origin, 'x-causeway-console': '1' });

  async function signIn(): Promise<string> {
    const response = await post(SIGN_IN, ourPage());
    const [cookie = ''] = response.headers.getSetCookie();
    return cookie.split(';')[0] ?? '';
  }

  it('is in an HttpOnly, SameSite cookie, and its token appears nowhere else', async () => {
    const response = await post(SIGN_IN, ourPage());
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^causeway=[0-9A-Za-z]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ data: { signIn: { operator: { login: 'admin' } } } });
    expect(body).not.toContain(/=([^;]+)/.exec(cookie)?.[1]);
  });

  it('is accepted from a page of the console', async () => {
    const cookie = await signIn();
    const { data } = await ask('{ me { login } }', { ...ourPage(), cookie });
    expect(data).toEqual({ me: { login: 'admin' } });
  });

  it.each([
    ['without our header', { 'x-causeway-console': undefined }],
    ['with another value of our header', { 'x-causeway-console': 'yes' }],
    ['from another site', { origin: 'https://evil.example' }],
    ['from another port of the same host', { origin: 'http://127.0.0.1:1' }],
    ['from a page without an origin', { origin: 'null' }],
    ['without Origin', { origin: undefined }],
    ['with an invalid bearer token', { authorization: 'Bearer x' }],
  ])('is ignored %s', async (_what, change) => {
    const cookie = await signIn();
    const headers = Object.fromEntries(
      Object.entries({ ...ourPage(), cookie, ...change }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const me = await ask('{ me { login } }', headers);
    expect(me.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const { cookie: _cookie, authorization: _a, ...bare } = headers;
    if ('authorization' in headers) return;
    const again = await post(SIGN_IN, bare);
    expect(again.headers.getSetCookie()).toEqual([]);
    expect(((await again.json()) as Answer).errors?.[0]?.extensions.code).toBe('AUTHORIZATION_ERROR');
  });

  it('is ignored in a GET', async () => {
    const cookie = await signIn();
    const response = await fetch(`${origin}/graphql?query=${encodeURIComponent('{me{login}}')}`, {
      headers: { ...ourPage(), cookie, 'apollo-require-preflight': '1' },
    });
    expect(response.status).toBe(405);
    expect(((await response.json()) as Answer).errors?.[0]?.extensions.code).toBe('METHOD_NOT_ALLOWED');
  });

  it('is not accepted as a bearer token, nor is a bearer token accepted as a cookie', async () => {
    const token = (await signIn()).replace('causeway=', '');
    const asBearer = await ask('{ me { login } }', { authorization: `Bearer ${token}` });
    expect(asBearer.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    const { data } = await ask('mutation { login(login: "admin", password: "a password of the tests") { token } }', {});
    const bearer = (data?.['login'] as { token: string }).token;
    const asCookie = await ask('{ me { login } }', { ...ourPage(), cookie: `causeway=${bearer}` });
    expect(asCookie.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('ends with logout, which deletes the cookie', async () => {
    const cookie = await signIn();
    const response = await post('mutation { logout { ok } }', { ...ourPage(), cookie });
    expect(response.headers.getSetCookie()).toEqual(['causeway=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict']);
    const { errors } = await ask('{ me { login } }', { ...ourPage(), cookie });
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('ends after an idle hour, but not before; a program’s session does not', async () => {
    const cookie = await signIn();
    const login = await ask('mutation { login(login: "admin", password: "a password of the tests") { token } }', {});
    const authorization = `Bearer ${(login.data?.['login'] as { token: string }).token}`;
    const real = tenant.now;
    const began = Date.now();
    const after = async (minutes: number): Promise<unknown> => {
      tenant.now = () => new Date(began + minutes * 60_000);
      return (await ask('{ me { login } }', { ...ourPage(), cookie })).data;
    };
    try {
      expect(await after(59)).toEqual({ me: { login: 'admin' } });
      expect(await after(118)).toEqual({ me: { login: 'admin' } });
      expect(await after(179)).toBeNull();
      expect((await ask('{ me { login } }', { authorization })).data).toEqual({
        me: { login: 'admin' },
      });
    } finally {
      tenant.now = real;
    }
  });

  it('opens a socket from a page of the console only', async () => {
    const cookie = await signIn();
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    await publishEvents(tenant.database, 100);
    const next = async (headers: Record<string, string>): Promise<unknown> => {
      class OfAPage extends WebSocket {
        constructor(url: string, protocols?: string | string[]) {
          super(url, protocols, { headers });
        }
      }
      const client = createClient({
        url: `${origin.replace('http', 'ws')}/graphql`,
        webSocketImpl: OfAPage,
        retryAttempts: 0,
      });
      try {
        const query = `subscription { depositChanged(orderNo: "${orderNo}") { type } }`;
        return (await client.iterate({ query }).next()).value;
      } finally {
        await client.dispose();
      }
    };
    expect(await next({ origin, cookie })).toEqual({
      data: { depositChanged: { type: 'created' } },
    });
    await expect(next({ origin: 'https://evil.example', cookie })).rejects.toMatchObject({
      code: 4403,
    });
    await expect(next({ origin })).rejects.toMatchObject({ code: 4403 });
  });

  it('is listed with the other sessions, each of which can be ended', async () => {
    await tenant.database.sql`delete from operator_sessions`;
    const cookie = await signIn();
    const other = await signIn();
    const mine = { ...ourPage(), cookie, 'user-agent': 'a browser' };
    const list = async (): Promise<{ id: string; current: boolean; address: string }[]> => {
      const { data } = await ask('{ me { sessions { id current address cookie } } }', mine);
      return (data?.['me'] as { sessions: { id: string; current: boolean; address: string }[] }).sessions;
    };
    const sessions = await list();
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    expect(sessions.every(({ address }) => address === '127.0.0.1')).toBe(true);
    const id = sessions.find(({ current }) => !current)?.id ?? '';
    expect((await ask(`mutation { endSession(id: "${id}") { ok } }`, mine)).data).toEqual({
      endSession: { ok: true },
    });
    expect((await ask('{ me { login } }', { ...ourPage(), cookie: other })).data).toBeNull();
    await signIn();
    expect((await ask('mutation { endOtherSessions { ended } }', mine)).data).toEqual({
      endOtherSessions: { ended: 1 },
    });
    expect(await list()).toHaveLength(1);
  });

  it('keeps the browser known, so that failures from other places do not lock it out', async () => {
    const secret = 'a password of the tests';
    await tenant.person('carol', ['support']);
    const enter = async (password: string, device?: string): Promise<Response> =>
      await post(`mutation { signIn(login: "carol", password: "${password}") { expiresAt } }`, {
        ...ourPage(),
        ...(device !== undefined && { cookie: device }),
      });
    const codeOf = async (answer: Response): Promise<string | undefined> =>
      ((await answer.json()) as Answer).errors?.[0]?.extensions.code;
    const device = (await enter(secret)).headers.getSetCookie().at(-1)?.split(';')[0] ?? '';
    expect(device).toMatch(/^causeway-device=\d+-[0-9A-Za-z]{43}-[0-9a-f]{64}$/);
    for (let n = 0; n < 5; n++) expect(await codeOf(await enter('no'))).toBe('UNAUTHENTICATED');
    expect(await codeOf(await enter(secret))).toBe('RATE_LIMITED');
    expect(await codeOf(await enter(secret, `${device.slice(0, -1)}x`))).toBe('RATE_LIMITED');
    expect(await codeOf(await enter(secret, device))).toBeUndefined();
    // Failures in that browser lock it.
    for (let n = 0; n < 5; n++) expect(await codeOf(await enter('no', device))).toBe('UNAUTHENTICATED');
    expect(await codeOf(await enter(secret, device))).toBe('RATE_LIMITED');
  });

  it('is a Secure __Host- cookie where the console uses https', () => {
    const site = consoleSite('https://ops.example.com/console');
    expect(keepCookie(site, 'token', 60)).toBe(
      '__Host-causeway=token; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
    );
    expect(isFromOurPage(site, { origin: 'https://ops.example.com' })).toBe(true);
    expect(isFromOurPage(site, { origin: 'http://127.0.0.1:4000', host: '127.0.0.1:4000' })).toBe(false);
    expect(tokenOfCookie(site, { cookie: 'causeway=a; __Host-causeway=b' })).toBe('b');
  });

  it('is refused under a rebound host name', () => {
    const site = consoleSite('http://127.0.0.1:4000/console');
    const host = 'evil.example:4000';
    expect(isFromOurPage(site, { origin: `http://${host}`, host })).toBe(false);
    expect(isFromOurPage(site, { origin: 'http://localhost:4000', host: 'localhost:4000' })).toBe(true);
  });

  it('with ADMIN only can end sessions of others', async () => {
    await signIn();
    const [session] = await tenant.database.sql<{ id: string }[]>`select id from operator_sessions`;
    const somebody = tenant.operatorWith(['VIEW']);
    await expect(
      tenant.graph.execute(parse(`mutation { endSession(id: "${session?.id ?? ''}") { ok } }`), {}, somebody, silent),
    ).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });
});
