import { createTestChannel } from '../support/channel-tenant';
import { creditedDeposit } from '../support/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';

interface Change {
  change: { id: string; status: string; summary: string };
  schedule: { id: string; version: number; words: string } | null;
}
interface Quote {
  fee: string;
  balanceChange: string;
  words: string[];
  refused: boolean;
  estimatedChannelCost: string | null;
  estimatedProfit: string | null;
  schedule: { version: number } | null;
  monthVolume: string | null;
}
interface Priced {
  fee: string;
  feeSchedule: { version: number; words: string } | null;
}

const DAY = 86_400_000;

describe('fee schedules', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      reason: 'test',
      banks: [{ bankCode: 'GOODBANK', name: 'Good Bank' }],
    });
  });
  beforeEach(async () => {
    merchant = await tenant.merchant({ canWithdraw: true }, [
      ...['THB', 'EUR', 'BDT'].map((currencyCode) => ({
        currencyCode,
        depositFee: { percent: '1.5' },
        withdrawalFee: { fixed: '2' },
      })),
    ]);
  });
  afterEach(() => {
    tenant.now = () => new Date();
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (fields: Record<string, unknown>): Promise<Change> =>
    await tenant.operate<Change>('PutFeeSchedule', {
      input: { merchantId: merchant.id, currencyCode: 'THB', orderKind: 'DEPOSIT', ...fields },
      reason: 'agreed',
    });
  const quote = async (fields: Record<string, unknown>): Promise<Quote> =>
    await tenant.operate<Quote>('FeeQuote', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        amount: '1000',
        ...fields,
      },
    });
  /** The merchant as its next request is authenticated. */
  const caller = async (): Promise<TestMerchant> => ({
    ...merchant,
    actor: await tenant.actorOf(merchant.apiKey),
  });
  const deposit = async (fields: Record<string, unknown> = {}): Promise<string> =>
    (await tenant.deposit(await caller(), fields)).orderNo;
  const priced = async (orderNo: string): Promise<string> => {
    const { fee, feeSchedule } = await tenant.operate<Priced>('Deposit', { orderNo });
    return `${fee} by ${feeSchedule ? `version ${feeSchedule.version}` : 'the currency'}`;
  };

  it('price new deposits, and leave existing ones unchanged', async () => {
    const before = await deposit();
    const first = await put({ percent: '1', fixed: '0.5', minimum: '2' });
    expect(first).toMatchObject({
      change: { status: 'APPLIED' },
      schedule: { version: 1, words: '1 % + 0.50; at least 2.00' },
    });
    const one = await deposit();
    await put({ percent: '3' });
    const two = await deposit();
    expect(await Promise.all([before, one, two].map(priced))).toEqual([
      '1.5000 by the currency',
      '2.0000 by version 1',
      '3.0000 by version 2',
    ]);
    // Another currency has no schedule.
    await tenant.account('EUR');
    expect(await priced(await deposit({ currencyCode: 'EUR' }))).toBe('1.5000 by the currency');
    // The end of the schedule brings back the currency's fee.
    await put({ ends: true });
    expect(await priced(await deposit())).toBe('1.5000 by the currency');
    await expect(put({ ends: true })).rejects.toThrow('no schedule');
  });

  it('price by a version only from its start on', async () => {
    const start = Date.now();
    await put({ percent: '2' });
    await put({ percent: '4', effectiveFrom: new Date(start + DAY).toISOString() });
    expect(await priced(await deposit())).toBe('2.0000 by version 1');
    const at = new Date(start + 2 * DAY).toISOString();
    expect((await quote({ at })).schedule).toEqual(expect.objectContaining({ version: 2 }));
    tenant.now = () => new Date(start + DAY - 1);
    expect(await priced(await deposit())).toBe('2.0000 by version 1');
    tenant.now = () => new Date(start + DAY);
    expect(await priced(await deposit())).toBe('4.0000 by version 2');
    // The version approved last is in force from its start, whatever the start of earlier versions.
    tenant.now = () => new Date();
    await put({ percent: '5' });
    tenant.now = () => new Date(start + 3 * DAY);
    expect(await priced(await deposit())).toBe('5.0000 by version 3');
    const { feeSchedules } = await tenant.operate<{ feeSchedules: { version: number }[] }>('FeeSchedules', {
      merchantId: merchant.id,
    });
    expect(feeSchedules).toMatchObject([
      { version: 3, inForce: true },
      { version: 2, inForce: false },
      { version: 1, inForce: false },
    ]);
  });

  it('price another amount than the order’s by the order’s version', async () => {
    await put({ percent: '1', tiers: [{ from: '500', percent: '0.5' }] });
    const orderNo = await deposit({ amount: '400.00' });
    await put({ percent: '9' });
    const { transfer } = await tenant.notify({ accountId, amount: '600.00', memo: 'mistyped' });
    await tenant.operate('MatchTransfer', {
      transferId: transfer.id,
      orderNo,
      reason: 'a receipt',
    });
    const [allocation] = await tenant.database.sql<{ fee: string }[]>`
      select fee from transfer_allocations where transfer_id = ${transfer.id}`;
    // 0.5 % of the whole amount.
    expect(allocation?.fee).toBe('3.0000');
    // Money without an order is priced by the version in force.
    const late = await tenant.notify({ accountId, amount: '50.00', memo: 'nobody’s' });
    const { postings } = await tenant.operate<{ postings: { fee: string }[] }>('CreditLateMoney', {
      transferId: late.transfer.id,
      merchantId: merchant.id,
      reason: 'theirs',
      evidence: { text: 'a letter' },
    });
    expect(postings).toMatchObject([{ fee: '4.5000' }]);
  });

  it('price by the month’s completed volume, which the order keeps', async () => {
    tenant.now = () => new Date('2026-03-31T16:00:00Z');
    const { sql } = tenant.database;
    const byMonth = { percent: '2', tierBy: 'MONTH_VOLUME' };
    const tiers = [
      { from: '150', percent: '1.5' },
      { from: '300', percent: '1' },
    ];
    const zoned = await tenant.merchant({ timeZone: 'Asia/Bangkok' });
    merchant = zoned;
    // Orders that were completed before the approval do not count.
    await creditedDeposit(tenant, await caller(), accountId, { amount: '900' });
    await put({ ...byMonth, tiers });
    const first = await deposit();
    await creditedDeposit(tenant, await caller(), accountId);
    const second = await deposit();
    await creditedDeposit(tenant, await caller(), accountId);
    const third = await deposit({ amount: '400.00' });
    const volumes = await sql<{ fee: string; feeVolume: string | null }[]>`
      select fee, fee_volume from deposit_orders where order_no = any(${[first, second, third]}) order by id`;
    expect(volumes.map(({ fee, feeVolume }) => [fee, feeVolume])).toEqual([
      ['2.0000', '0.0000'],
      ['2.0000', '100.0000'],
      ['6.0000', '200.0000'],
    ]);
    // In slices: 100 up to 300, and 100 above.
    const slices = { ...byMonth, tiers, tierMode: 'SLICES' };
    expect(await quote({ amount: '200', draft: slices })).toMatchObject({
      fee: '2.5000',
      monthVolume: '200.0000',
      words: [
        'priced by the draft: 2 %; from 150.00 completed in the month: 1.5 % of what is above it; from 300.00 completed in the month: 1 % of what is above it',
        '200.00 completed in the month before it',
        '100.00 × 1.5 % = 1.5',
        '100.00 × 1 % = 1',
        'the merchant gets 197.50',
      ],
    });
    expect(await quote({ amount: '200', monthVolume: '300' })).toMatchObject({ fee: '2.0000' });
    // In Bangkok the next month has begun, without completed orders. The existing order keeps its volume.
    tenant.now = () => new Date('2026-03-31T17:00:00Z');
    expect(await quote({})).toMatchObject({ fee: '20.0000', monthVolume: '0.0000' });
    const { transfer } = await tenant.notify({ accountId, amount: '410.00', memo: 'mistyped' });
    await tenant.operate('MatchTransfer', {
      transferId: transfer.id,
      orderNo: third,
      reason: 'a receipt',
    });
    const [allocation] = await sql<{ fee: string }[]>`
      select fee from transfer_allocations where transfer_id = ${transfer.id}`;
    expect(allocation?.fee).toBe('6.1500');
    expect(await tenant.operate('Deposit', { orderNo: third })).toMatchObject({
      feeVolume: '200.0000',
      feeSchedule: { version: 1 },
    });
    // A schedule by amounts depends on no month.
    await put({ percent: '3' });
    expect(await quote({ monthVolume: '5' })).toMatchObject({ fee: '30.0000', monthVolume: null });
    const draft = { ...byMonth, tiers };
    await expect(quote({ draft, monthVolume: '-1' })).rejects.toThrow('monthVolume');
  });

  it('of a channel take precedence over those of all deposits', async () => {
    const bound = await tenant.account('EUR');
    const channel = await createTestChannel(
      tenant,
      { kind: 'MOCK' },
      {
        currencies: ['EUR'],
        deposits: {
          currencies: ['EUR'],
          accountId: bound,
          cost: { percent: '0.4', fixed: '0.1' },
        },
      },
    );
    await tenant.operate('PutPool', {
      input: { name: 'bound', currencyCode: 'EUR', accountIds: [bound], channelIds: [] },
      reason: 'test',
    });
    const [pool] = await tenant.database.sql<{ id: string }[]>`
      select id from pools where name = 'bound'`;
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      reason: 'test',
      currencies: [{ currencyCode: 'EUR', poolId: pool?.id }],
    });
    const euros = { currencyCode: 'EUR', channelId: channel.id };
    await put({ ...euros, percent: '2' });
    await put({ currencyCode: 'EUR', percent: '7' });
    expect(await priced(await deposit({ currencyCode: 'EUR' }))).toBe('2.0000 by version 1');
    expect(await quote({ ...euros, amount: '1000' })).toMatchObject({
      fee: '20.0000',
      balanceChange: '980.0000',
      refused: false,
      estimatedChannelCost: '4.1000',
      estimatedProfit: '15.9000',
    });
    expect((await quote({ currencyCode: 'EUR' })).fee).toBe('70.0000');
    // A channel whose fee takes the whole amount refuses the order.
    await put({ ...euros, fixed: '100' });
    const refused = deposit({ currencyCode: 'EUR' });
    await expect(refused).rejects.toThrow('the fee exceeds the amount');
    expect(await quote({ ...euros, amount: '100' })).toMatchObject({ refused: true });
    const { sql } = tenant.database;
    const [narrowed] = await sql<{ id: string }[]>`
      select id from fee_schedules where channel_id = ${channel.id} and version = 1`;
    // No order has a schedule of another merchant.
    const stranger = await tenant.merchant();
    const theirs = await tenant.deposit(stranger);
    await expect(
      sql`update deposit_orders set fee_schedule_id = ${narrowed?.id ?? ''} where order_no = ${theirs.orderNo}`,
    ).rejects.toMatchObject({ constraint_name: 'deposit_orders_fee_schedule' });
  });

  it('price withdrawals on top of their amounts', async () => {
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '1000',
      reason: 'test',
      evidence: { text: 'a transfer' },
    });
    const withdraw = async (amount: string): Promise<string> => {
      const { fee, orderNo } = await tenant.withdrawal<{ fee: string; orderNo: string }>(await caller(), { amount });
      const { feeSchedule } = await tenant.operate<Priced>('Withdrawal', { orderNo });
      return `${fee} by ${feeSchedule?.words ?? 'the currency'}`;
    };
    expect(await withdraw('100.00')).toBe('2.0000 by the currency');
    await put({ orderKind: 'WITHDRAWAL', percent: '1', maximum: '3' });
    expect(await withdraw('250.00')).toBe('2.5000 by 1 %; at most 3.00');
    expect(await withdraw('400.00')).toBe('3.0000 by 1 %; at most 3.00');
    expect(await quote({ orderKind: 'WITHDRAWAL', amount: '400' })).toMatchObject({
      balanceChange: '-403.0000',
      estimatedProfit: null,
    });
  });

  it('explain a quote, also for a draft that is not proposed', async () => {
    const draft = {
      percent: '2',
      fixed: '3',
      maximum: '100',
      tierMode: 'SLICES',
      tiers: [{ from: '1000', percent: '1.25' }],
    };
    expect((await quote({ amount: '1500.50', draft })).words).toEqual([
      'priced by the draft: 2 % + 3.00; from 1,000.00: 1.25 % of what is above it; at most 100.00',
      '1,000.00 × 2 % = 20',
      '500.50 × 1.25 % = 6.25625',
      'plus 3.00, whatever the amount',
      '29.25625, rounded half up: 29.26',
      'the merchant gets 1,471.24',
    ]);
    expect((await quote({})).words[0]).toBe("priced by the currency's fee: 1.5 %");
    expect(await priced(await deposit())).toBe('1.5000 by the currency');
  });

  it.each<[string, Record<string, unknown>]>([
    ['minimum', { minimum: '5', maximum: '4' }],
    ['percent', { percent: '100' }],
    ['fixed', { fixed: '0.001' }],
    ['tiers', { tiers: [{ from: '9' }, { from: '5' }] }],
    ['tiers', { tiers: [{ from: '9', fixed: '1' }], tierMode: 'SLICES' }],
    ['effectiveFrom', { effectiveFrom: '2020-01-01T00:00:00Z' }],
    ['channelId', { orderKind: 'WITHDRAWAL', walletKind: 'BKASH' }],
    ['channelId', { channelId: '00000000-0000-7000-8000-000000000001' }],
    ['walletKind', { walletKind: 'BKASH' }],
  ])('refuse a wrong %s: %j', async (field, fields) => {
    await expect(put({ percent: '1', ...fields })).rejects.toThrow(field);
  });

  it('refuse a currency that the merchant does not use', async () => {
    await expect(put({ currencyCode: 'USD' })).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    await expect(quote({ currencyCode: 'USD' })).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
  });

  it('never change after they exist', async () => {
    await put({ percent: '1' });
    const { sql } = tenant.database;
    for (const change of [sql`update fee_schedules set percent = 2`, sql`delete from fee_schedules`])
      await expect(change).rejects.toMatchObject({ code: 'CW001' });
  });
});
