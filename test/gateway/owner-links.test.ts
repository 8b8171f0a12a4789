import { randomBytes } from 'node:crypto';
import { goodUntil } from '../../domain/secret-link';
import { findSigningKey } from '../../db/merchants/api-keys';
import { putLinkToken } from '../../db/merchants/secret-links';
import { type MerchantClient, Platform } from '../support/platform';
import type { OperatorActor } from '../support/tenant';

const START = Date.parse('2026-01-02T00:00:00Z');
const HOUR = 3_600_000;

interface Issued {
  readonly apiKey: string | null;
  readonly change: { readonly id: string; readonly status: string; readonly after: string };
}

describe('links by which owners of merchants fetch secrets', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let bob: OperatorActor;

  beforeAll(async () => {
    platform = await Platform.open();
    bob = await platform.tenant.person('bob', ['approve']);
  });
  beforeEach(async () => {
    at(0);
    platform.tenant.changes.onePerson = true;
    merchant = await platform.merchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  function at(hours: number): void {
    platform.tenant.now = () => new Date(START + hours * HOUR);
  }
  const put = async (input: Record<string, unknown>): Promise<{ secret: string | null }> =>
    await platform.tenant.operate('PutEventAddresses', {
      input: { event: 'tenant_owner_invite', merchantId: merchant.id, ...input },
      reason: 'test',
    });
  const ask = async (name = 'IssueApiKey', more: Record<string, unknown> = {}): Promise<Issued> =>
    await platform.tenant.operate(name, {
      merchantId: merchant.id,
      reason: 'test',
      toOwner: true,
      ...more,
    });
  /** Sends the newest link, as the worker does. @returns its token */
  async function sent(): Promise<string> {
    const { database, graph } = platform.tenant;
    const [link] = await database.sql<{ id: string }[]>`
      select id from secret_links where merchant_id = ${merchant.id} order by id desc limit 1`;
    const token = randomBytes(16).toString('hex');
    const hash = graph.core.lookup(`secret:${token}`);
    await putLinkToken(database, link?.id ?? '', hash, goodUntil(platform.tenant.now()));
    return token;
  }
  const post = async (path: string, token: string) =>
    await platform.send(
      ...(['POST', `/cashier/keys/${path}`, { 'content-type': 'application/json' }] as const),
      JSON.stringify({ token }),
    );
  const taken = async (token: string): Promise<string> => {
    const { body } = await post('take', token);
    return String(body.data?.['secret']);
  };
  const works = async (apiKey: string): Promise<boolean> =>
    (await platform.client({ ...merchant, apiKey }).signed('GET', '/balance')).status === 200;

  it('open once, by a POST alone, and show when the first signed request came', async () => {
    await put({ mails: ['owner@shop.example'] });
    const issued = await ask();
    expect(issued.apiKey).toBeNull();
    expect(JSON.stringify(issued.change.after)).toContain('owner@shop.example');
    const token = await sent();
    for (let n = 0; n < 3; n++) {
      const page = await fetch(`http://127.0.0.1:${String(platform.port)}/cashier/keys`);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      const text = await page.text();
      expect(text).toContain('Show the secret');
      expect(text).toContain('https://api.example/api/v1/merchant');
    }
    const answers = await Promise.all([1, 2, 3, 4].map(async () => await post('take', token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const won = answers.find(({ status }) => status === 200);
    expect(won?.body.data).toMatchObject({
      kind: 'api_key',
      merchant_code: merchant.merchantCode,
      webhook_url: null,
    });
    expect(won?.headers['cache-control']).toBe('no-store');
    expect((await post('light', token)).body.data).toEqual({ first_used_at: null });
    const apiKey = String(won?.body.data?.['secret']);
    expect(await works(apiKey)).toBe(true);
    expect(await works(merchant.apiKey)).toBe(true);
    expect((await post('light', token)).body.data).toEqual({
      first_used_at: new Date(START).toISOString(),
    });
    at(25);
    expect((await post('light', token)).status).toBe(401);
    const { database } = platform.tenant;
    const stored = JSON.stringify([
      await database.sql`select * from secret_links`,
      await database.sql`select * from change_requests`,
      await database.sql`select * from api_keys`,
      await database.sql`select * from audit_log`,
    ]);
    for (const hidden of [token, apiKey]) expect(stored).not.toContain(hidden);
  });

  it('replace the other keys from when they are used, not before', async () => {
    await put({ mails: ['owner@shop.example'] });
    await ask('RotateApiKey', { overlapSeconds: 3600 });
    const token = await sent();
    at(10);
    expect(await works(merchant.apiKey)).toBe(true);
    const apiKey = await taken(token);
    const { database, graph } = platform.tenant;
    /** Whether callbacks are signed with the key that was fetched. */
    const signs = async (): Promise<boolean> => {
      const key = await findSigningKey(database, merchant.id, null, platform.tenant.now());
      return graph.core.sealer.open(key?.sealedKey ?? '', `api_key:${key?.id ?? ''}`) === apiKey;
    };
    at(10.9);
    expect([await works(merchant.apiKey), await works(apiKey)]).toEqual([true, true]);
    expect(await signs()).toBe(false);
    at(11);
    expect([await works(merchant.apiKey), await works(apiKey)]).toEqual([false, true]);
    expect(await signs()).toBe(true);
  });

  it('let withdrawals cool down from when the key was fetched', async () => {
    await put({ mails: ['owner@shop.example'] });
    await ask();
    const token = await sent();
    platform.tenant.changes.coolingMs = 24 * HOUR;
    const cooling = async (): Promise<string | null> =>
      (
        await platform.tenant.operate<{ coolingUntil: string | null }>('MerchantChanges', {
          id: merchant.id,
        })
      ).coolingUntil;
    try {
      at(30);
      expect(await cooling()).toBeNull();
      await taken(token);
      expect(await cooling()).toBe(new Date(START + 54 * HOUR).toISOString());
    } finally {
      platform.tenant.changes.coolingMs = 0;
    }
  });

  it('open nothing when they have ended, were replaced, or the owner has another address', async () => {
    await put({ mails: ['owner@shop.example'] });
    await ask();
    const first = await sent();
    const second = await sent();
    at(72);
    const refused = await Promise.all([first, second, 'nothing', ''].map(async (token) => await post('take', token)));
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    at(71.9);
    await put({ mails: [] });
    expect((await post('take', second)).status).toBe(401);
    await put({ mails: ['owner@shop.example'] });
    expect((await post('take', second)).status).toBe(401);
  });

  it('are the only way in production: the answer has no secret, and the owner needs an address', async () => {
    const core = platform.tenant.graph.core as { environment: 'sandbox' | 'production' };
    core.environment = 'production';
    try {
      for (const name of ['IssueApiKey', 'RotateApiKey']) {
        await put({ mails: [] }).catch(() => null);
        await expect(ask(name, { toOwner: false })).rejects.toThrow('has no address');
        await put({ mails: ['owner@shop.example'] });
        expect(await ask(name, { toOwner: false })).toMatchObject({ apiKey: null, key: null });
      }
      const webhook = {
        event: 'billing_statement_issued',
        webhookUrl: 'https://shop.example/hook',
      };
      expect((await put(webhook)).secret).toBeNull();
    } finally {
      core.environment = 'sandbox';
    }
    const { body } = await post('take', await sent());
    expect(body.data).toMatchObject({
      kind: 'webhook_secret',
      webhook_url: 'https://shop.example/hook',
      secret: expect.stringMatching(/^[0-9A-Za-z]{43}$/) as string,
    });
  });

  it('are sent to no operator, and not to an address that has just replaced another', async () => {
    const { sql } = platform.tenant.database;
    await sql`update operators set email = 'carl@house.example' where login = 'bob'`;
    await put({ mails: ['Carl+shop@House.example'] });
    await expect(ask()).rejects.toThrow("is an operator's");
    platform.tenant.changes.coolingMs = 24 * HOUR;
    try {
      await put({ mails: ['owner@shop.example'] });
      at(23);
      await expect(ask()).rejects.toThrow('cooling down');
      at(24);
      expect(await ask()).toMatchObject({ change: { status: 'APPLIED' } });
    } finally {
      platform.tenant.changes.coolingMs = 0;
    }
  });

  it('are made only with the approval, for the address that the approver saw', async () => {
    platform.tenant.changes.onePerson = true;
    await put({ mails: ['owner@shop.example'] });
    platform.tenant.changes.onePerson = false;
    const approve = async ({ change: { id } }: Issued): Promise<unknown> =>
      await platform.tenant.operate('ApproveChange', { id, reason: 'looked' }, bob);
    const links = async (): Promise<number> =>
      (
        await platform.tenant.database.sql`
        select from secret_links where merchant_id = ${merchant.id}`
      ).length;
    const [first, second] = [await ask(), await ask()];
    expect(await links()).toBe(0);
    await approve(first);
    expect(await links()).toBe(1);
    platform.tenant.changes.onePerson = true;
    await put({ mails: ['other@shop.example'] });
    platform.tenant.changes.onePerson = false;
    await expect(approve(second)).rejects.toThrow('propose it again');
  });

  it.each([
    ['two people', { mails: ['a@shop.example', 'b@shop.example'] }, 'must be one'],
    ['a webhook', { webhookUrl: 'https://shop.example/hook' }, 'links are mailed'],
  ])('go to one person by mail, not to %s', async (_what, input, problem) => {
    await expect(put(input)).rejects.toThrow(problem);
  });
});
