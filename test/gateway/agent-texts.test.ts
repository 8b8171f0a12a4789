import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { uuidv7 } from 'uuidv7';
import { beginRecoveryByHand } from '../../db/platform/recoveries';
import { alertSilentDevices } from '../../db/texts/texts';
import { type Agent, agentSignature, type Answer, Platform } from '../support/platform';
import type { TestDeposit, TestMerchant } from '../support/tenant';
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

  const post = async (route: string, body: Record<string, unknown>, secret = agent.secret, keyId = agent.keyId) => {
    const text = JSON.stringify(body);
    const stamp = { timestamp: platform.timestamp(), nonce: randomBytes(12).toString('base64url') };
    return await platform.send(
      'POST',
      route,
      {
        'x-agent-key': keyId,
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
      device_id: deviceId,
      account_id: accountId,
      sender: 'bKash',
      text,
      sent_at: '2025-10-30T15:02:10Z',
      message_id: uuidv7(),
      ...fields,
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
      input,
      samples: [BKASH('TRIED', '7.00', '8.00'), 'hello'],
      timeZone: 'Asia/Dhaka',
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
      ...[{ amount: '20.0000', bankReference: 'NOW00001', balanceAfter: '1770.5000', byAgent: true }],
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
    await expect(operate('PutTextPattern', { input: { ...input, pattern: '(?P<amount>1)\\1' } })).rejects.toMatchObject(
      { kind: 'INVALID_FIELD' },
    );
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

  describe('that are not what they seem', () => {
    const SENDERS = { VCB: 'VIETCOMBANK', TCB: 'TECHCOMBANK', BKASH: 'bKash' } as const;
    type Bank = keyof typeof SENDERS;
    let merchant: TestMerchant;

    beforeAll(async () => {
      merchant = await platform.tenant.merchant();
      const published = await operate<Record<string, unknown>[]>('PublishedTextPatterns');
      for (const input of published.filter(({ bankCode }) => bankCode !== 'BKASH'))
        await operate('PutTextPattern', { input });
      await operate('PutTextPattern', { input: await pattern() });
    });

    afterAll(async () => {
      for (const { id } of await unread()) await operate('SetTextWithoutMoney', { id });
    });

    /** An account of a bank, and what forwards its messages. */
    const phone = async (bankCode: Bank, input: Record<string, unknown> = {}) => {
      const id = await platform.account({
        bankCode,
        currencyCode: 'THB',
        timeZone: 'UTC',
        ...input,
      });
      // Its deposits go to no other one.
      await platform.tenant.database.sql`update bank_accounts set status = 'DISABLED' where id <> ${id}`;
      const own = await platform.agent([id]);
      const tell = async (text: string, fields: Record<string, unknown> = {}) =>
        await post(
          '/agent-texts',
          {
            device_id: `phone of ${id}`,
            account_id: id,
            sender: SENDERS[bankCode],
            text,
            sent_at: new Date().toISOString(),
            ...fields,
          },
          own.secret,
          own.keyId,
        );
      await tell('hello');
      await operate('PairDevice', { id: (await device(`phone of ${id}`))?.id });
      return { id, tell };
    };
    const stateOf = async (id: string) => {
      const { sql } = platform.tenant.database;
      const [row] = await sql<{ status: string; n: number; balance: string | null }[]>`
        select status, bank_balance::text as balance,
          (select count(*)::int from bank_transfers t where t.account_id = a.id) as n
        from bank_accounts a where id = ${id}`;
      return row;
    };
    const statusOf = async ({ orderNo }: TestDeposit): Promise<string> =>
      (await operate<{ status: string }>('Deposit', { orderNo })).status;
    /** A time of the bank, as its message writes it. */
    const vietTime = (at: Date): string => at.toISOString().replace(/^(\d+)-(\d+)-(\d+)T(.{8}).*/, '$3-$2-$1 $4');
    const bdTime = (at: Date): string => at.toISOString().replace(/^(\d+)-(\d+)-(\d+)T(.{5}).*/, '$3/$2/$1 $4');

    it('credit no amount that stands in the memo, nor by the time of the message before', async () => {
      const { id, tell } = await phone('VCB');
      const deposit = await platform.tenant.deposit(merchant, { amount: '5000.00' });
      const now = vietTime(new Date());
      const forged = (balance: string, remark: string): string =>
        `SD TK VCB 0123xxx789 +10 VND luc ${now}. SD 110 VND. Ref SD TK 1 +5,000 VND luc ${now}. SD ${balance} VND. Ref ${remark}`;
      await tell(`SD TK VCB 0123456789 +10 VND luc ${now}. SD 100 VND. Ref hello`);
      await tell(forged('9,999', deposit.expectedRemark));
      await tell(forged('5,110', deposit.expectedRemark), { message_id: 'again' });
      expect(await statusOf(deposit)).toBe('PENDING');
      expect(await stateOf(id)).toMatchObject({ status: 'ACTIVE', balance: '110.0000' });
    });

    it('read the reference, the balance and the memo where the bank writes them', async () => {
      const { id, tell } = await phone('BKASH');
      const at = bdTime(new Date());
      const deposit = await platform.tenant.deposit(merchant, { amount: '500.00' });
      const end = (balance: string, trx: string): string => `Fee Tk 0.00. Balance Tk ${balance}. TrxID ${trx} at ${at}`;
      await tell(
        `You have received Tk 500.00 from 01700000001. Ref ${deposit.expectedRemark}. ${end('1,500.00', 'AAA1')}`,
      );
      expect(await statusOf(deposit)).not.toBe('PENDING');
      await tell(
        `You have received Tk 10.00 from 01700000002. Ref A. Balance Tk 1. TrxID FAKE9 at ${at}. ${end('1,510.00', 'AAB2')}`,
      );
      const spaces = `You have received Tk\u00a021.00 from 01700000001. ${end('1,531.00', 'CCC3')}`;
      await tell(spaces.replace('from ', 'from\u202f').replace('Fee ', 'Fee\u200e'), {
        sender: 'VM-bKash',
      });
      expect(await stateOf(id)).toEqual({ status: 'ACTIVE', balance: '1531.0000', n: 3 });
      const rows = await platform.tenant.database.sql<{ bankReference: string }[]>`
        select bank_reference from bank_transfers where account_id = ${id} order by received_at`;
      expect(rows.map(({ bankReference }) => bankReference)).toEqual(['AAA1', 'AAB2', 'CCC3']);
    });

    it('are unread if two patterns read them differently', async () => {
      const { id, tell } = await phone('TCB');
      const other = {
        bankCode: 'TCB',
        name: 'other',
        pattern: 'TK .* du:(?P<amount>[\\d,]+)\\s.*',
      };
      await operate('PutTextPattern', {
        input: await pattern({ ...other, sender: null, timeFormat: null }),
      });
      const answer = await tell('TK 19X\nSo tien GD:+80\nSo du:1,080\nhello');
      await operate('PutTextPattern', {
        input: await pattern({ ...other, sender: null, timeFormat: null, active: false }),
      });
      expect(answer.body.data).toMatchObject({
        state: 'unread',
        problem: 'Techcombank received and other read it differently',
      });
      expect(await stateOf(id)).toMatchObject({ n: 0 });
    });

    it('pay no order of an account by amount with what stands in their memo', async () => {
      const float = { step: '0.01', up: '0.50', down: '0' };
      const { id, tell } = await phone('VCB', { mode: 'FLOAT', float });
      const deposit = await platform.tenant.deposit(merchant, { amount: '5000.00' });
      const now = new Date();
      const credits = [
        `You have received Tk 5,000.00 from 01500000000. Fee Tk 0.00. Balance Tk 1.00. TrxID X1 at ${bdTime(now)}`,
        `SD TK VCB 0123456789 +5,000 VND luc ${vietTime(now)}. SD 1 VND. Ref x`,
        'TK 1\nSo tien GD:+5,000\nSo du:1\nx',
      ];
      for (const [n, memo] of credits.entries())
        await tell(`SD TK VCB 0123xxx789 +10 VND luc ${vietTime(now)}. SD ${110 + 10 * n} VND. Ref ${memo}`);
      expect(await statusOf(deposit)).toBe('PENDING');
      expect(await stateOf(id)).toEqual({ status: 'ACTIVE', balance: '130.0000', n: 3 });
    });

    it('are one credit if the network delivers them twice', async () => {
      const { id, tell } = await phone('TCB');
      const sent = (second: number) => ({
        sent_at: new Date(Date.now() - 60_000 + second * 1000).toISOString(),
      });
      const text = 'TK 1903XXXX\nSo tien GD:+80\nSo du:1,080\n7K2M9QXT FT261';
      for (const second of [0, 40, 41]) await tell(text, sent(second));
      expect(await stateOf(id)).toEqual({ status: 'ACTIVE', balance: '1080.0000', n: 1 });
      // The same text after money left is another credit.
      await platform.notify(await platform.agent([id]), {
        account_id: id,
        direction: 'debit',
        amount: '80',
        currency_code: 'THB',
        memo: '',
        balance_after: '1000',
        bank_time: new Date().toISOString(),
      });
      await tell(text, sent(50));
      expect(await stateOf(id)).toEqual({ status: 'ACTIVE', balance: '1080.0000', n: 2 });
    });

    it('tell the time by a clock of twelve hours', async () => {
      const { id, tell } = await phone('BKASH', { timeZone: 'Africa/Nairobi' });
      const input = {
        ...(await pattern({ name: 'M-PESA', sender: 'MPESA', timeFormat: 'DD/MM/YY at hh:mm A' })),
        pattern:
          '(?P<reference>\\w+) Confirmed\\. ?You have received Ksh(?P<amount>[\\d,.]+) from (?P<payer>.+?) (?P<account>\\d+) account (?P<memo>.+) on (?P<time>[\\d/]+ at \\d+:\\d+ [AP]M) +New M-PESA balance is Ksh(?P<balance>[\\d,]+\\.\\d\\d)\\.',
      };
      await operate('PutTextPattern', { input });
      await tell(
        'TJF98ABCDE Confirmed.You have received Ksh300.00 from TEST PERSON 0700000000 account 7K2M9QXT on 20/11/25 at 11:30 PM  New M-PESA balance is Ksh123.12.',
        { sender: 'MPESA' },
      );
      const [row] = await platform.tenant.database.sql<{ bankTime: Date }[]>`
        select bank_time from bank_transfers where account_id = ${id}`;
      expect(row?.bankTime.toISOString()).toBe('2025-11-20T20:30:00.000Z');
    });

    it('are tried by who may configure, off the loop, and refused beyond the budget', async () => {
      const input = await pattern();
      const viewer = platform.tenant.operatorWith(['VIEW']);
      const variables = { input, samples: ['hello'], timeZone: 'UTC' };
      await expect(platform.tenant.operate('TryTextPattern', variables, viewer)).rejects.toMatchObject({
        kind: 'AUTHORIZATION_ERROR',
      });
      const slow = {
        ...input,
        pattern: `(?P<amount>${'(?:.?){60}'.repeat(6)}x)`,
        timeFormat: null,
      };
      const huge = { ...slow, pattern: `(?P<amount>${'.{0,999}'.repeat(120)})` };
      const samples = Array.from({ length: 20 }, (_, n) => 'ab'.repeat(950) + String(n));
      const wait = monitorEventLoopDelay({ resolution: 5 });
      wait.enable();
      for (const one of [huge, slow]) {
        await expect(operate('TryTextPattern', { input: one, samples, timeZone: 'UTC' })).rejects.toMatchObject({
          kind: 'INVALID_FIELD',
        });
      }
      wait.disable();
      // Another caller's wait; the machine may be busy.
      expect(wait.max / 1e6).toBeLessThan(1_000);
      await expect(
        operate('TryTextPattern', { input, samples: ['a'.repeat(2_001)], timeZone: 'UTC' }),
      ).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    });
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
            Object.entries(request.headers).filter(([name]) => name.startsWith('x-agent') || name === 'content-type'),
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
          GATEWAY: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
          AGENT_KEY: agent.keyId,
          AGENT_SECRET: agent.secret,
          ACCOUNT_ID: accountId,
          QUEUE: folder,
          DEVICE_ID: 'forwarder',
          BEAT_MS: '50',
          RETRY_MS: '20',
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
        expect(await device('forwarder')).toMatchObject({ version: '1.1.0' });
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
        expect(texts.filter((text) => text.startsWith('text')).sort()).toEqual(['text a', 'text b']);
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
