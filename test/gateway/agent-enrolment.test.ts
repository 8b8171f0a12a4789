import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { goodUntil } from '../../domain/secret-link';
import { putEnrolmentToken } from '../../db/accounts/agent-enrolments';
import { findAgentKeys } from '../../db/accounts/agent-keys';
import { judgeHealth } from '../../temporal/activities/health';
import { Platform } from '../support/platform';
import type { OperatorActor } from '../support/tenant';

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
        ...{ label: 'reader', accountIds: [accountId], ownerEmail: 'owner@agents.example' },
        ...{ maxTransferAmount: '500', maxDailyAmount: '5000', ...more },
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
      ...{ account_id: accountId, amount: '10.00', currency_code: 'THB', memo: '' },
      ...{ bank_time: now.toISOString(), bank_reference: randomBytes(8).toString('hex') },
    });
    const timestamp = Math.floor(now.getTime() / 1000).toString();
    const nonce = randomBytes(16).toString('hex');
    const signature = sign(null, Buffer.from(`${timestamp}.${nonce}.${body}`), privateKey);
    const headers = {
      ...{ 'content-type': 'application/json', 'x-agent-key': keyId },
      ...{ 'x-agent-timestamp': timestamp, 'x-agent-nonce': nonce },
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
        ...{ key_id: keyId, label: 'reader', currency_code: 'THB' },
        ...{ max_transfer_amount: '500.0000', max_daily_amount: '5000.0000' },
        accounts: [{ id: accountId, name: expect.any(String) as string }],
      });
    const { publicKey, privateKey } = pair();
    expect(await reports(keyId, privateKey)).toBe(401);
    const wrong = await post('enrol', { token, public_key: 'bm8ga2V5' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Ed25519')]);
    const pem = `-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----\n`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map(async () => await post('enrol', { token, public_key: pem })),
    );
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
    const spki = (point: string): string =>
      Buffer.from(`302a300506032b6570032100${point}`, 'hex').toString('base64');
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
      ...{ 'content-type': 'application/json', 'x-agent-key': keyId },
      ...{ 'x-agent-timestamp': String(START / 1000), 'x-agent-nonce': 'ab'.repeat(16) },
      'x-agent-signature': forged,
    };
    expect((await platform.send('POST', '/bank-notifications', headers, body)).status).toBe(401);
    for (let n = 0; n < 2; n++) await judgeHealth(database, 'sandbox', platform.tenant.now());
    expect(
      await database.sql`select about ->> 'keyId' as key_id from alerts where kind = 'WEAK_AGENT_KEY'`,
    ).toEqual([{ keyId }]);
  });

  it('open nothing when they have ended, were replaced, or the key is revoked', async () => {
    const { keyId, key } = await propose();
    const first = await sent(keyId);
    const second = await sent(keyId);
    const { publicKey: public_key } = pair();
    const refused = async (token: string): Promise<void> => {
      for (const path of ['show', 'enrol'])
        expect((await post(path, { token, public_key })).status).toBe(401);
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
    expect(
      await sql`select enrolled_at from agent_enrolments where agent_key_id = ${key?.id ?? ''}`,
    ).toEqual([{ enrolledAt: null }]);
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
    await expect(propose({ ownerEmail: 'Carl+agent@House.example' })).rejects.toThrow(
      "is an operator's",
    );
    platform.tenant.changes.onePerson = false;
    const { change } = await propose({ ownerEmail: 'dora@house.example' });
    await sql`update operators set email = 'dora@house.example' where login = 'bob'`;
    await expect(
      platform.tenant.operate('ApproveChange', { id: change.id, reason: 'looked' }, bob),
    ).rejects.toThrow("is an operator's");
  });
});
