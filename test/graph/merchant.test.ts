import { Tenant } from '../support/tenant';

interface Merchant {
  id: string;
  enabled: boolean;
  depositExpireMinutes: number;
  defaultCallbackUrl: string | null;
  currencies: {
    currencyCode: string;
    enabled: boolean;
    depositFee: { percent: string; fixed: string };
  }[];
}

describe('a merchant', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await Tenant.create();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const update = async (id: string, change: Record<string, unknown>): Promise<Merchant> =>
    (
      await tenant.operate<{ merchant: Merchant }>('UpdateMerchant', {
        id,
        reason: 'test',
        ...change,
      })
    ).merchant;

  it('keeps the settings that a change leaves out', async () => {
    const { id } = await tenant.merchant({ depositExpireMinutes: 7 });
    await update(id, { currencies: [{ currencyCode: 'THB', enabled: false }] });
    const merchant = await update(id, {
      settings: { enabled: false },
      currencies: [{ currencyCode: 'THB' }],
    });
    expect(merchant).toMatchObject({ enabled: false, depositExpireMinutes: 7 });
    expect(merchant.currencies).toEqual([
      {
        currencyCode: 'THB',
        enabled: true,
        depositFee: { percent: '1.5000', fixed: '0.0000' },
        withdrawalFee: { percent: '0.0000', fixed: '0.0000' },
        depositMin: null,
        depositMax: null,
        withdrawalMin: null,
        withdrawalMax: null,
        pool: null,
        prepaid: false,
        cashierAmounts: { denominations: [], custom: null },
      },
    ]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['depositExpireMinutes', { depositExpireMinutes: 0 }],
    ['depositExpireMinutes', { depositExpireMinutes: 1441 }],
    ['callbackTimeoutSeconds', { callbackTimeoutSeconds: 0 }],
    ['callbackTimeoutSeconds', { callbackTimeoutSeconds: 61 }],
    ['defaultCallbackUrl', { defaultCallbackUrl: 'ftp://example.com/' }],
    ['callbackHosts', { callbackHosts: ['https://example.com'] }],
    ['callbackHosts', { callbackHosts: ['example.com:443'] }],
    ['defaultCallbackUrl', { callbackHosts: ['pay.example'], defaultCallbackUrl: 'https://other.example/' }],
  ])('refuses a %s out of bounds: %j', async (field, settings) => {
    const { id } = await tenant.merchant();
    await expect(update(id, { settings })).rejects.toThrow(field);
  });

  it.each([1, 1440])('accepts an expiry of %i minutes', async (depositExpireMinutes) => {
    const { id } = await tenant.merchant({ depositExpireMinutes });
    const settings = { notifyDepositExpired: true };
    expect((await update(id, { settings })).depositExpireMinutes).toBe(depositExpireMinutes);
  });

  it('needs a unique code', async () => {
    const { merchantCode } = await tenant.merchant();
    await expect(
      tenant.operate('CreateMerchant', {
        reason: 'test',
        input: { merchantCode, name: 'again', currencies: [{ currencyCode: 'THB' }] },
      }),
    ).rejects.toMatchObject({ kind: 'CONFLICT' });
  });

  it('is never changed without a reason', async () => {
    const { id } = await tenant.merchant();
    await expect(update(id, { reason: '  ' })).rejects.toThrow('reason');
  });

  it('has each change in the audit log, with operator, change and reason', async () => {
    const { id } = await tenant.merchant();
    await update(id, { reason: 'they asked', settings: { canWithdraw: true } });
    const [noted] = await tenant.database.sql<{ action: string; reason: string; before: unknown; after: unknown }[]>`
      select action, reason, before, after from audit_log
      where subject = ${`merchant:${id}`} order by seq desc limit 1`;
    expect(noted).toMatchObject({
      action: 'updateMerchant',
      reason: 'they asked',
      before: { canWithdraw: false },
      after: { canWithdraw: true },
    });
  });

  it('refuses an agent’s ceiling of zero', async () => {
    const accountId = await tenant.account();
    await expect(
      tenant.operate('CreateAgentKey', {
        reason: 'test',
        input: { label: 'test', accountIds: [accountId], maxTransferAmount: '0' },
      }),
    ).rejects.toThrow('maxTransferAmount');
  });
});
