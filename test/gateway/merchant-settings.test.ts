import { type Answer, depositBody, type MerchantClient, Platform } from '../support/platform';

const refusal = (status: number, code: string) => ({
  status,
  body: { success: false, code, data: null },
});

describe('settings of a merchant', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await Platform.open();
    await platform.account();
  });
  afterAll(async () => {
    await platform.close();
  });

  const deposit = async (merchant: MerchantClient, amount: string): Promise<Answer> =>
    await merchant.signed('POST', '/orders/deposit', depositBody({ amount }));

  it('limit the amount of a deposit by currency, limits included, also in the cashier', async () => {
    const merchant = await platform.merchant(
      {},
      {
        depositLimits: { min: '20', max: '500' },
        cashierAmounts: { denominations: ['10', '600'] },
      },
    );
    for (const amount of ['19.99', '500.01'])
      expect(await deposit(merchant, amount)).toMatchObject(refusal(400, 'BUSINESS_ERROR'));
    for (const amount of ['20', '500']) expect((await deposit(merchant, amount)).status).toBe(201);
    for (const amount of ['10', '600']) {
      const { callback_url: _, ...body } = depositBody({ amount });
      expect(await merchant.signed('POST', '/orders/deposit/cashier', body)).toMatchObject(
        refusal(400, 'BUSINESS_ERROR'),
      );
    }
    // Settings that a change does not name stay unchanged.
    await platform.tenant.operate('UpdateMerchant', {
      id: merchant.id,
      reason: 'test',
      currencies: [{ currencyCode: 'USD', depositFee: { percent: '2' } }],
    });
    expect(await deposit(merchant, '19.99')).toMatchObject(refusal(400, 'BUSINESS_ERROR'));
    await platform.tenant.operate('UpdateMerchant', {
      id: merchant.id,
      reason: 'test',
      currencies: [{ currencyCode: 'USD', depositLimits: { max: '30' } }],
    });
    expect((await deposit(merchant, '19.99')).status).toBe(201);
    expect(await deposit(merchant, '30.01')).toMatchObject(refusal(400, 'BUSINESS_ERROR'));
  });

  it('accept requests only from listed addresses, after checking the signature', async () => {
    const merchant = await platform.merchant({ allowedAddresses: ['203.0.113.0/24'] });
    const asked = async (): Promise<Answer> => await merchant.signed('GET', '/balance');
    expect(await asked()).toMatchObject(refusal(403, 'AUTHORIZATION_ERROR'));
    expect(await deposit(merchant, '50')).toMatchObject(refusal(403, 'AUTHORIZATION_ERROR'));
    const signature = '0'.repeat(32);
    expect(await merchant.signed('GET', '/balance', undefined, { signature })).toMatchObject(
      refusal(401, 'INVALID_SIGNATURE'),
    );
    for (const allowedAddresses of [['203.0.113.0/24', '127.0.0.1'], []]) {
      const settings = { allowedAddresses };
      await platform.tenant.operate('UpdateMerchant', {
        id: merchant.id,
        settings,
        reason: 'test',
      });
      expect((await asked()).status).toBe(200);
    }
  });

  it('hide costs and profits of withdrawals', async () => {
    const merchant = await platform.merchant({ canWithdraw: true });
    await platform.tenant.operate('PutBanks', {
      currencyCode: 'USD',
      banks: [{ bankCode: 'BANK', name: 'Bank' }],
      reason: 'test',
    });
    await platform.tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'USD',
      amount: '500',
      reason: 'test',
      evidence: { text: 'wire' },
    });
    const created = await merchant.signed('POST', '/orders/withdrawal', {
      ...depositBody(),
      beneficiary_name: 'Ann',
      beneficiary_account: '1',
      beneficiary_bank_code: 'BANK',
    });
    const orderNo = String(created.body.data?.['order_no']);
    await platform.tenant.database.sql`
      update withdrawal_orders set estimated_channel_cost = 0.5 where order_no = ${orderNo}`;
    const costs = async (): Promise<unknown[]> => {
      const { data } = (await merchant.signed('GET', `/query/withdrawal/${orderNo}`)).body;
      return ['estimated_channel_cost', 'estimated_profit', 'actual_channel_cost', 'actual_profit'].map(
        (field) => data?.[field],
      );
    };
    expect(await costs()).toEqual(['0.5000', '-0.5000', null, null]);
    const settings = { hideCosts: true };
    await platform.tenant.operate('UpdateMerchant', { id: merchant.id, settings, reason: 'test' });
    expect(await costs()).toEqual([null, null, null, null]);
  });

  it('refuse in production what only a sandbox may do', async () => {
    const merchant = await platform.merchant();
    const core = platform.tenant.graph.core as { environment: 'sandbox' | 'production' };
    core.environment = 'production';
    try {
      await expect(
        platform.tenant.operate('UpdateMerchant', {
          id: merchant.id,
          settings: { webhookSslVerify: false },
          reason: 'test',
        }),
      ).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    } finally {
      core.environment = 'sandbox';
    }
  });
});
