import { isBackground } from '../../bench/plans';
import { Tenant, type TestMerchant } from '../support/tenant';

/** Manual work on several orders, and reports over all orders. */
describe('orders of both kinds', () => {
  let tenant: Tenant;
  let statements = 0;
  let merchant: TestMerchant;
  let other: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create(undefined, {
      watch: (statement) => {
        if (!isBackground(statement)) statements++;
      },
    });
    await tenant.account();
    merchant = await tenant.merchant();
    other = await tenant.merchant();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const deposits = async (count: number, of = merchant): Promise<string[]> => {
    const made: string[] = [];
    for (let n = 0; n < count; n++) made.push((await tenant.deposit(of)).orderNo);
    return made;
  };
  const clerkOf = async ({ id }: TestMerchant, login: string): Promise<Parameters<Tenant['operate']>[2]> => {
    const clerk = await tenant.person(login, ['support']);
    return { ...clerk, operator: { ...clerk.operator, merchantIds: [id] } };
  };

  it('are found by their numbers, in the given order, each once', async () => {
    const [first = '', second = ''] = await deposits(2);
    const orders = await tenant.operate<{ __typename: string; orderNo: string }[]>('Orders', {
      numbers: [second, 'W00000000NOBODYKNOWS', first, second],
    });
    expect(orders.map(({ __typename, orderNo }) => [__typename, orderNo])).toEqual([
      ['DepositOrder', second],
      ['DepositOrder', first],
    ]);
    expect(await tenant.operate('Order', { number: first })).toMatchObject({
      orderNo: first,
      merchant: { merchantCode: merchant.merchantCode },
      timeline: [{ type: 'created' }],
    });
    const many = Array.from({ length: 201 }, (_none, n) => `D${n}`);
    await expect(tenant.operate('Orders', { numbers: many })).rejects.toThrow('at most 200');
  });

  it('take as many statements for many orders as for few', async () => {
    const numbers = await deposits(8);
    const asked = async (some: readonly string[]): Promise<number> => {
      const before = statements;
      await tenant.operate('Orders', { numbers: some });
      return statements - before;
    };
    const few = await asked(numbers.slice(0, 2));
    expect(few).toBeGreaterThan(0);
    expect(await asked(numbers)).toBe(few);
    const exported = async (orderNo: readonly string[]): Promise<number> => {
      const before = statements;
      await tenant.operate('ExportDeposits', {
        filter: { orderNo },
        sort: 'CREATED_AT_DESC',
        reason: 'the books',
      });
      return statements - before;
    };
    // The first one opens a connection.
    await exported(numbers);
    const ofFew = await exported(numbers.slice(0, 2));
    expect(await exported(numbers)).toBe(ofFew);
  });

  it('are not shown to operators of other merchants', async () => {
    const [orderNo = ''] = await deposits(1);
    const [theirs = ''] = await deposits(1, other);
    const clerk = await clerkOf(other, 'clerk-of-other');
    const numbers = [orderNo, theirs];
    const seen = await tenant.operate<{ orderNo: string }[]>('Orders', { numbers }, clerk);
    expect(seen.map((order) => order.orderNo)).toEqual([theirs]);
    expect(await tenant.operate('Order', { number: orderNo }, clerk)).toBeNull();
  });

  it('are filtered by both numbers', async () => {
    const [orderNo = '', second = ''] = await deposits(2);
    const list = async (filter: object): Promise<Record<string, string>[]> =>
      (
        await tenant.operate<{ nodes: Record<string, string>[] }>('Deposits', {
          filter,
          sort: 'CREATED_AT_ASC',
        })
      ).nodes;
    const both = await list({ orderNo: [orderNo, second] });
    expect(both.map((row) => row['orderNo'])).toEqual([orderNo, second]);
    const merchantOrderNo = both.map((row) => row['merchantOrderNo'] ?? '');
    expect(await list({ merchantOrderNo })).toHaveLength(2);
    expect(await list({ merchantOrderNo, merchantId: [other.id] })).toEqual([]);
  });

  interface Cancelled {
    orderNo: string;
    deposit: { status: string } | null;
    code: string | null;
  }

  it('are cancelled together, each with a result; a request whose answer was lost can be repeated', async () => {
    const orderNos = await deposits(3);
    const [gone = '', theirs = ''] = [orderNos[1], (await deposits(1, other))[0]];
    await tenant.operate('CancelDeposit', { orderNo: gone, reason: 'by itself' });
    const clerk = await clerkOf(merchant, 'clerk-of-merchant');
    const asked = {
      orderNos: [...orderNos, theirs, orderNos[0] ?? ''],
      reason: 'an outage',
      idempotencyKey: 'outage-1',
    };
    const results = await tenant.operate<Cancelled[]>('CancelDeposits', asked, clerk);
    expect(results).toEqual([
      { orderNo: orderNos[0], deposit: { status: 'CANCELLED' }, code: null, message: null },
      expect.objectContaining({ orderNo: gone, deposit: null, code: 'BUSINESS_ERROR' }),
      { orderNo: orderNos[2], deposit: { status: 'CANCELLED' }, code: null, message: null },
      expect.objectContaining({ orderNo: theirs, deposit: null, code: 'NOT_FOUND' }),
    ]);
    const again = await tenant.operate<Cancelled[]>('CancelDeposits', asked, clerk);
    expect(again.map(({ deposit }) => deposit?.status ?? null)).toEqual([...['CANCELLED', null, 'CANCELLED', null]]);
    const { nodes } = await tenant.operate<{ nodes: { subject: string }[] }>('AuditLog', {
      filter: { action: ['cancelDeposits'], outcome: ['OK'] },
    });
    expect(nodes.length).toBeGreaterThanOrEqual(2);
  });

  it('sums each day, merchant, currency and status in the requested zone', async () => {
    const now = new Date('2027-03-04T18:30:00.000Z');
    tenant.now = () => now;
    const alone = await tenant.merchant();
    await deposits(3, alone);
    const filter = {
      from: '2027-03-04T00:00:00.000Z',
      to: '2027-03-05T00:00:00.000Z',
      merchantId: [alone.id],
    };
    const total = { merchant: { merchantCode: alone.merchantCode }, currencyCode: 'THB' };
    expect(await tenant.operate('DepositTotals', { filter })).toEqual([
      {
        ...total,
        day: '2027-03-04',
        status: 'PENDING',
        orders: 3,
        amount: '300.0000',
        actualAmount: '0.0000',
        fee: expect.any(String) as string,
      },
    ]);
    // 18:30 UTC is the next day in Bangkok.
    const inBangkok = { ...filter, zone: 'Asia/Bangkok' };
    expect(await tenant.operate('DepositTotals', { filter: inBangkok })).toMatchObject([
      { day: '2027-03-05', orders: 3 },
    ]);
    expect(await tenant.operate('WithdrawalTotals', { filter })).toEqual([]);
    const clerk = await clerkOf(other, 'clerk-of-others-sums');
    expect(await tenant.operate('DepositTotals', { filter }, clerk)).toEqual([]);
    for (const wrong of [{ zone: 'Nowhere' }, { to: '2027-08-05T00:00:00.000Z' }, { to: filter.from }])
      await expect(tenant.operate('DepositTotals', { filter: { ...filter, ...wrong } })).rejects.toMatchObject({
        kind: 'INVALID_FIELD',
      });
  });
});
