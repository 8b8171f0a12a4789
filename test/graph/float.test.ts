import { uuidv7 } from 'uuidv7';
import { verifyLedger } from '../../db/ledger/ledger';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

const MINUTE = 60_000;

describe('an account of mode FLOAT', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    const currencies = ['THB', 'USD', 'EUR', 'JPY', 'INR', 'IDR', 'MYR'];
    merchant = await tenant.merchant(
      {},
      currencies.map((currencyCode) => ({ currencyCode, depositFee: { percent: '1' } })),
    );
  });
  afterAll(async () => {
    expect(await verifyLedger(tenant.database)).toEqual([]);
    await tenant.close();
  });

  const floating = async (
    currencyCode: string,
    float: Record<string, unknown>,
    input: Record<string, unknown> = {},
  ): Promise<string> => await tenant.account(currencyCode, { mode: 'FLOAT', float: { down: '0', ...float }, ...input });

  const depositIn = async (currencyCode: string, amount = '100'): Promise<TestDeposit> =>
    await tenant.deposit(merchant, { currencyCode, amount });

  const statusOf = async ({ orderNo }: TestDeposit): Promise<string> =>
    (await tenant.operate<{ status: string }>('Deposit', { orderNo })).status;

  it('assigns the exact amount first, then the nearest free one, higher before lower, until none is free', async () => {
    await floating('THB', { step: '0.25', up: '0.50', down: '0.30' });
    const amounts: string[] = [];
    for (let n = 0; n < 4; n++) {
      const deposit = await depositIn('THB');
      expect(deposit).toMatchObject({ expectedRemark: null, requestedAmount: '100.0000' });
      amounts.push(deposit.amount);
    }
    expect(amounts).toEqual(['100.0000', '100.2500', '99.7500', '100.5000']);

    const merchantOrderNo = uuidv7();
    await expect(tenant.deposit(merchant, { merchantOrderNo, amount: '100' })).rejects.toMatchObject({
      kind: 'BUSINESS_ERROR',
    });
    // The refused order left no row: its number can be used when an amount is free.
    expect((await tenant.deposit(merchant, { merchantOrderNo, amount: '500' })).amount).toBe('500.0000');
    // Orders of another requested amount use the same amounts.
    expect((await depositIn('THB', '100.25')).amount).toBe('100.7500');
  });

  it('reserves an amount until its deposit is final and the quarantine has ended', async () => {
    const at = new Date('2026-03-01T10:00:00Z').getTime();
    const accountId = await floating('USD', { step: '0.01', up: '0', quarantineMinutes: 30 });
    tenant.now = () => new Date(at);
    const first = await depositIn('USD');
    const refused = { kind: 'BUSINESS_ERROR' };
    await expect(depositIn('USD')).rejects.toMatchObject(refused);
    // Expired long ago but not closed yet: its payer may still be matched.
    tenant.now = () => new Date(at + 24 * 60 * MINUTE);
    await expect(depositIn('USD')).rejects.toMatchObject(refused);
    await tenant.operate('CancelDeposit', { orderNo: first.orderNo, reason: 'test' });
    tenant.now = () => new Date(at + 45 * MINUTE - 1);
    await expect(depositIn('USD')).rejects.toMatchObject(refused);
    tenant.now = () => new Date(at + 45 * MINUTE);
    const second = await depositIn('USD');
    expect(second.amount).toBe('100.0000');

    // A bank credit from before the second order's creation belonged to the first one.
    const notify = async (bankTime: number): Promise<string | null> =>
      (
        await tenant.notify({
          accountId,
          currencyCode: 'USD',
          amount: '100',
          memo: '',
          bankReference: uuidv7(),
          bankTime: new Date(bankTime).toISOString(),
        })
      ).transfer.unmatchedReason;
    expect(await notify(at + 10 * MINUTE)).toBe('TOO_EARLY');
    expect(await notify(at + 45 * MINUTE)).toBeNull();
    expect(await statusOf(second)).toBe('MATCHED');
    expect(await notify(at + 46 * MINUTE)).toBe('ORDER_NOT_PENDING');
    tenant.now = () => new Date();
  });

  it('matches by the exact amount with any memo, and leaves other credits to people', async () => {
    const accountId = await floating('EUR', { step: '0.01', up: '1' });
    const [first, second] = [await depositIn('EUR'), await depositIn('EUR')];
    const notify = async (amount: string, memo = ''): Promise<string | null> =>
      (
        await tenant.notify({
          accountId,
          currencyCode: 'EUR',
          amount,
          memo,
          bankReference: uuidv7(),
        })
      ).transfer.unmatchedReason;
    expect(await notify('100.02')).toBe('NO_AMOUNT');
    expect(await notify(second.amount, 'for the first one')).toBeNull();
    expect([await statusOf(first), await statusOf(second)]).toEqual(['PENDING', 'MATCHED']);
  });

  it('works in a currency without decimals', async () => {
    await floating('JPY', { step: '1', up: '2' });
    expect([(await depositIn('JPY')).amount, (await depositIn('JPY')).amount]).toEqual(['100.0000', '101.0000']);
  });

  it('assigns 200 concurrent deposits 200 amounts, and each bank credit finds its order', async () => {
    const accountId = await floating('INR', { step: '0.01', up: '1', down: '1' });
    const settled = await Promise.allSettled(Array.from({ length: 205 }, async () => await depositIn('INR')));
    const deposits = settled.flatMap((s) => (s.status === 'fulfilled' ? [s.value] : []));
    expect(deposits).toHaveLength(201);
    expect(new Set(deposits.map(({ amount }) => amount)).size).toBe(201);

    await Promise.all(
      deposits.map(async ({ orderNo, amount }) => {
        const { transfer } = await tenant.notify({
          accountId,
          currencyCode: 'INR',
          amount,
          memo: '',
          bankReference: orderNo,
        });
        const own = await tenant.operate<{ id: string; status: string }>('Deposit', { orderNo });
        expect(own).toMatchObject({ id: transfer.depositId, status: 'MATCHED' });
      }),
    );
  });

  it('without free amounts passes the deposit to the next account', async () => {
    await floating('IDR', { step: '1', up: '0' }, { name: 'one' });
    await floating('IDR', { step: '1', up: '0' }, { name: 'two' });
    const both = [await depositIn('IDR'), await depositIn('IDR')];
    const accounts = await Promise.all(
      both.map(
        async ({ orderNo }) =>
          (await tenant.operate<{ account: { name: string } }>('Deposit', { orderNo })).account.name,
      ),
    );
    expect(accounts.sort()).toEqual(['one', 'two']);
    await expect(depositIn('IDR')).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
  });

  it('requires a float that fits its currency; other modes refuse a float', async () => {
    const account = (input: Record<string, unknown>) => tenant.account('THB', input);
    const invalid = { kind: 'INVALID_FIELD' };
    await expect(account({ mode: 'FLOAT' })).rejects.toMatchObject(invalid);
    const float = { step: '0.01', up: '1', down: '0' };
    await expect(account({ float })).rejects.toMatchObject(invalid);
    await expect(account({ mode: 'FLOAT', float: { ...float, step: '0.001' } })).rejects.toMatchObject(invalid);
  });

  describe('with days of history', () => {
    const DAY = 24 * 60 * MINUTE;
    const at = new Date('2026-04-01T10:00:00Z').getTime();
    let other: TestMerchant;
    let accountId: string;
    beforeAll(async () => {
      other = await tenant.merchant({}, [{ currencyCode: 'MYR' }]);
      accountId = await floating('MYR', { step: '1', up: '1', quarantineMinutes: 0 });
      tenant.changes.floatHistoryDays = 3;
    });
    afterAll(() => {
      delete tenant.changes.floatHistoryDays;
    });
    const order = async (day: number, of: TestMerchant, input: Record<string, unknown> = {}): Promise<TestDeposit> => {
      tenant.now = () => new Date(at + day * DAY);
      return await tenant.deposit(of, { currencyCode: 'MYR', amount: '1000', ...input });
    };
    const close = async ({ orderNo }: TestDeposit): Promise<void> => {
      await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    };
    const pay = async (amount: string, payerName: string | null): Promise<string | null> =>
      (
        await tenant.notify({
          accountId,
          amount,
          currencyCode: 'MYR',
          memo: '',
          payerName,
          bankReference: uuidv7(),
        })
      ).transfer.unmatchedReason;

    it('prefers amounts that no other payer had lately, then the least recently used, whose matches need a person', async () => {
      const first = await order(0, merchant);
      expect(first.amount).toBe('1000.0000');
      await close(first);
      // The exact amount was used lately; the other one was not.
      const second = await order(0.1, other);
      expect(second.amount).toBe('1001.0000');
      await close(second);
      // Another payer had both lately: the least recently used one is assigned.
      // Only its own payer's money is matched automatically.
      const third = await order(0.2, other, { accountHolder: 'Ann Other' });
      expect(third.amount).toBe('1000.0000');
      expect(await pay('1000', null)).toBe('AMOUNT_SHARED');
      expect(await pay('1000', 'Bob Elder')).toBe('AMOUNT_SHARED');
      expect(await pay('1000', 'ANN OTHER')).toBeNull();
      // After the days of history every payer can get the amount.
      const later = await order(4, merchant);
      expect(later.amount).toBe('1001.0000');
      expect(await pay('1001', null)).toBeNull();
    });
  });
});
