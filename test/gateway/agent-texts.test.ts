import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uuidv7 } from 'uuidv7';
import { beginRecoveryByHand } from '../../db/platform/recoveries';
import { alertSilentDevices } from '../../db/texts/texts';
import { type Agent, agentSignature, type Answer, Platform } from '../support/platform';
import { eventually } from '../support/until';

const BKASH = (trx: string, amount: string, balance: string): string =>
  `You have received Tk ${amount} from 01500000000. Fee Tk 0.00. Balance Tk ${balance}. TrxID ${trx} at 30/10/2025 21:02`;

interface Device {
  id: string;
  deviceId: string;
  battery: number | null;
  waiting: number | null;
  version: string | null;
  pairedAt: string | null;
}
interface Text {
  id: string;
  text: string;
  state: string;
  problem: string | null;
}

describe('messages of banks', () => {
  let platform: Platform;
  let agent: Agent;
  let accountId: string;
  const deviceId = 'phone-1';

  beforeAll(async () => {
    platform = await Platform.open();
    accountId = await platform.account({ bankCode: 'BKASH', timeZone: 'Asia/Dhaka' });
    agent = await platform.agent([accountId]);
  });
  afterAll(async () => {
    await platform.close();
  });

  const post = async (route: string, body: Record<string, unknown>, secret = agent.secret) => {
    const text = JSON.stringify(body);
    const stamp = { timestamp: platform.timestamp(), nonce: randomBytes(12).toString('base64url') };
    return await platform.send(
      'POST',
      route,
      {
        'x-agent-key': agent.keyId,
        'x-agent-timestamp': stamp.timestamp,
        'x-agent-nonce': stamp.nonce,
        'x-agent-signature': agentSignature(secret, stamp, text),
        'content-type': 'application/json',
      },
      text,
    );
  };
  const forward = async (text: string, fields: Record<string, unknown> = {}): Promise<Answer> =>
    await post('/agent-texts', {
      ...{ device_id: deviceId, account_id: accountId, sender: 'bKash', text },
      ...{ sent_at: '2025-10-30T15:02:10Z', message_id: uuidv7(), ...fields },
    });
  const beat = async (): Promise<Answer> =>
    await post('/agent-heartbeats', {
      device_id: deviceId,
      battery: 81,
      version: '1.0',
      waiting: 2,
    });
  const operate = async <Result>(name: string, variables: Record<string, unknown> = {}) =>
    await platform.tenant.operate<Result>(name, { reason: 'test', ...variables });
  const device = async (name = deviceId): Promise<Device | undefined> =>
    (await operate<Device[]>('AgentDevices')).find((one) => one.deviceId === name);
  const unread = async (): Promise<Text[]> => await operate('AgentTexts', { states: ['UNREAD'] });
  const pattern = async (change: Record<string, unknown> = {}) => {
    const published = await operate<Record<string, unknown>[]>('PublishedTextPatterns');
    const { name, ...rest } = published.find((one) => one['name'] === 'bKash received') ?? {};
    return { name, ...rest, ...change };
  };

  it('need the signature of their key, and an account that it watches', async () => {
    expect((await post('/agent-texts', {}, 'another secret')).status).toBe(401);
    const other = await platform.account();
    expect((await forward('x', { account_id: other })).status).toBe(403);
    expect((await forward('x', { device_id: '' })).status).toBe(422);
  });

  it('are kept unread while their device is not paired, and shown with its state', async () => {
    const answer = await forward(BKASH('UNPAIRED1', '500.00', '500.00'));
    expect(answer).toMatchObject({ status: 201, body: { data: { state: 'unread' } } });
    expect((await beat()).body.data).toEqual({ paired: false, report_again_since: null });
    expect(await device()).toMatchObject({
      battery: 81,
      waiting: 2,
      version: '1.0',
      pairedAt: null,
    });
    await operate('PairDevice', { id: (await device())?.id });
    expect((await beat()).body.data).toEqual({ paired: true, report_again_since: null });
  });

  it('are recorded as soon as a pattern of their bank reads them, also those that waited', async () => {
    const later = await forward(BKASH('WAITED01', '1,250.50', '1,750.50'));
    expect(later.body.data).toMatchObject({
      state: 'unread',
      problem: 'no pattern of the bank fits',
    });
    const input = await pattern();
    const [tried] = await operate<{ amount: string; reference: string }[]>('TryTextPattern', {
      ...{ input, samples: [BKASH('TRIED', '7.00', '8.00'), 'hello'], timeZone: 'Asia/Dhaka' },
    });
    expect(tried).toMatchObject({ fits: true, amount: '7.0000', at: '2025-10-30T15:02:00.000Z' });
    await operate('PutTextPattern', { input });
    await beat();
    expect(await unread()).toEqual([]);
    const repeated = await forward(BKASH('NOW00001', '20.00', '1,770.50'));
    expect(repeated).toMatchObject({ status: 201, body: { data: { state: 'recorded' } } });
    const rows = await platform.tenant.database.sql`
      select amount::text, bank_reference, balance_after::text, source like 'agent:%' as by_agent
      from bank_transfers where account_id = ${accountId} order by bank_transfers.amount`;
    expect([...rows]).toEqual([
      ...[
        { amount: '20.0000', bankReference: 'NOW00001', balanceAfter: '1770.5000', byAgent: true },
      ],
      { amount: '500.0000', bankReference: 'UNPAIRED1', balanceAfter: '500.0000', byAgent: true },
      { amount: '1250.5000', bankReference: 'WAITED01', balanceAfter: '1750.5000', byAgent: true },
    ]);
  });

  it('are stored once and recorded once, although they are sent repeatedly', async () => {
    const fields = { message_id: 'm-77' };
    const text = BKASH('TWICE001', '30.00', '1,800.50');
    expect((await forward(text, fields)).status).toBe(201);
    const again = await forward(text, fields);
    expect(again).toMatchObject({
      status: 200,
      body: { data: { duplicate: true, state: 'recorded' } },
    });
    // Another device of the key has the same message.
    await forward(text, { message_id: 'other' });
    const [row] = await platform.tenant.database.sql<{ n: number }[]>`
      select count(*)::int as n from bank_transfers where bank_reference = 'TWICE001'`;
    expect(row?.n).toBe(1);
  });

  it('that no pattern reads are listed until a person says that they report no money', async () => {
    await forward('Recharge now and win!');
    const [text] = await unread();
    expect(text).toMatchObject({ text: 'Recharge now and win!' });
    await operate('SetTextWithoutMoney', { id: text?.id });
    expect(await unread()).toEqual([]);
  });

  it('are read by a pattern that two people agree on, version by version', async () => {
    const input = await pattern({ sender: 'bKash2' });
    platform.tenant.changes.onePerson = false;
    const { change, pattern: made } = await operate<{
      change: { status: string };
      pattern: unknown;
    }>('PutTextPattern', { input });
    platform.tenant.changes.onePerson = true;
    expect([change.status, made]).toEqual(['PROPOSED', null]);
    await operate('PutTextPattern', { input });
    const all = await operate<{ version: number; active: boolean }[]>('TextPatterns', {
      all: true,
    });
    expect(all).toMatchObject([
      { version: 2, active: true },
      { version: 1, active: false },
    ]);
    await expect(
      operate('PutTextPattern', { input: { ...input, pattern: '(?P<amount>1)\\1' } }),
    ).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it('raise an alert when a paired device sends no heartbeat, once for each silence', async () => {
    const { database } = platform.tenant;
    const raised = async (): Promise<number> => {
      const [row] = await database.sql<{ n: number }[]>`
        select count(*)::int as n from alerts where kind = 'DEVICE_SILENT' and about ->> 'deviceId' = ${(await device())?.id ?? ''}`;
      return row?.n ?? 0;
    };
    const look = async (seenBefore: Date): Promise<number> =>
      await alertSilentDevices(database, seenBefore, 100, seenBefore);
    await beat();
    const [seen] = await database.sql<{ at: Date }[]>`
      select last_seen_at as at from agent_devices where id = ${(await device())?.id ?? ''}`;
    const at = seen?.at.getTime() ?? 0;
    expect(await look(new Date(at - 1))).toBe(0);
    expect(await raised()).toBe(0);
    for (const _ of [1, 2]) expect(await look(new Date(at))).toBe(1);
    expect(await raised()).toBe(1);
    // The device came back, and is silent again.
    await database.sql`update agent_devices set last_seen_at = ${new Date(at + 60_000)}`;
    expect(await look(new Date(at))).toBe(0);
    expect(await look(new Date(at + 60_000))).toBe(1);
    expect(await raised()).toBe(2);
  });

  describe('of the forwarder', () => {
    let front: Server;
    let child: ChildProcess | undefined;
    let isDown = true;
    const folder = mkdtempSync(path.join(tmpdir(), 'causeway-forwarder-'));

    beforeAll(async () => {
      // Between the forwarder and the platform, so that the platform can be unreachable.
      front = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          if (isDown) {
            response.writeHead(503).end();
            return;
          }
          const headers = Object.fromEntries(
            Object.entries(request.headers).filter(
              ([name]) => name.startsWith('x-agent') || name === 'content-type',
            ),
          ) as Record<string, string>;
          void platform
            .send('POST', request.url ?? '', headers, Buffer.concat(parts).toString())
            .then(({ status, body }) => {
              response.writeHead(status, { 'content-type': 'application/json' });
              response.end(JSON.stringify(body));
            })
            // The platform has closed the connection of the forwarder's last heartbeat.
            .catch(() => response.destroy());
        });
      });
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => {
      child?.kill();
      front.close();
      rmSync(folder, { recursive: true });
    });

    const start = (): ChildProcess =>
      spawn(process.execPath, [path.join(__dirname, '../../local/forwarder.mjs')], {
        env: {
          ...{ GATEWAY: `http://127.0.0.1:${(front.address() as AddressInfo).port}` },
          ...{ AGENT_KEY: agent.keyId, AGENT_SECRET: agent.secret, ACCOUNT_ID: accountId },
          ...{ QUEUE: folder, DEVICE_ID: 'forwarder', BEAT_MS: '50', RETRY_MS: '20' },
        },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
    const queued = (): string[] => readdirSync(folder).filter((file) => file.endsWith('.json'));

    it('stay on its disk until the platform has them, also after a kill and in an outage', async () => {
      child = start();
      for (const id of ['a', 'b'])
        child.stdin?.write(`${JSON.stringify({ sender: 'bKash', text: `text ${id}`, id })}\n`);
      await eventually(() => {
        expect(queued()).toHaveLength(2);
      });
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      isDown = false;
      child = start();
      await eventually(async () => {
        expect(queued()).toEqual([]);
        const texts = (await unread()).map(({ text }) => text);
        expect(texts.sort()).toEqual(['text a', 'text b']);
        expect(await device('forwarder')).toMatchObject({ version: '1.0.0' });
      });
    });

    it('are sent again if the platform has lost them, but only those of the lost time', async () => {
      const { database } = platform.tenant;
      child?.stdin?.write(
        `${JSON.stringify({ sender: 'bKash', text: 'old', id: 'old', sent_at: '2020-01-01T00:00:00Z' })}\n`,
      );
      await eventually(async () => {
        expect((await unread()).map(({ text }) => text)).toContain('old');
      });
      // Like a database that was restored to a time before they came.
      await database.sql`delete from agent_texts where dedupe_key in ('id:a', 'id:b', 'id:old')`;
      await beginRecoveryByHand(database, uuidv7(), new Date());
      const since = '2024-01-01T00:00:00.000Z';
      await database.sql`update recoveries set lost_since = ${since}`;
      expect((await beat()).body.data).toEqual({ paired: true, report_again_since: since });
      await eventually(async () => {
        const texts = (await unread()).map(({ text }) => text);
        expect(texts.filter((text) => text.startsWith('text')).sort()).toEqual([
          'text a',
          'text b',
        ]);
      });
      // A text leaves the disk with its answer, which comes after the text is read here.
      await eventually(() => {
        expect(queued()).toEqual([]);
      });
      expect((await unread()).map(({ text }) => text)).not.toContain('old');
      await database.sql`delete from recoveries`;
      expect((await beat()).body.data).toEqual({ paired: true, report_again_since: null });
    });
  });
});
