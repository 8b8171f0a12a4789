import { uuidv7 } from 'uuidv7';
import { CASHIER_URL, type MerchantClient, Platform } from '../support/platform';

const NOW = new Date('2026-01-02T03:04:05.006Z');
/** From NOW. */
const minutesUntil = (time: unknown): number => (Date.parse(String(time)) - NOW.getTime()) / 60_000;

/** Contract, "POST /orders/deposit/cashier", over HTTP. */
describe('POST /orders/deposit/cashier', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    merchant = await platform.cashierMerchant({ defaultCallbackUrl: 'https://m.example/default' });
    await platform.account();
  });
  afterAll(async () => {
    await platform.close();
  });

  const body = (fields: Readonly<Record<string, unknown>> = {}) => ({
    merchant_order_no: uuidv7(),
    currency_code: 'USD',
    ...fields,
  });
  const create = async (fields: Readonly<Record<string, unknown>> = {}, who = merchant) =>
    await who.signed('POST', '/orders/deposit/cashier', body(fields));
  const query = async (number: string) => await merchant.signed('GET', `/query/deposit?merchant_order_no=${number}`);
  const sessionsOf = async (userId: string) =>
    await platform.tenant.database.sql<{ id: string; status: string; version: number }[]>`
      select id, status, version from cashier_sessions where user_id = ${userId}`;

  it('answers with the session and the payer’s URL', async () => {
    const { status, body: answer } = await create();
    expect(status).toBe(201);
    const data = answer.data ?? {};
    expect(Object.keys(data).sort()).toEqual(['cashier_token', 'cashier_url', 'expire_at', 'session_id']);
    expect(data['cashier_url']).toBe(`${CASHIER_URL}/${String(data['cashier_token'])}`);
    expect(minutesUntil(data['expire_at'])).toBe(15);
  });

  it('expires by its own setting', async () => {
    const slow = await platform.cashierMerchant({
      cashierSessionExpireMinutes: 40,
      depositExpireMinutes: 5,
    });
    const number = uuidv7();
    const { body: answer } = await create({ amount: '50', merchant_order_no: number }, slow);
    expect(minutesUntil(answer.data?.['expire_at'])).toBe(40);
    const order = await slow.signed('GET', `/query/deposit?merchant_order_no=${number}`);
    expect(minutesUntil(order.body.data?.['expire_at'])).toBe(5);
  });

  it('has no order before the payer’s choice, and one at once with an amount', async () => {
    const without = uuidv7();
    expect((await create({ merchant_order_no: without })).status).toBe(201);
    const unknown = await query(without);
    expect([unknown.status, unknown.body.code, unknown.body.data]).toEqual([404, 'NOT_FOUND', null]);

    const number = uuidv7();
    const created = await create({
      merchant_order_no: number,
      amount: '100.00',
      user_id: uuidv7(),
      extra_data: 'theirs',
    });
    expect(created.status).toBe(201);
    const found = await query(number);
    expect(found.status).toBe(200);
    expect(found.body.data).toMatchObject({
      order_type: 'cashier',
      status: 'pending',
      requested_amount: '100.0000',
      cashier_session_id: created.body.data?.['session_id'],
      callback_url: 'https://m.example/default',
    });
    const byOrderNo = await merchant.signed('GET', `/query/deposit/${String(found.body.data?.['order_no'])}`);
    expect(byOrderNo.body.data).toEqual(found.body.data);
  });

  it.each([
    ['absent', {}, 'https://m.example/default'],
    ['null', { callback_url: null }, 'https://m.example/default'],
    ['empty', { callback_url: '' }, 'https://m.example/default'],
    ['given', { callback_url: 'https://m.example/own' }, 'https://m.example/own'],
  ])('uses the callback_url that is %s', async (_name, fields, expected) => {
    const number = uuidv7();
    await create({ merchant_order_no: number, amount: '10', ...fields });
    expect((await query(number)).body.data?.['callback_url']).toBe(expected);
  });

  const card = { bank_code: 'KBANK', account_no: '1234567890' };
  it.each([
    ['another order_type', { order_type: 'direct' }],
    ['an order_type that is no text', { order_type: 1 }],
    ['eleven cards', { payer_bank_cards: Array.from({ length: 11 }, () => card) }],
    ['a card with a number in it', { payer_bank_cards: [{ account_no: 12 }] }],
    ['a card that is no object', { payer_bank_cards: ['1234'] }],
    ['cards that are no list', { payer_bank_cards: card }],
    ['an insecure callback_url', { callback_url: 'http://m.example/' }],
    ['a long callback_url', { callback_url: `https://m.example/${'a'.repeat(500)}` }],
    ['a long user_id', { user_id: 'u'.repeat(65) }],
    ['an empty number', { merchant_order_no: '' }],
    ['a signed amount', { amount: '-10' }],
    ['no amount in words', { amount: '' }],
    ['too many decimals', { amount: '10.001' }],
    ['a currency of two letters', { currency_code: 'US' }],
  ])('refuses %s', async (_name, fields) => {
    const answer = await create(fields);
    expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_ERROR']);
  });

  it.each([
    ['the order_type cashier', { order_type: 'cashier' }],
    ['an order_type of null', { order_type: null }],
    ['ten cards', { payer_bank_cards: Array.from({ length: 10 }, () => card) }],
    ['an amount as a number', { amount: 50 }],
    ['a denomination below the range', { amount: '10.0000' }],
    ['any amount within the range', { amount: '20.01' }],
    ['the end of the range', { amount: '500' }],
  ])('accepts %s', async (_name, fields) => {
    expect((await create(fields)).status).toBe(201);
  });

  it.each([
    ['no denomination and below the range', { amount: '19.99' }],
    ['above the range', { amount: '500.01' }],
    ['a currency that is not enabled', { currency_code: 'THB' }],
    ['an unknown currency', { currency_code: 'QQQ' }],
  ])('refuses %s and leaves the number free', async (_name, fields) => {
    const number = uuidv7();
    const answer = await create({ merchant_order_no: number, ...fields });
    expect([answer.status, answer.body.code]).toEqual([400, 'BUSINESS_ERROR']);
    expect((await create({ merchant_order_no: number })).status).toBe(201);
  });

  it('refuses a merchant without payable amounts', async () => {
    const answer = await create({}, await platform.merchant());
    expect([answer.status, answer.body.code]).toEqual([400, 'BUSINESS_ERROR']);
  });

  it('refuses a merchant that may not deposit, and one that is disabled', async () => {
    for (const settings of [{ canDeposit: false }, { enabled: false }]) {
      const answer = await create({}, await platform.cashierMerchant(settings));
      expect([answer.status, answer.body.code]).toEqual([403, 'AUTHORIZATION_ERROR']);
    }
  });

  it('shares one namespace of numbers with deposits', async () => {
    const direct = uuidv7();
    await merchant.signed('POST', '/orders/deposit', {
      ...body({ merchant_order_no: direct }),
      amount: '10',
      callback_url: 'https://m.example/own',
    });
    for (const fields of [{}, { amount: '10' }, { amount: '19' }, { currency_code: 'THB' }]) {
      const answer = await create({ merchant_order_no: direct, ...fields });
      expect([answer.status, answer.body.code, answer.body.data]).toEqual([409, 'CONFLICT', null]);
    }
    const cashier = uuidv7();
    await create({ merchant_order_no: cashier });
    const deposit = await merchant.signed('POST', '/orders/deposit', {
      ...body({ merchant_order_no: cashier }),
      amount: '10',
      callback_url: 'https://m.example/own',
    });
    expect([deposit.status, deposit.body.code]).toEqual([409, 'CONFLICT']);
    expect((await create({ merchant_order_no: cashier })).status).toBe(409);
  });

  describe('for a user with a PENDING session', () => {
    it('reuses the session: same session, same token, the new number', async () => {
      const user = uuidv7();
      const [one, two] = [uuidv7(), uuidv7()];
      const first = await create({ user_id: user, merchant_order_no: one });
      const second = await create({
        user_id: user,
        merchant_order_no: two,
        callback_url: 'https://m.example/second',
      });
      expect(second.status).toBe(201);
      expect(second.body.data?.['session_id']).toBe(first.body.data?.['session_id']);
      expect(second.body.data?.['cashier_token']).toBe(first.body.data?.['cashier_token']);
      // A repeat with the same number, as after a lost answer.
      expect((await create({ user_id: user, merchant_order_no: two })).status).toBe(201);
      expect(await sessionsOf(user)).toMatchObject([{ status: 'PENDING', version: 2 }]);

      // Both numbers stay taken.
      for (const number of [one, two])
        expect((await create({ user_id: uuidv7(), merchant_order_no: number })).status).toBe(409);
    });

    it('keeps the token where the choices changed, too', async () => {
      const user = uuidv7();
      const first = await create({ user_id: user });
      const second = await create({ user_id: user, payer_bank_cards: [card] });
      for (const field of ['session_id', 'cashier_token', 'cashier_url'])
        expect(second.body.data?.[field]).toBe(first.body.data?.[field]);
    });

    it('submits the session when the request has an amount: same session and token', async () => {
      const user = uuidv7();
      const number = uuidv7();
      const first = await create({ user_id: user });
      const second = await create({ user_id: user, amount: '50', merchant_order_no: number });
      expect(second.body.data?.['session_id']).toBe(first.body.data?.['session_id']);
      expect(second.body.data?.['cashier_token']).toBe(first.body.data?.['cashier_token']);
      expect((await query(number)).body.data?.['cashier_session_id']).toBe(first.body.data?.['session_id']);
      // A submitted session is not reused.
      const third = await create({ user_id: user });
      expect(third.body.data?.['session_id']).not.toBe(first.body.data?.['session_id']);
      expect((await create({ user_id: user, merchant_order_no: number })).status).toBe(409);
    });

    it('keeps the session unchanged when the new order is refused', async () => {
      const user = uuidv7();
      const number = uuidv7();
      await create({ user_id: user, merchant_order_no: number });
      const refused = await create({ user_id: user, amount: '19' });
      expect(refused.status).toBe(400);
      expect(await sessionsOf(user)).toMatchObject([{ status: 'PENDING', version: 1 }]);
    });

    it('opens a separate session for a user of another merchant, and without a user', async () => {
      const user = uuidv7();
      const other = await platform.cashierMerchant();
      const ids = new Set<unknown>();
      for (const answer of [
        await create({ user_id: user }),
        await create({ user_id: user }, other),
        ...[await create({ user_id: '' }), await create({ user_id: '' })],
        ...[await create({ user_id: null }), await create()],
      ]) {
        expect(answer.status).toBe(201);
        ids.add(answer.body.data?.['session_id']);
      }
      expect(ids.size).toBe(6);
    });

    it('opens a new session after the first expired, even without a workflow', async () => {
      const user = uuidv7();
      const first = await create({ user_id: user });
      const { now } = platform.tenant;
      platform.tenant.now = () => new Date(now().getTime() + 15 * 60_000 + 1_000);
      try {
        const second = await create({ user_id: user });
        expect(second.body.data?.['session_id']).not.toBe(first.body.data?.['session_id']);
      } finally {
        platform.tenant.now = now;
      }
      const statuses = (await sessionsOf(user)).map(({ status }) => status);
      expect(statuses.sort()).toEqual(['EXPIRED', 'PENDING']);
    });
  });

  it('issues a token that merchant endpoints refuse', async () => {
    const token = String((await create()).body.data?.['cashier_token']);
    const answer = await merchant.signed('GET', '/balance', undefined, { apiKey: token });
    expect([answer.status, answer.body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  });
});
