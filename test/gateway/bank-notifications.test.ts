import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { type Agent, depositBody, type MerchantClient, Platform } from '../support/platform';

const NOW = new Date('2026-01-02T03:04:05.006Z');

const refusal = (status: number, code: string) => ({
  status,
  body: { success: false, code, data: null },
});
const badSignature = refusal(401, 'INVALID_SIGNATURE');
const badTimestamp = refusal(401, 'INVALID_TIMESTAMP');
const badField = refusal(422, 'VALIDATION_ERROR');

describe('bank notifications', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let agent: Agent & { readonly id: string };
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    accountId = await platform.account();
    merchant = await platform.merchant();
    agent = await platform.agent([accountId]);
  });
  afterAll(async () => {
    await platform.close();
  });

  const notice = (fields: Record<string, unknown> = {}) => ({
    account_id: accountId,
    amount: '100.00',
    currency_code: 'USD',
    bank_time: '2026-01-02T09:04:05+06:00',
    memo: 'thank you',
    bank_reference: uuidv7(),
    ...fields,
  });

  async function newDeposit(): Promise<{ orderNo: string; remark: string }> {
    const created = await merchant.signed('POST', '/orders/deposit', depositBody());
    const { order_no, remark } = created.body.data ?? {};
    return { orderNo: String(order_no), remark: String(remark) };
  }

  it('may be signed by Ed25519 with the agent’s own key pair, and then only by it', async () => {
    const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
    const publicKey = own.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const { key, secret } = await platform.tenant.operate<{
      key: { keyId: string; publicKey: string };
      secret: string | null;
    }>('CreateAgentKey', {
      reason: 'test',
      input: { label: 'own', accountIds: [accountId], publicKey },
    });
    expect([key.publicKey, secret]).toEqual([publicKey, null]);
    const [timestamp, body] = [platform.timestamp(), JSON.stringify(notice({ amount: '77.01' }))];
    const send = async (nonce: string, by: KeyObject, text = body): Promise<number> =>
      (
        await platform.notify({ keyId: key.keyId, secret: publicKey }, text, {
          timestamp,
          nonce,
          signature: sign(null, Buffer.from(`${timestamp}.${nonce}.${body}`), by).toString('base64'),
        })
      ).status;
    expect(await send('nonce-one', own.privateKey)).toBe(201);
    expect(await send('nonce-one', own.privateKey)).toBe(401);
    expect(await send('nonce-two', other.privateKey)).toBe(401);
    expect(await send('nonce-three', own.privateKey, JSON.stringify(notice({ amount: '77.02' })))).toBe(401);
    // By HMAC with the public key.
    expect(await platform.notify({ keyId: key.keyId, secret: publicKey }, body)).toMatchObject(badSignature);
  });

  it('answer 201 to a credit that pays a deposit, and 200 to its repeat', async () => {
    const { orderNo, remark } = await newDeposit();
    const body = notice({ memo: remark });
    const first = await platform.notify(agent, body);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      success: true,
      code: 'SUCCESS',
      message: 'OK',
      data: {
        transfer_id: expect.any(String) as unknown,
        duplicate: false,
        matched: true,
        unmatched_reason: null,
      },
    });
    const second = await platform.notify(agent, body);
    expect(second.status).toBe(200);
    expect(second.body.data).toEqual({ ...first.body.data, duplicate: true });
    const order = await merchant.signed('GET', `/query/deposit/${orderNo}`);
    expect(order.body.data).toMatchObject({ status: 'matched' });
  });

  it('answer 201 to an unmatched credit, with the reason', async () => {
    const answer = await platform.notify(agent, notice());
    expect(answer).toMatchObject({
      status: 201,
      body: { data: { duplicate: false, matched: false, unmatched_reason: 'no_remark' } },
    });
  });

  it('record five simultaneous equal notifications as one credit', async () => {
    const { orderNo, remark } = await newDeposit();
    const body = notice({ memo: remark });
    const answers = await Promise.all(Array.from({ length: 5 }, () => platform.notify(agent, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    const ids = new Set(answers.map((answer) => answer.body.data?.['transfer_id']));
    expect(ids.size).toBe(1);
    const order = await merchant.signed('GET', `/query/deposit/${orderNo}`);
    expect(order.body.data).toMatchObject({ status: 'matched' });
    const posted = await platform.tenant.database.sql`
      select 1 from ledger_transfers where bank_transfer_id = ${String([...ids][0])}`;
    expect(posted).toHaveLength(1);
  });

  it('refuses a signature over other content', async () => {
    const body = JSON.stringify(notice());
    const sign = (text: string, secret = agent.secret) => createHmac('sha256', secret).update(text).digest('hex');
    const timestamp = platform.timestamp();
    const nonce = 'nonce-0123456789';
    const right = sign(`${timestamp}.${nonce}.${body}`);
    for (const signature of [
      sign(body),
      sign(`${timestamp}.${nonce}.${body} `),
      sign(`${platform.timestamp(1)}.${nonce}.${body}`),
      sign(`${timestamp}.other-nonce.${body}`),
      sign(`${timestamp}.${nonce}.${body}`, `${agent.secret}x`),
      right.slice(1),
      `${right}0`,
      'é',
    ])
      expect(await platform.notify(agent, body, { timestamp, nonce, signature })).toMatchObject(badSignature);
    const capitals = { timestamp, nonce, signature: right.toUpperCase() };
    expect(await platform.notify(agent, body, capitals)).toMatchObject({ status: 201 });
  });

  it('accepts a nonce once; the same body under a new nonce is a duplicate', async () => {
    const body = notice();
    const nonce = 'used-only-once';
    expect(await platform.notify(agent, body, { nonce })).toMatchObject({ status: 201 });
    expect(await platform.notify(agent, body, { nonce })).toMatchObject(badSignature);
    expect(await platform.notify(agent, body)).toMatchObject({ status: 200 });
  });

  it('accepts one of five simultaneous requests with the same nonce', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => platform.notify(agent, notice(), { nonce: 'shared-by-five' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
  });

  it.each(['x-agent-key', 'x-agent-timestamp', 'x-agent-nonce', 'x-agent-signature'])(
    '401 without %s',
    async (name) => {
      for (const value of [null, ''])
        expect(await platform.notify(agent, notice(), { headers: { [name]: value } })).toMatchObject(badSignature);
    },
  );

  it('accepts nonces of 8 to 128 characters', async () => {
    for (const nonce of ['12345678', 'x'.repeat(128), 'aZ09_-aZ'])
      expect(await platform.notify(agent, notice(), { nonce })).toMatchObject({ status: 201 });
    for (const nonce of ['1234567', 'x'.repeat(129), 'with space', 'with.dot', 'é'.repeat(8)])
      expect(await platform.notify(agent, notice(), { nonce })).toMatchObject(badSignature);
  });

  it('accepts timestamps at most 300 seconds off', async () => {
    for (const shift of [-300, 300])
      expect(await platform.notify(agent, notice(), { timestamp: platform.timestamp(shift) })).toMatchObject({
        status: 201,
      });
    for (const timestamp of [platform.timestamp(-301), platform.timestamp(301), 'now', '1e9'])
      expect(await platform.notify(agent, notice(), { timestamp })).toMatchObject(badTimestamp);
  });

  it('refuses an unknown key, and a revoked one', async () => {
    expect(await platform.notify({ ...agent, keyId: 'ak_x' }, notice())).toMatchObject(badSignature);
    const other = await platform.agent([accountId]);
    expect(await platform.notify(other, notice())).toMatchObject({ status: 201 });
    await platform.tenant.operate('RevokeAgentKey', { id: other.id, reason: 'test' });
    expect(await platform.notify(other, notice())).toMatchObject(badSignature);
  });

  it('refuses merchant headers here, and agent headers on merchant routes', async () => {
    const answer = await merchant.signed('POST', '/../../../bank-notifications', notice());
    expect(answer.status).toBe(404);
    const wrong = await platform.send('POST', '/bank-notifications', {
      'x-api-key': merchant.apiKey,
      'x-timestamp': platform.timestamp(),
      'x-signature': '0',
    });
    expect(wrong).toMatchObject(badSignature);
  });

  it('answer 403 for an unknown account and for one outside the key’s accounts', async () => {
    const other = await platform.account();
    for (const account_id of [other, uuidv7(), 'x', "'"])
      expect(await platform.notify(agent, notice({ account_id }))).toMatchObject(refusal(403, 'AUTHORIZATION_ERROR'));
  });

  it.each(['account_id', 'amount', 'currency_code', 'bank_time', 'memo'])('%s is required', async (field) => {
    const { [field as 'memo']: _, ...rest } = notice();
    expect(await platform.notify(agent, rest)).toMatchObject(badField);
    expect(await platform.notify(agent, notice({ [field]: null }))).toMatchObject(badField);
    expect(await platform.notify(agent, notice({ [field]: true }))).toMatchObject(badField);
  });

  it.each([
    ['memo', 512],
    ['bank_reference', 128],
    ['payer_name', 128],
    ['payer_account', 64],
  ])('%s of at most %i characters, counted by code points', async (field, limit) => {
    const unique = uuidv7().slice(-12);
    const filled = (length: number) => unique + '😀'.repeat(length - unique.length);
    expect(await platform.notify(agent, notice({ [field]: filled(limit) }))).toMatchObject({
      status: 201,
    });
    expect(await platform.notify(agent, notice({ [field]: filled(limit + 1) }))).toMatchObject(badField);
  });

  it.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02t03:04:05.123456789z',
    '2026-01-01T03:04:05-23:59',
    '2000-01-01T00:00:00Z',
    '2024-02-29T00:00:00+00:00',
    // An hour ahead of our clock.
    '2026-01-02T04:04:05.006Z',
  ])('bank_time %s', async (bank_time) => {
    expect(await platform.notify(agent, notice({ bank_time }))).toMatchObject({ status: 201 });
  });

  it.each([
    '2026-01-02T03:04:05',
    '2026-01-02',
    '2026-01-02 03:04:05Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-02T24:00:01Z',
    '2026-01-02T03:04:05+25:00',
    '0000-01-01T00:00:00Z',
    '1999-12-31T23:59:59Z',
    '2026-01-02T04:04:05.007Z',
    '2099-12-31T23:59:59Z',
    '9999-12-31T23:59:59Z',
    '1767323045',
    'now',
    '',
  ])('bank_time %j is refused', async (bank_time) => {
    expect(await platform.notify(agent, notice({ bank_time }))).toMatchObject(badField);
  });

  it.each(['0', '-1', '1e2', '0.001', '100000000000000', 'x', ''])('amount %j is refused', async (amount) => {
    expect(await platform.notify(agent, notice({ amount }))).toMatchObject(badField);
  });

  it('balance_after is a plain decimal, of either sign', async () => {
    const lone = await platform.account();
    const watcher = await platform.agent([lone]);
    const send = async (balance_after: unknown) =>
      await platform.notify(watcher, notice({ account_id: lone, balance_after }));
    for (const good of ['1000.00', 1100.5, '-3.5', '0', null]) expect(await send(good)).toMatchObject({ status: 201 });
    for (const bad of ['1e3', '1.00001', '+1', '01', '', '100000000000000', true, 1e21])
      expect(await send(bad)).toMatchObject(badField);
  });

  it('reads the exact text of a bare number', async () => {
    const text = JSON.stringify(notice({ amount: 'N' })).replace('"N"', '99999999999999.99');
    const answer = await platform.notify(agent, text);
    expect(answer.status).toBe(201);
    const { amount } = await platform.tenant.operate<{ amount: string }>('BankTransfer', {
      id: answer.body.data?.['transfer_id'],
    });
    expect(amount).toBe('99999999999999.9900');
  });
});
