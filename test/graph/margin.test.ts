import { uuidv7 } from 'uuidv7';
import { creditedDeposit } from '../support/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';
import { transferUnderWay } from '../support/withdrawals';

interface Costs {
  channel: string | null;
  bank: string | null;
  profit: string | null;
}
interface Row {
  day: string | null;
  merchant: { merchantCode: string } | null;
  account: { id: string } | null;
  currencyCode: string;
  orders: number;
  amount: string;
  fees: string;
  channelCost: string;
  bankCost: string;
  profit: string;
  bankCharges: string;
}

const AGREED = { reason: 'test', evidence: { text: 'test' } };
const [HOUR, DAY] = [3_600_000, 86_400_000];

describe('costs and profit', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
  });
  beforeEach(async () => {
    await tenant.database.sql`update bank_accounts set status = 'DISABLED'`;
    accountId = await tenant.account();
    merchant = await tenant.merchant({ canWithdraw: true }, [
      { currencyCode: 'THB', depositFee: { percent: '1.5' }, withdrawalFee: { fixed: '9' } },
    ]);
  });
  afterEach(() => {
    tenant.now = () => new Date();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (input: Record<string, unknown>): Promise<{ version: number }> =>
    await tenant.operate('PutAccountCosts', { accountId, input, reason: 'the bank’s list' });
  const costsOf = async (orderNo: string): Promise<Costs | null> =>
    (await tenant.operate<{ costs: Costs | null }>('Deposit', { orderNo })).costs;
  const report = async (filter: Record<string, unknown> = {}): Promise<Row[]> =>
    await tenant.operate('MarginReport', {
      filter: {
        from: new Date(tenant.now().getTime() - DAY).toISOString(),
        to: new Date(tenant.now().getTime() + DAY).toISOString(),
        merchantId: [merchant.id],
        ...filter,
      },
    });

  it('of an account’s orders are known from the time at which its bank’s costs are set, and never change', async () => {
    const before = await creditedDeposit(tenant, merchant, accountId);
    expect(await costsOf(before.orderNo)).toEqual({
      channel: null,
      bank: null,
      commission: null,
      profit: null,
    });
    expect(await put({ credit: { percent: '0.1', fixed: '0.5' } })).toMatchObject({ version: 1 });
    const { orderNo } = await tenant.deposit(merchant, { amount: '200.00' });
    expect(await costsOf(orderNo)).toMatchObject({ bank: '0.7000', profit: '2.3000' });
    const paid = await creditedDeposit(tenant, merchant, accountId);
    expect(await costsOf(paid.orderNo)).toEqual({
      channel: null,
      bank: '0.6000',
      commission: null,
      profit: '0.9000',
    });
    tenant.now = () => new Date(Date.now() + HOUR);
    expect(await put({ credit: { fixed: '1' } })).toMatchObject({ version: 2 });
    expect(await costsOf(paid.orderNo)).toMatchObject({ bank: '0.6000' });
    expect(await costsOf(before.orderNo)).toMatchObject({ bank: null });
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    expect(await costsOf(orderNo)).toBeNull();
    await expect(put({ credit: { percent: '100' } })).rejects.toThrow('percent');
    await expect(tenant.database.sql`update account_costs set credit_fixed = 9`).rejects.toThrow('append-only');
  });

  it('are summed by day, merchant and way, equal to the ledger and the orders', async () => {
    await put({ credit: { percent: '0.1', fixed: '0.5' } });
    const other = await tenant.merchant({}, [{ currencyCode: 'THB', depositFee: { percent: '1.5' } }]);
    await creditedDeposit(tenant, merchant, accountId);
    await creditedDeposit(tenant, merchant, accountId, { amount: '200', fee: '3' });
    await creditedDeposit(tenant, other, accountId);
    await tenant.deposit(merchant);
    // A late credit brings a fee without an order.
    const { transfer } = await tenant.notify({
      accountId,
      amount: '1000.00',
      memo: '',
      bankReference: uuidv7(),
    });
    await tenant.operate('CreditLateMoney', {
      transferId: transfer.id,
      merchantId: merchant.id,
      ...AGREED,
    });
    expect(await report({ by: ['MERCHANT'] })).toMatchObject([
      {
        day: null,
        merchant: { merchantCode: merchant.merchantCode },
        account: null,
        currencyCode: 'THB',
        orders: 2,
        amount: '300.0000',
        // 1.5 and 3 from the orders, and 1.5 % of 1,000.
        fees: '19.5000',
        channelCost: '0.0000',
        bankCost: '1.3000',
        profit: '18.2000',
        bankCharges: '0.0000',
      },
    ]);
    const both = await report({ by: [], merchantId: [merchant.id, other.id] });
    expect(both).toMatchObject([{ orders: 3, fees: '21.0000', bankCost: '1.9000' }]);
    const byWay = await report({ by: ['WAY'] });
    expect(byWay.map(({ account, orders }) => [account?.id, orders])).toContainEqual([accountId, 2]);
    const { csv, rows } = await tenant.operate<{ csv: string; rows: number }>('ExportMargin', {
      filter: {
        from: new Date(Date.now() - DAY).toISOString(),
        to: new Date(Date.now() + DAY).toISOString(),
        merchantId: [merchant.id],
        by: ['MERCHANT'],
      },
      reason: 'the books',
    });
    expect(rows).toBe(1);
    expect(csv.split('\r\n')[1]).toBe(
      `,${merchant.merchantCode},,,,THB,2,300.0000,19.5000,0.0000,1.3000,18.2000,0.0000,UTC,0.0000`,
    );
    expect(await report({ from: new Date(Date.now() + HOUR).toISOString() })).toEqual([]);
  });

  it('use the days of the requested zone', async () => {
    // 23:30 UTC is 06:30 of the next day in Bangkok.
    tenant.now = () => new Date('2027-03-04T23:30:00.000Z');
    await creditedDeposit(tenant, merchant, accountId);
    const days = async (zone: string): Promise<unknown[]> =>
      (await report({ by: ['DAY'], zone })).map(({ day, fees }) => [day, fees]);
    expect(await days('UTC')).toEqual([['2027-03-04', '1.5000']]);
    expect(await days('Asia/Bangkok')).toEqual([['2027-03-05', '1.5000']]);
    await expect(report({ zone: 'Mars/Olympus' })).rejects.toThrow('zone');
    await expect(report({ to: '2028-03-04T00:00:00Z' })).rejects.toThrow('92');
  });

  it('include the cost of a payout and the bank charges of its account', async () => {
    await put({ payout: { fixed: '2' } });
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '500',
      ...AGREED,
    });
    const { orderNo } = await transferUnderWay(tenant, merchant, accountId);
    await tenant.operate('CompleteTransfer', { orderNo, bankReference: uuidv7() });
    expect(await tenant.operate('Withdrawal', { orderNo })).toMatchObject({
      costs: { channel: null, bank: '2.0000', profit: '0.0000' },
    });
    const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
      input: {
        accountId,
        amount: '5',
        currencyCode: 'THB',
        bankReference: uuidv7(),
        memo: '',
        bankTime: tenant.now().toISOString(),
      },
    });
    await tenant.operate('PostBankCharge', { debitId: debit.id, ...AGREED });
    const taken = await report({ merchantId: null, by: ['WAY'] });
    expect(taken.find(({ account }) => account?.id === accountId)).toMatchObject({
      orders: 1,
      amount: '100.0000',
      fees: '2.0000',
      bankCost: '2.0000',
      profit: '0.0000',
      bankCharges: '5.0000',
    });
    // Costs without a merchant belong to the platform.
    const restricted = tenant.operatorWith(['VIEW'], [merchant.id]);
    const seen = await tenant.operate<Row[]>(
      'MarginReport',
      {
        filter: {
          from: new Date(Date.now() - DAY).toISOString(),
          to: new Date(Date.now() + DAY).toISOString(),
          by: ['MERCHANT'],
        },
      },
      restricted,
    );
    expect(seen).toMatchObject([
      { merchant: { merchantCode: merchant.merchantCode }, bankCharges: '0.0000', orders: 1 },
    ]);
  });
});
