import { depositBody, type MerchantClient, Platform } from '../support/platform';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOW = new Date('2026-01-02T03:04:05.006Z');
const NOW_TEXT = '2026-01-02T03:04:05.006Z';

const refusal = (status: number, code: string) => ({
  status,
  body: { success: false, code, data: null },
});

describe('deposits and balances of the merchant API', () => {
  let platform: Platform;
  let merchant: MerchantClient;
  let accountId: string;

  beforeAll(async () => {
    platform = await Platform.open();
    platform.tenant.now = () => NOW;
    accountId = await platform.account({ accountNo: '001-234', name: 'Main account' });
    merchant = await platform.merchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  const create = async (fields: Record<string, unknown> = {}, sender = merchant) =>
    await sender.signed('POST', '/orders/deposit', depositBody(fields));

  it('answers a create with exactly the keys of an account order', async () => {
    const answer = await create({ amount: 100.5 });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      success: true,
      code: 'SUCCESS',
      message: 'OK',
      data: {
        order_no: expect.stringMatching(/^D20260102[0-9A-HJKMNP-TV-Z]{12}$/) as unknown,
        requested_amount: '100.5000',
        amount: '100.5000',
        currency_code: 'USD',
        expire_at: '2026-01-02T03:19:05.006Z',
        bank_code: 'TESTBANK',
        bank_name: 'Test Bank',
        bank_branch: null,
        account_no: '001-234',
        account_holder: 'Causeway',
        remark: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/) as unknown,
      },
    });
  });

  it("expires by the merchant's setting, and shows the branch where the account has one", async () => {
    await platform.account({ currencyCode: 'JPY', bankBranch: 'Old Town' });
    const other = await platform.merchant({ depositExpireMinutes: 1440 });
    await platform.tenant.operate('UpdateMerchant', {
      id: other.id,
      currencies: [{ currencyCode: 'JPY' }],
      reason: 'test',
    });
    const answer = await create({ currency_code: 'JPY', amount: '5' }, other);
    expect(answer.body.data).toMatchObject({
      expire_at: '2026-01-03T03:04:05.006Z',
      bank_branch: 'Old Town',
    });
  });

  it('answers both queries with every key of the contract, null where unknown', async () => {
    const sent = depositBody({ user_id: 'u1', bank_code: 'THEIRBANK', account_no: '9876543210' });
    const created = (await merchant.signed('POST', '/orders/deposit', sent)).body.data ?? {};
    const expected = {
      success: true,
      code: 'SUCCESS',
      message: 'OK',
      data: {
        id: expect.stringMatching(UUID_V7) as unknown,
        order_no: created['order_no'],
        merchant_order_no: sent.merchant_order_no,
        merchant_id: merchant.id,
        account_id: accountId,
        requested_amount: '100.0000',
        amount: '100.0000',
        fee: '1.0000',
        actual_amount: '0.0000',
        currency_code: 'USD',
        expected_remark: created['remark'],
        status: 'pending',
        expire_at: '2026-01-02T03:19:05.006Z',
        matched_at: null,
        completed_at: null,
        created_at: NOW_TEXT,
        updated_at: NOW_TEXT,
        callback_url: 'https://merchant.example/callback',
        callback_status: null,
        callback_count: 0,
        user_id: 'u1',
        order_type: 'direct',
        cashier_session_id: null,
        payer_bank_code: 'THEIRBANK',
        payer_account_last4: '3210',
        channel_id: null,
        channel_order_no: null,
        payment_url: null,
        estimated_channel_cost: null,
        estimated_profit: null,
        actual_channel_cost: null,
        actual_profit: null,
        payment_snapshot: {
          bank_code: 'TESTBANK',
          bank_name: 'Test Bank',
          account_no: '001-234',
          account_holder: 'Causeway',
          amount: '100.0000',
          currency_code: 'USD',
          remark: created['remark'],
        },
        merchant: { id: merchant.id, merchant_code: merchant.merchantCode, name: 'Test merchant' },
        account: {
          id: accountId,
          account_no: '001-234',
          name: 'Main account',
          bank_code: 'TESTBANK',
          bank_name: 'Test Bank',
          account_holder: 'Causeway',
        },
        channel: null,
      },
    };
    for (const path of [
      `/query/deposit/${String(created['order_no'])}`,
      `/query/deposit?merchant_order_no=${sent.merchant_order_no}`,
      // The path wins; the parameter is signed and ignored.
      `/query/deposit/${String(created['order_no'])}?merchant_order_no=other`,
    ]) {
      const answer = await merchant.signed('GET', path);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(expected);
    }
  });

  it('shows a matched order and the bank credit that pays it', async () => {
    const { order_no, remark } = (await create()).body.data ?? {};
    await platform.tenant.notify({
      accountId,
      memo: String(remark),
      currencyCode: 'USD',
      bankTime: NOW_TEXT,
    });
    const answer = await merchant.signed('GET', `/query/deposit/${String(order_no)}`);
    expect(answer.body.data).toMatchObject({ status: 'matched', matched_at: NOW_TEXT });
  });

  it("does not find a wrong number or another merchant's order", async () => {
    const sent = depositBody();
    const orderNo = String((await create(sent)).body.data?.['order_no']);
    const stranger = await platform.merchant();
    const none = refusal(404, 'NOT_FOUND');
    expect(await merchant.signed('GET', `/query/deposit/${orderNo}`)).toMatchObject({
      status: 200,
    });
    expect(await stranger.signed('GET', `/query/deposit/${orderNo}`)).toMatchObject(none);
    const byNumber = `/query/deposit?merchant_order_no=${sent.merchant_order_no}`;
    expect(await stranger.signed('GET', byNumber)).toMatchObject(none);
    for (const wrong of [orderNo.toLowerCase(), orderNo.slice(1), `${orderNo}%20`, 'W1', "'"])
      expect(await merchant.signed('GET', `/query/deposit/${wrong}`)).toMatchObject(none);
  });

  it('answers 422 to a query by number without the number', async () => {
    for (const query of ['', '?', '?merchant_order_no', '?merchant_order_no=', '?order_no=x'])
      expect(
        await merchant.signed('GET', `/query/deposit${query}`, undefined, {
          signingString: (timestamp) =>
            query.includes('merchant')
              ? `merchant_order_no=&timestamp=${timestamp}`
              : query.includes('order_no')
                ? `order_no=x&timestamp=${timestamp}`
                : `timestamp=${timestamp}`,
        }),
      ).toMatchObject(refusal(422, 'VALIDATION_ERROR'));
  });

  it('answers 100 simultaneous creates of one number with one 201 and ninety-nine 409', async () => {
    const same = depositBody();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => merchant.signed('POST', '/orders/deposit', same)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 99 }, () => 409)]);
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(answer).toMatchObject(refusal(409, 'CONFLICT'));
  });

  it('accepts the same number from two merchants', async () => {
    const same = depositBody();
    const other = await platform.merchant();
    expect(await create(same)).toMatchObject({ status: 201 });
    expect(await create(same, other)).toMatchObject({ status: 201 });
  });

  it('leaves the number free after a business refusal, and answers 409 before any such refusal', async () => {
    const { merchant_order_no } = depositBody();
    const business = refusal(400, 'BUSINESS_ERROR');
    expect(await create({ merchant_order_no, currency_code: 'EUR' })).toMatchObject(business);
    expect(await create({ merchant_order_no })).toMatchObject({ status: 201 });
    expect(await create({ merchant_order_no, currency_code: 'EUR' })).toMatchObject(refusal(409, 'CONFLICT'));
  });

  it('answers 403 to a disabled merchant, and to a create without permission', async () => {
    const sent = depositBody();
    const forbidden = refusal(403, 'AUTHORIZATION_ERROR');
    const other = await platform.merchant();
    const set = async (settings: Record<string, boolean>) =>
      await platform.tenant.operate('UpdateMerchant', { id: other.id, settings, reason: 'test' });
    expect(await create(sent, other)).toMatchObject({ status: 201 });
    const query = `/query/deposit?merchant_order_no=${sent.merchant_order_no}`;

    await set({ canDeposit: false });
    expect(await create({}, other)).toMatchObject(forbidden);
    expect(await other.signed('GET', query)).toMatchObject({ status: 200 });

    await set({ enabled: false, canDeposit: true });
    expect(await create({}, other)).toMatchObject(forbidden);
    expect(await other.signed('GET', query)).toMatchObject(forbidden);
    expect(await other.signed('GET', '/balance')).toMatchObject(forbidden);

    await set({ enabled: true });
    expect(await other.signed('GET', query)).toMatchObject({ status: 200 });
  });

  it('answers balance with every key, one item per enabled currency, zeros included', async () => {
    const other = await platform.merchant();
    await platform.tenant.operate('UpdateMerchant', {
      id: other.id,
      currencies: [{ currencyCode: 'EUR' }, { currencyCode: 'AUD', enabled: false }],
      reason: 'test',
    });
    const item = (currency_code: string) => ({
      id: expect.stringMatching(UUID_V7) as unknown,
      merchant_id: other.id,
      currency_code,
      available_balance: '0.0000',
      frozen_balance: '0.0000',
      total_balance: '0.0000',
      version: 0,
      created_at: NOW_TEXT,
      updated_at: NOW_TEXT,
    });
    const answer = await other.signed('GET', '/balance');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      code: 'SUCCESS',
      message: 'OK',
      data: { items: [item('EUR'), item('USD')], merchant_id: other.id },
    });
  });
});
