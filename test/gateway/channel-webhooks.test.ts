import { randomBytes } from 'node:crypto';
import { createHmac } from 'node:crypto';
import type { Report } from '../../simulator/style';
import { CHANNEL_KEY, createTestChannel, simulatedChannel } from '../support/channel-tenant';
import { type Answer, Platform } from '../support/platform';
import { type Provider, PROVIDERS } from '../support/providers';

const NOW = new Date('2026-01-02T03:04:05.006Z');

/** A channel's signature, implemented independently from docs/channels.md. */
const signatureOf = (parts: readonly string[], body: string, secret = CHANNEL_KEY.secret): string =>
  createHmac('sha256', secret)
    .update(`${parts.join('.')}.${body}`)
    .digest('hex');

describe('channel webhooks', () => {
  let platform: Platform;
  let code: string;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    ({ channelCode: code } = await simulatedChannel(platform.tenant, 'http://127.0.0.1:9'));
  });
  afterAll(async () => {
    await platform.close();
  });

  const message = (fields: Record<string, unknown> = {}) => ({
    message_id: randomBytes(8).toString('hex'),
    reference: 'W20260102K3XQ7ZP0M4TB-1',
    status: 'completed',
    ...fields,
  });

  async function deliver(
    body: Record<string, unknown> | string,
    over: Readonly<Record<string, string | readonly string[] | null>> = {},
    { secret = CHANNEL_KEY.secret, target = 'webhook', channel = code, shift = 0 } = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const timestamp = platform.timestamp(shift);
    const nonce = randomBytes(8).toString('hex');
    return await platform.send(
      'POST',
      `/channels/${channel}/webhook`,
      {
        'x-channel-key': CHANNEL_KEY.keyId,
        'x-channel-timestamp': timestamp,
        'x-channel-nonce': nonce,
        'x-channel-signature': signatureOf([timestamp, nonce, target], text, secret),
        'content-type': 'application/json',
        ...over,
      },
      text,
    );
  }
  const kept = async (): Promise<number> => {
    const [row] = await platform.tenant.database.sql<{ n: number }[]>`
      select count(*)::int as n from channel_messages`;
    return row?.n ?? 0;
  };

  it('keeps the exact bytes of a message and answers 200', async () => {
    const body = ` ${JSON.stringify(message({ status: 'failed', reason: 'zu wenig Geld: ฿' }))}\n`;
    expect(await deliver(body)).toMatchObject({
      status: 200,
      body: { success: true, data: { duplicate: false } },
    });
    const [row] = await platform.tenant.database.sql`
      select id, reference, told, body, headers ->> 'x-channel-key' as key
      from channel_messages order by id desc limit 1`;
    expect(row).toMatchObject({
      reference: 'W20260102K3XQ7ZP0M4TB-1',
      told: 'FAILED',
      key: 'test',
    });
    const sealed = (row?.['body'] as Buffer).toString('latin1');
    expect(sealed).not.toContain('failed');
    const opened = platform.tenant.sealer.open(sealed, `channel_message:${String(row?.['id'])}`);
    expect(Buffer.from(opened, 'base64').toString('utf8')).toBe(body);
  });

  it('counts a message once, also when sent repeatedly and concurrently', async () => {
    const before = await kept();
    const one = message();
    const answers = await Promise.all(Array.from({ length: 8 }, async () => await deliver(one)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter(({ body }) => body.data?.['duplicate'] === false)).toHaveLength(1);
    expect(await kept()).toBe(before + 1);
  });

  it.each<[string, () => Promise<Answer>]>([
    ['a signature of somebody else', async () => await deliver(message(), {}, { secret: 'another' })],
    ['our own request, sent back', async () => await deliver(message(), {}, { target: 'payouts' })],
    ['another key', async () => await deliver(message(), { 'x-channel-key': 'other' })],
    ['no signature', async () => await deliver(message(), { 'x-channel-signature': null })],
    ['two signatures', async () => await deliver(message(), { 'x-channel-signature': ['0'.repeat(64), 'x'] })],
    ['another nonce', async () => await deliver(message(), { 'x-channel-nonce': 'other' })],
    ['an old message', async () => await deliver(message(), {}, { shift: -301 })],
    ['a message of the future', async () => await deliver(message(), {}, { shift: 301 })],
  ])('answer 401 for %s, and nothing is stored', async (_what, send) => {
    const before = await kept();
    expect(await send()).toMatchObject({ status: 401, body: { code: 'INVALID_SIGNATURE' } });
    expect(await kept()).toBe(before);
  });

  it('answer 401 to a changed body', async () => {
    const text = JSON.stringify(message());
    const timestamp = platform.timestamp();
    const answer = await deliver(text.replace('completed', 'failed'), {
      'x-channel-timestamp': timestamp,
      'x-channel-nonce': 'n',
      'x-channel-signature': signatureOf([timestamp, 'n', 'webhook'], text),
    });
    expect(answer.status).toBe(401);
  });

  it.each<[string, Record<string, unknown> | string]>([
    ['text that is not JSON', 'hello'],
    ['no message_id', message({ message_id: null })],
    ['no reference', message({ reference: '' })],
    ['a status that nobody knows', message({ status: 'sent' })],
  ])('answer 400 for %s with a valid signature', async (_what, body) => {
    expect(await deliver(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  });

  it('answer 404 for an unknown channel and 401 for a mock channel', async () => {
    expect((await deliver(message(), {}, { channel: 'nobody' })).status).toBe(404);
    const mock = await createTestChannel(platform.tenant, { kind: 'MOCK' });
    expect((await deliver(message(), {}, { channel: mock.channelCode })).status).toBe(401);
  });

  it('of a mapped provider are verified by its mapping, and answered as it expects', async () => {
    const { tenant } = platform;
    const { style, mapping, keyId, secret } = PROVIDERS[0] as Provider;
    const address = { baseUrl: 'https://provider.example', keyId, secret };
    const { id, channelCode } = await createTestChannel(tenant, { kind: 'HTTP', mapped: true }, { address });
    const report: Report = {
      kind: 'payout',
      reference: 'W20260102K3XQ7ZP0M4TB-9',
      amount: '10',
      currency: 'THB',
      reason: null,
      channelOrderNo: 'S1',
      state: 'completed',
    };
    const send = async (forged: boolean): Promise<Answer> => {
      const { headers, body } = style.report(report, 'm', forged);
      return await platform.send('POST', `/channels/${channelCode}/webhook`, headers(), body);
    };
    // A mapping that is not in force verifies nothing.
    expect((await send(false)).status).toBe(404);
    await tenant.operate('SaveChannelMapping', { channelId: id, mapping, note: 'test' });
    await tenant.operate('TryChannelMapping', { channelId: id, version: 1 });
    await tenant.operate('PutChannelMapping', { channelId: id, version: 1, reason: 'test' });
    expect((await send(true)).status).toBe(401);
    expect(await send(false)).toMatchObject({ status: 200, body: { error_code: '0000' } });
    const [row] = await tenant.database.sql`
      select reference from channel_messages where channel_id = ${id}`;
    expect(row).toMatchObject({ reference: report.reference });
  });
});
