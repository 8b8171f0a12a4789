import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { goodUntil } from '../../domain/secret-link';
import { putEnrolmentToken } from '../../db/accounts/agent-enrolments';
import { findAgentKeys } from '../../db/accounts/agent-keys';
import { freePort } from '../../local/ports';
import { judgeHealth } from '../../temporal/activities/health';
import { Platform } from '../support/platform';
import type { OperatorActor } from '../support/tenant';
import { eventually } from '../support/until';

const START = Date.parse('2026-01-02T00:00:00Z');
const HOUR = 3_600_000;

interface Proposed {
  readonly secret: string | null;
  readonly keyId: string;
  readonly key: { readonly id: string; readonly worksSince: string | null } | null;
  readonly change: { readonly id: string; readonly status: string; readonly after: string };
}

const pair = (): { readonly publicKey: string; readonly privateKey: KeyObject } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey,
  };
};

describe('links by which owners of agents enrol a key', () => {
  let platform: Platform;
  let bob: OperatorActor;
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    bob = await platform.tenant.person('bob', ['approve']);
    accountId = await platform.tenant.account('THB');
  });
  beforeEach(() => {
    at(0);
    platform.tenant.changes.onePerson = true;
  });
  afterAll(async () => {
    await platform.close();
  });

  function at(hours: number): void {
    platform.tenant.now = () => new Date(START + hours * HOUR);
  }
  const propose = async (more: Record<string, unknown> = {}): Promise<Proposed> =>
    await platform.tenant.operate('CreateAgentKey', {
      reason: 'test',
      input: {
        label: 'reader',
        accountIds: [accountId],
        ownerEmail: 'owner@agents.example',
        maxTransferAmount: '500',
        maxDailyAmount: '5000',
        ...more,
      },
    });
  const linkOf = async (keyId: string): Promise<string | undefined> => {
    const [link] = await platform.tenant.database.sql<{ id: string }[]>`
      select l.id from agent_enrolments l join agent_keys k on k.id = l.agent_key_id where k.key_id = ${keyId}`;
    return link?.id;
  };
  /** Sends the link of a key, as the worker does. @returns its token */
  async function sent(keyId: string): Promise<string> {
    const { database, graph } = platform.tenant;
    const token = randomBytes(16).toString('hex');
    const hash = graph.core.lookup(`agent:${token}`);
    const until = goodUntil(platform.tenant.now());
    await putEnrolmentToken(database, (await linkOf(keyId)) ?? '', hash, until);
    return token;
  }
  const post = async (path: string, fields: Record<string, string>) =>
    await platform.send(
      ...(['POST', `/cashier/agents/${path}`, { 'content-type': 'application/json' }] as const),
      JSON.stringify(fields),
    );
  /** Reports a credit. @returns the HTTP status */
  async function reports(keyId: string, privateKey: KeyObject): Promise<number> {
    const now = platform.tenant.now();
    const body = JSON.stringify({
      account_id: accountId,
      amount: '10.00',
      currency_code: 'THB',
      memo: '',
      bank_time: now.toISOString(),
      bank_reference: randomBytes(8).toString('hex'),
    });
    const timestamp = Math.floor(now.getTime() / 1000).toString();
    const nonce = randomBytes(16).toString('hex');
    const signature = sign(null, Buffer.from(`${timestamp}.${nonce}.${body}`), privateKey);
    const headers = {
      'content-type': 'application/json',
      'x-agent-key': keyId,
      'x-agent-timestamp': timestamp,
      'x-agent-nonce': nonce,
      'x-agent-signature': signature.toString('base64'),
    };
    return (await platform.send('POST', '/bank-notifications', headers, body)).status;
  }

  it('open once, by a POST alone, and the agent reports from then on', async () => {
    const { keyId, secret, key, change } = await propose();
    expect([secret, key?.worksSince]).toEqual([null, null]);
    expect(JSON.stringify(change.after)).toContain('owner@agents.example');
    const token = await sent(keyId);
    const page = await fetch(`http://127.0.0.1:${String(platform.port)}/cashier/agents`);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const text = await page.text();
    expect(text).toContain('Show the agent');
    expect(text).toContain('https://api.example/bank-notifications');
    for (let n = 0; n < 2; n++)
      expect((await post('show', { token })).body.data).toMatchObject({
        key_id: keyId,
        label: 'reader',
        currency_code: 'THB',
        max_transfer_amount: '500.0000',
        max_daily_amount: '5000.0000',
        accounts: [{ id: accountId, name: expect.any(String) as string }],
      });
    const { publicKey, privateKey } = pair();
    expect(await reports(keyId, privateKey)).toBe(401);
    const wrong = await post('enrol', { token, public_key: 'bm8ga2V5' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Ed25519')]);
    const pem = `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`;
    const answers = await Promise.all([1, 2, 3, 4].map(async () => await post('enrol', { token, public_key: pem })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expect(await reports(keyId, privateKey)).toBe(201);
    expect(await reports(keyId, pair().privateKey)).toBe(401);
    expect((await post('show', { token })).status).toBe(401);
    const { database } = platform.tenant;
    const stored = JSON.stringify([
      await database.sql`select * from agent_enrolments`,
      await database.sql`select * from change_requests`,
      await database.sql`select * from audit_log`,
    ]);
    expect(stored).not.toContain(token);
    const keys = await database.sql`select public_key from agent_keys where key_id = ${keyId}`;
    expect(keys).toEqual([{ publicKey }]);
  });

  it('take no key for which anybody can sign, and one that was taken before signs nothing', async () => {
    const { keyId, key } = await propose();
    const token = await sent(keyId);
    const spki = (point: string): string => Buffer.from(`302a300506032b6570032100${point}`, 'hex').toString('base64');
    const one = `01${'00'.repeat(31)}`;
    for (const point of [one, `01${'00'.repeat(30)}80`, '00'.repeat(32), `ee${'ff'.repeat(30)}7f`])
      expect((await post('enrol', { token, public_key: spki(point) })).status).toBe(422);
    const { privateKey, publicKey } = pair();
    expect((await post('enrol', { token, public_key: publicKey })).status).toBe(200);
    expect(await reports(keyId, privateKey)).toBe(201);
    const { database } = platform.tenant;
    await database.sql`update agent_keys set public_key = ${spki(one)} where id = ${key?.id ?? ''}`;
    const body = '{}';
    const forged = Buffer.concat([Buffer.from(one, 'hex'), Buffer.alloc(32)]).toString('base64');
    const headers = {
      'content-type': 'application/json',
      'x-agent-key': keyId,
      'x-agent-timestamp': String(START / 1000),
      'x-agent-nonce': 'ab'.repeat(16),
      'x-agent-signature': forged,
    };
    expect((await platform.send('POST', '/bank-notifications', headers, body)).status).toBe(401);
    for (let n = 0; n < 2; n++) await judgeHealth(database, 'sandbox', platform.tenant.now());
    expect(await database.sql`select about ->> 'keyId' as key_id from alerts where kind = 'WEAK_AGENT_KEY'`).toEqual([
      { keyId },
    ]);
  });

  it('open nothing when they have ended, were replaced, or the key is revoked', async () => {
    const { keyId, key } = await propose();
    const first = await sent(keyId);
    const second = await sent(keyId);
    const { publicKey: public_key } = pair();
    const refused = async (token: string): Promise<void> => {
      for (const path of ['show', 'enrol']) expect((await post(path, { token, public_key })).status).toBe(401);
    };
    await refused(first);
    at(72);
    await refused(second);
    at(71.9);
    expect((await post('show', { token: second })).status).toBe(200);
    // The token of another kind of link opens nothing.
    const secrets = await platform.send(
      ...(['POST', '/cashier/keys/take', { 'content-type': 'application/json' }] as const),
      JSON.stringify({ token: second }),
    );
    expect(secrets.status).toBe(401);
    await platform.tenant.operate('RevokeAgentKey', { id: key?.id, reason: 'test' });
    await refused(second);
    const { sql } = platform.tenant.database;
    expect(await sql`select enrolled_at from agent_enrolments where agent_key_id = ${key?.id ?? ''}`).toEqual([
      { enrolledAt: null },
    ]);
  });

  it('are made with the approval alone, and the key counts as new from its enrolment', async () => {
    platform.tenant.changes.onePerson = false;
    const { keyId, change } = await propose();
    expect(await linkOf(keyId)).toBeUndefined();
    await platform.tenant.operate('ApproveChange', { id: change.id, reason: 'looked' }, bob);
    const token = await sent(keyId);
    at(60);
    expect((await post('enrol', { token, public_key: pair().publicKey })).status).toBe(200);
    expect((await findAgentKeys(platform.tenant.database, [keyId])).get(keyId)).toMatchObject({
      createdAt: new Date(START),
      worksSince: new Date(START + 60 * HOUR),
    });
  });

  it('are sent to no operator', async () => {
    const { sql } = platform.tenant.database;
    await sql`update operators set email = 'carl@house.example' where login = 'bob'`;
    await expect(propose({ ownerEmail: 'Carl+agent@House.example' })).rejects.toThrow("is an operator's");
    platform.tenant.changes.onePerson = false;
    const { change } = await propose({ ownerEmail: 'dora@house.example' });
    await sql`update operators set email = 'dora@house.example' where login = 'bob'`;
    await expect(platform.tenant.operate('ApproveChange', { id: change.id, reason: 'looked' }, bob)).rejects.toThrow(
      "is an operator's",
    );
  });

  describe('by the forwarder', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'causeway-forwarder-'));
    const program = path.join(__dirname, '../../local/forwarder.mjs');
    let running: ChildProcess | undefined;
    let keyId: string;
    let port: number;
    let accountOfTexts: string;

    beforeAll(async () => {
      platform.tenant.now = () => new Date();
      platform.tenant.changes.onePerson = true;
      accountOfTexts = await platform.account({ bankCode: 'BKASH', timeZone: 'Asia/Dhaka' });
      ({ keyId } = await propose({ accountIds: [accountOfTexts] }));
      port = await freePort();
    });
    beforeEach(() => {
      platform.tenant.now = () => new Date();
    });
    afterAll(() => {
      running?.kill();
      rmSync(folder, { recursive: true });
    });

    const origin = (): string => `http://127.0.0.1:${String(platform.port)}`;
    /** What it prints on its way to its end, and how it ends. */
    async function enrols(link: string, stdin?: string): Promise<{ code: number; said: string }> {
      const child = spawn(process.execPath, [program, 'enrol', ...(stdin === undefined ? [link] : [])], {
        env: { QUEUE: folder },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.end(stdin);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
      const [code] = (await once(child, 'close')) as [number];
      return { code, said };
    }
    const modeOf = (file: string): string => (statSync(path.join(folder, file)).mode & 0o777).toString(8);
    const kept = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
    /** Posts as a program on the device does. @param change headers; undefined leaves one out */
    async function hands(
      body: string,
      change: Readonly<Record<string, string | undefined>> = {},
      method = 'POST',
    ): Promise<number> {
      const all: Readonly<Record<string, string | undefined>> = {
        host: `127.0.0.1:${String(port)}`,
        'content-type': 'application/json',
        'x-forwarder-token': kept('post-token'),
        ...change,
      };
      const headers = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return await new Promise((resolve, reject) => {
        const asked = request({ port, method, headers: Object.fromEntries(headers) }, (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        });
        asked.on('error', reject);
        asked.end(body);
      });
    }
    const texts = async (): Promise<string[]> =>
      (await platform.tenant.operate<{ text: string }[]>('AgentTexts', { states: ['UNREAD'] }))
        .map(({ text }) => text)
        .sort();

    it('enrols a key that was made on the device, once, by the link', async () => {
      const wrong = await enrols('http://pay.example/cashier/agents#token');
      expect([wrong.code, wrong.said]).toEqual([2, expect.stringContaining('no link')]);
      const link = `${origin()}/cashier/agents#${await sent(keyId)}`;
      expect((await enrols(`${link}x`)).said).toContain('Ask for another one');
      // The key of the try that failed is used: an answer that is lost must not lose the key.
      const pem = kept('agent-key.pem');
      const done = await enrols(link, `${link}\n`);
      expect([done.code, done.said]).toEqual([0, expect.stringContaining(keyId)]);
      expect(done.said).toContain(`ACCOUNT_ID=${accountOfTexts}`);
      expect([kept('agent-key.pem'), modeOf('agent-key.pem'), modeOf('agent-enrolment')]).toEqual([
        ...[pem, '600', '600'],
      ]);
      expect(done.said + kept('agent-enrolment')).not.toContain(pem.split('\n')[1]);
      expect((await enrols(link)).said).toContain('enrolled already');
    });

    it('signs what programs of the device hand over, with its own key', async () => {
      running = spawn(process.execPath, [program], {
        env: {
          GATEWAY: origin(),
          QUEUE: folder,
          // Written so, it is the same port.
          PORT: `0${String(port)}`,
          BEAT_MS: '50',
          RETRY_MS: '20',
        },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await eventually(async () => {
        expect(await hands('{"sender":"bKash","text":"by HTTP"}')).toBe(202);
      });
      expect(modeOf('post-token')).toBe('600');
      expect(await hands('{"sender":"bKash","text":"by name"}', { host: `LOCALHOST:${String(port)}` })).toBe(202);
      running.stdin?.write('{"sender":"bKash","text":"by line"}\n');
      await eventually(async () => {
        expect(await texts()).toEqual(['by HTTP', 'by line', 'by name']);
      });
    });

    it.each([
      [{ AGENT_SECRET: 'left over' }, 'has a key of its own'],
      [{ PORT: 'x' }, 'PORT is no port'],
      [{ PORT: '70000' }, 'PORT is no port'],
    ])('does not start with %p', async (set, why) => {
      const env = { GATEWAY: origin(), QUEUE: folder, ...set };
      const child = spawn(process.execPath, [program], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 20_000,
      });
      let said = '';
      child.stderr.on('data', (part: Buffer) => (said += part.toString()));
      expect([await once(child, 'close'), said]).toEqual([[2, null], expect.stringContaining(why) as unknown]);
    });

    it('signs for nobody else: no page, no other app, no other name', async () => {
      const body = '{"sender":"bKash","text":"forged"}';
      const json = 'application/json; charset=utf-8';
      const here = String(port);
      const statuses = {
        'a page': await hands(body, { origin: 'https://evil.example' }),
        'a page without an origin': await hands(body, { origin: 'null' }),
        'a page here': await hands(body, { origin: `http://127.0.0.1:${here}` }),
        'another site': await hands(body, { 'sec-fetch-site': 'cross-site' }),
        'the same site': await hands(body, { 'sec-fetch-site': 'same-site' }),
        'a name that leads here': await hands(body, { host: `rebound.example:${here}` }),
        'a name without a port': await hands(body, { host: '127.0.0.1' }),
        'another port': await hands(body, { host: '127.0.0.1:1' }),
        'no token': await hands(body, { 'x-forwarder-token': undefined }),
        'an empty token': await hands(body, { 'x-forwarder-token': '' }),
        'another token': await hands(body, { 'x-forwarder-token': 'x'.repeat(43) }),
        'a form': await hands(body, { 'content-type': 'text/plain' }),
        'no type': await hands(body, { 'content-type': undefined }),
        'a question of a browser': await hands('', {}, 'OPTIONS'),
        'a query': await hands('', {}, 'GET'),
        'too much': await hands(JSON.stringify({ sender: 'x', text: 'y'.repeat(20_000) })),
        'no message': await hands('{"sender":"bKash"}', { 'content-type': json }),
        'no JSON': await hands('sender=bKash'),
      };
      expect(statuses).toEqual({
        'a page': 403,
        'a page without an origin': 403,
        'a page here': 403,
        'another site': 403,
        'the same site': 403,
        'a name that leads here': 403,
        'a name without a port': 403,
        'another port': 403,
        'no token': 401,
        'an empty token': 401,
        'another token': 401,
        'a form': 415,
        'no type': 415,
        'a question of a browser': 405,
        'a query': 405,
        'too much': 413,
        'no message': 400,
        'no JSON': 400,
      });
      expect(await hands('{"sender":"bKash","text":"mine"}', { 'content-type': json })).toBe(202);
      await eventually(async () => {
        expect(await texts()).toEqual(['by HTTP', 'by line', 'by name', 'mine']);
      });
    });
  });
});
