import { uuidv7 } from 'uuidv7';
import { findPayableChannels } from '../../db/payouts/payouts';
import { depositOnlyChannel } from '../support/channel-tenant';
import { approvedWithdrawal } from '../support/withdrawals';
import { type Answer, depositBody, type MerchantClient, Platform } from '../support/platform';

describe('merchants with disjoint pools', () => {
  let platform: Platform;
  let accounts: { own: string; other: string; free: string };
  let pools: { own: string; other: string };
  let merchants: { own: MerchantClient; other: MerchantClient; free: MerchantClient };

  const operate = async <Result>(name: string, variables: Record<string, unknown>) =>
    await platform.tenant.operate<Result>(name, { reason: 'test', ...variables });

  async function pool(name: string, accountIds: string[], channelIds: string[] = []) {
    const input = { name, currencyCode: 'USD', accountIds, channelIds };
    return (await operate<{ pool: { id: string } }>('PutPool', { input })).pool.id;
  }

  beforeAll(async () => {
    platform = await Platform.open();
    const [own, other, free] = [
      await platform.account(),
      await platform.account({ mode: 'FLOAT', float: { step: '0.01', up: '0.20', down: '0' } }),
      await platform.account(),
    ];
    accounts = { own, other, free };
    pools = { own: await pool('own', [own]), other: await pool('other', [other]) };
    const merchant = async (poolId: string): Promise<MerchantClient> =>
      await platform.merchant({ canWithdraw: true }, { poolId, cashierAmounts: { denominations: ['50'] } });
    merchants = {
      own: await merchant(pools.own),
      other: await merchant(pools.other),
      free: await merchant(''),
    };
  });
  afterAll(async () => {
    await platform.close();
  });

  const accountOf = async (orderNo: unknown): Promise<string> => {
    const [row] = await platform.tenant.database.sql<{ accountId: string }[]>`
      select account_id from deposit_orders where order_no = ${String(orderNo)}`;
    return row?.accountId ?? '';
  };
  const deposit = async (sender: MerchantClient): Promise<Answer> =>
    await sender.signed('POST', '/orders/deposit', depositBody());

  it.each(['own', 'other', 'free'] as const)('deposit only to their own accounts: %s', async (which) => {
    const sender = merchants[which];
    const made = await Promise.all(Array.from({ length: 12 }, () => deposit(sender)));
    for (const { status, body } of made) {
      expect(status).toBe(201);
      expect(await accountOf(body.data?.['order_no'])).toBe(accounts[which]);
    }
    for (const fields of [{ amount: '50' }, {}]) {
      const { callback_url: _, amount: __, ...body } = depositBody();
      const create = { ...body, ...fields };
      const { body: answer } = await sender.signed('POST', '/orders/deposit/cashier', create);
      const token = String(answer.data?.['cashier_token']);
      if (!('amount' in fields))
        await platform.send(
          'POST',
          `/cashier/${token}/submit`,
          { 'content-type': 'application/json' },
          '{"amount":"50"}',
        );
      const path = `/query/deposit?merchant_order_no=${create.merchant_order_no}`;
      const { data } = (await sender.signed('GET', path)).body;
      expect(data?.['account_id']).toBe(accounts[which]);
    }
  });

  it('are refused under the account’s lock too, if a process has an older pool in its cache', async () => {
    const { database } = platform.tenant;
    const { body } = await deposit(merchants.own);
    const orderNo = String(body.data?.['order_no']);
    const [row] = await database.sql<{ refusal: string | null; stays: string | null }[]>`
      select
        (select account_refusal(a, d) from bank_accounts a where a.id = ${accounts.other}) as refusal,
        (select account_refusal(a, d) from bank_accounts a where a.id = ${accounts.own}) as stays
      from deposit_orders d where order_no = ${orderNo}`;
    expect(row).toEqual({ refusal: 'NOT_IN_POOL', stays: null });
  });

  it('change accounts at once with their pool, and have none in an empty pool', async () => {
    const moved = async (accountIds: string[]): Promise<Answer> => {
      const input = { id: pools.own, name: 'own', currencyCode: 'USD', accountIds, channelIds: [] };
      await operate('PutPool', { input });
      return await deposit(merchants.own);
    };
    expect(await moved([])).toMatchObject({ status: 400, body: { code: 'BUSINESS_ERROR' } });
    const shared = await moved([accounts.other]);
    expect(await accountOf(shared.body.data?.['order_no'])).toBe(accounts.other);
    expect((await moved([accounts.own])).status).toBe(201);
    // The accounts in the pool are free again: the merchant without a pool had them meanwhile.
    const route = await operate<{ account: { id: string }; refusal: string | null }[]>('DepositRoute', {
      currencyCode: 'USD',
      amount: '100',
      merchantId: merchants.own.id,
    });
    expect(Object.fromEntries(route.map(({ account, refusal }) => [account.id, refusal]))).toEqual({
      [accounts.own]: null,
      [accounts.other]: 'NOT_IN_POOL',
      [accounts.free]: 'NOT_IN_POOL',
    });
  });

  it('take deposits through their own channel, which pays nothing out', async () => {
    const { tenant } = platform;
    const currencyCode = 'AUD';
    const [own, free] = await Promise.all([
      depositOnlyChannel(tenant, [currencyCode]),
      depositOnlyChannel(tenant, [currencyCode]),
    ]);
    const listed = async (code: string): Promise<string[]> =>
      (await tenant.list<{ id: string }>('Channels', { filter: { currencyCode: code } })).map(({ id }) => id);
    expect((await listed(currencyCode)).sort()).toEqual([own.id, free.id].sort());
    expect(await listed('NZD')).toEqual([]);

    const input = { name: 'AUD', currencyCode, accountIds: [], channelIds: [own.id] };
    await expect(operate('PutPool', { input: { ...input, currencyCode: 'NZD' } })).rejects.toThrow(
      'must be channels for NZD',
    );
    const { pool: made } = await operate<{ pool: { id: string } }>('PutPool', { input });
    for (const [poolId, channel, other] of [
      [made.id, own, free],
      ['', free, own],
    ] as const) {
      const { id: merchantId } = await platform.merchant({}, { currencyCode, poolId });
      const input = { merchantId, currencyCode, orderKind: 'DEPOSIT', amount: '100' };
      expect(await operate('RouteQuote', { input })).toMatchObject({
        ways: [{ channel: { id: channel.id } }],
        refusals: [{ reason: 'NOT_IN_POOL', channel: { id: other.id } }],
      });
    }
    const book = {
      channelId: own.id,
      currencyCode,
      amount: '5',
      evidence: { text: 'the statement' },
    };
    expect(await operate('OpenBook', book)).toMatchObject({ change: { status: 'APPLIED' } });
  });

  it('pay out only through their own channels and from their own accounts', async () => {
    const { tenant } = platform;
    const thb = { currencyCode: 'THB' };
    const [own, other] = [await platform.account(thb), await platform.account(thb)];
    const channel = async (): Promise<string> => {
      const channelCode = `mock-${uuidv7().slice(-8)}`;
      const settings = { name: channelCode, currencies: ['THB'] };
      const { channel: made } = await operate<{ channel: { id: string } }>('CreateChannel', {
        input: { channelCode, kind: 'MOCK', settings },
      });
      return made.id;
    };
    const [ownChannel, otherChannel, freeChannel] = [await channel(), await channel(), await channel()];
    const putPool = async (accountId: string, channelId: string): Promise<string> => {
      const input = {
        name: accountId,
        currencyCode: 'THB',
        accountIds: [accountId],
        channelIds: [channelId],
      };
      return (await operate<{ pool: { id: string } }>('PutPool', { input })).pool.id;
    };
    const poolId = await putPool(own, ownChannel);
    await putPool(other, otherChannel);
    const merchant = await tenant.merchant({ canWithdraw: true });
    const pay = { merchantId: merchant.id, currencyCode: 'THB', amount: '500' };
    await operate('TopUpBalance', { ...pay, evidence: { text: 'wire' } });
    const { id } = await approvedWithdrawal(tenant, merchant);
    const payable = async (): Promise<string[]> =>
      (await findPayableChannels(tenant.database, id, new Date()))
        .filter(({ isMerchants }) => isMerchants)
        .map((found) => found.id);
    const uses = async (accountId: string): Promise<boolean | undefined> => {
      const [row] = await tenant.database.sql<{ uses: boolean }[]>`
        select uses_account(${merchant.id}, 'THB', ${accountId}) as uses`;
      return row?.uses;
    };
    expect(await payable()).toEqual([freeChannel]);
    expect([await uses(own), await uses(other)]).toEqual([false, false]);
    await operate('UpdateMerchant', {
      id: merchant.id,
      currencies: [{ currencyCode: 'THB', poolId }],
    });
    expect(await payable()).toEqual([ownChannel]);
    expect([await uses(own), await uses(other)]).toEqual([true, false]);
  });

  it('may only have pools of their currency', async () => {
    const wrong = {
      id: merchants.own.id,
      currencies: [{ currencyCode: 'EUR', poolId: pools.own }],
    };
    await expect(operate('UpdateMerchant', wrong)).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    const input = { name: 'x', currencyCode: 'EUR', accountIds: [accounts.own], channelIds: [] };
    await expect(operate('PutPool', { input })).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
    const taken = { name: 'own', currencyCode: 'USD', accountIds: [], channelIds: [] };
    await expect(operate('PutPool', { input: taken })).rejects.toMatchObject({
      kind: 'BUSINESS_ERROR',
    });
  });
});
