import { uuidv7 } from 'uuidv7';
import { expireDeposit } from '../../db/deposits/deposits';
import { clockFromNoon } from '../support/clock';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';

interface Account {
  readonly id: string;
  readonly use: { todayDeposits: number; todayAmount: string; openDeposits: number };
}

describe('the choice of an account', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  const noon = clockFromNoon();
  const currencies = ['THB', 'USD', 'EUR', 'INR', 'IDR', 'VND', 'BDT'];

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = noon;
    merchant = await tenant.merchant(
      {},
      currencies.map((currencyCode) => ({ currencyCode })),
    );
  });
  afterAll(async () => {
    await tenant.close();
  });

  const refused = { kind: 'BUSINESS_ERROR' };
  const depositIn = async (
    currencyCode: string,
    amount: string,
    of: TestMerchant = merchant,
    input: Record<string, unknown> = {},
  ): Promise<TestDeposit> => await tenant.deposit(of, { currencyCode, amount, ...input });
  const useOf = async (id: string): Promise<Account['use'] | undefined> =>
    (await tenant.list<Account>('BankAccounts')).find((account) => account.id === id)?.use;

  it('keeps the limits of one deposit', async () => {
    await tenant.account('THB', { limits: { minAmount: '100', maxAmount: '200' } });
    await expect(depositIn('THB', '99.99')).rejects.toMatchObject(refused);
    await expect(depositIn('THB', '200.01')).rejects.toMatchObject(refused);
    await expect(depositIn('THB', '100')).resolves.toBeDefined();
    await expect(depositIn('THB', '200')).resolves.toBeDefined();
  });

  it('keeps the daily quota, and releases the share of unpaid deposits', async () => {
    const id = await tenant.account('USD', { limits: { maxDailyAmount: '300' } });
    const now = new Date('2026-03-01T23:59:59.999Z');
    tenant.now = () => now;
    const cancelled = await depositIn('USD', '200');
    const expiring = await depositIn('USD', '100');
    expect(await useOf(id)).toEqual({
      todayDeposits: 2,
      todayAmount: '300.0000',
      monthDeposits: 2,
      monthAmount: '300.0000',
      held: '0.0000',
      openDeposits: 2,
      openAmount: '300.0000',
      todayReceived: '0.0000',
    });
    await expect(depositIn('USD', '0.01')).rejects.toMatchObject(refused);

    await tenant.operate('CancelDeposit', { orderNo: cancelled.orderNo, reason: 'test' });
    expect(await useOf(id)).toMatchObject({ todayDeposits: 1, todayAmount: '100.0000' });
    const paid = await depositIn('USD', '150');
    const { id: expiringId } = await tenant.operate<{ id: string }>('Deposit', {
      orderNo: expiring.orderNo,
    });
    const later = new Date(expiring.expireAt);
    expect(await expireDeposit(tenant.database, expiringId, null, later)).toBe(true);
    // A repeat changes nothing.
    expect(await expireDeposit(tenant.database, expiringId, null, later)).toBe(false);
    expect(await useOf(id)).toMatchObject({ todayDeposits: 1, todayAmount: '150.0000' });

    // Received money keeps its share of the quota.
    await tenant.notify({
      accountId: id,
      amount: '150',
      currencyCode: 'USD',
      memo: paid.expectedRemark,
    });
    await expect(depositIn('USD', '150.01')).rejects.toMatchObject(refused);
    // The next UTC day has its own quota.
    tenant.now = () => new Date('2026-03-02T00:00:00Z');
    await expect(depositIn('USD', '300')).resolves.toBeDefined();
    tenant.now = noon;
  });

  it('never exceeds the quota under concurrent creates', async () => {
    const id = await tenant.account('EUR', { limits: { maxDailyAmount: '1000' } });
    const settled = await Promise.allSettled(Array.from({ length: 60 }, async () => await depositIn('EUR', '30')));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(33);
    expect(await useOf(id)).toMatchObject({ todayDeposits: 33, todayAmount: '990.0000' });
  });

  it('caps open deposits of an account, a merchant and a user', async () => {
    await tenant.account('INR', { limits: { maxOpenDeposits: 2 } });
    const first = await depositIn('INR', '1');
    await depositIn('INR', '1');
    await expect(depositIn('INR', '1')).rejects.toMatchObject(refused);
    await tenant.operate('CancelDeposit', { orderNo: first.orderNo, reason: 'test' });
    await expect(depositIn('INR', '1')).resolves.toBeDefined();

    await tenant.account('IDR');
    const capped = await tenant.merchant({ maxOpenDeposits: 3, maxOpenDepositsPerUser: 2 }, [{ currencyCode: 'IDR' }]);
    const of = (userId: string | null) => depositIn('IDR', '1', capped, { userId });
    await of('u');
    await of('u');
    await expect(of('u')).rejects.toMatchObject(refused);
    await of('v');
    await expect(of(null)).rejects.toMatchObject(refused);
    // A used order number is refused first.
    const merchantOrderNo = uuidv7();
    await depositIn('IDR', '1', merchant, { merchantOrderNo });
    await expect(depositIn('IDR', '1', merchant, { merchantOrderNo })).rejects.toMatchObject({
      kind: 'CONFLICT',
    });
  });

  it('is drawn evenly, explained in the timeline, and available as a preview', async () => {
    const taking = await Promise.all(['a', 'b'].map((name) => tenant.account('VND', { name })));
    const small = await tenant.account('VND', { name: 'small', limits: { maxAmount: '10' } });
    const chosen: string[] = [];
    for (let n = 0; n < 40; n++) {
      const { orderNo } = await depositIn('VND', '1000');
      const { account, timeline } = await tenant.operate<{
        account: { id: string };
        timeline: { detail: unknown }[];
      }>('Deposit', { orderNo });
      expect(timeline[0]?.detail).toEqual({
        routing: { account: account.id, refused: [{ account: small, reason: 'ABOVE_MAXIMUM' }] },
      });
      chosen.push(account.id);
    }
    // Forty even draws: fewer than six for one of two accounts have a chance of one in a million.
    for (const id of taking) expect(chosen.filter((c) => c === id).length).toBeGreaterThan(5);

    await tenant.operate('SetBankAccountStatus', {
      id: taking[0],
      status: 'PAUSED',
      reason: 'test',
    });
    const options = await tenant.operate<{ refusal: string | null; account: { id: string } }[]>('DepositRoute', {
      currencyCode: 'VND',
      amount: '1000',
    });
    expect(new Map(options.map(({ account, refusal }) => [account.id, refusal]))).toEqual(
      new Map([
        [taking[0], 'NOT_ACTIVE'],
        [taking[1], null],
        [small, 'ABOVE_MAXIMUM'],
      ]),
    );
  });

  it('uses changed limits at once', async () => {
    const id = await tenant.account('BDT', { limits: { maxAmount: '10' } });
    await expect(depositIn('BDT', '11')).rejects.toMatchObject(refused);
    const update = async (input: Record<string, unknown>) =>
      (
        await tenant.operate<{ account: { name: string; maxAmount: string | null } }>('UpdateBankAccount', {
          id,
          input,
          reason: 'test',
        })
      ).account;
    expect(await update({ limits: {} })).toMatchObject({ maxAmount: null, name: 'Test account' });
    await expect(depositIn('BDT', '11')).resolves.toBeDefined();
    await update({ name: 'renamed', limits: { maxAmount: '5' } });
    await expect(depositIn('BDT', '11')).rejects.toMatchObject(refused);
    await expect(update({ float: { step: '1', up: '1', down: '0' } })).rejects.toMatchObject({
      kind: 'INVALID_FIELD',
    });
  });
});
