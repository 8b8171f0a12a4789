import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { commissionOn } from '../../domain/commission';
import { withdrawalLatePaid, withdrawalReleased } from '../../domain/ledger';
import { money } from '../../domain/money';
import { concludeDoubt, failPayout, markSent, preparePayout } from '../../db/payouts/payouts';
import { createTestChannel } from '../support/channel-tenant';
import { creditedDeposit, matchedDeposit } from '../support/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, transferUnderWay } from '../support/withdrawals';

interface Rate {
  readonly id: string;
  readonly version: number;
}

const DAY = 86_400_000;
const AGREED = { reason: 'test', evidence: { text: 'test' } };

describe('commissions of resellers', () => {
  let tenant: Tenant;
  let accountId: string;
  let merchant: TestMerchant;
  let resellerId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    accountId = await tenant.account();
  });
  beforeEach(async () => {
    merchant = await tenant.merchant({ canWithdraw: true, returnsPayoutFee: true });
    ({ id: resellerId } = await tenant.operate<{ id: string }>('CreateReseller', {
      name: uuidv7(),
      reason: 'test',
    }));
  });
  afterEach(async () => {
    tenant.now = () => new Date();
    await expectWholeLedger(tenant);
  });
  afterAll(async () => {
    await tenant.close();
  });

  const put = async (fields: Record<string, unknown> = {}): Promise<Rate> => {
    const { rate } = await tenant.operate<{ rate: Rate }>('PutCommissionRate', {
      input: {
        merchantId: merchant.id,
        currencyCode: 'THB',
        orderKind: 'DEPOSIT',
        resellerId,
        percent: '20',
        ...fields,
      },
      reason: 'agreed',
    });
    return rate;
  };
  /** The merchant as its next request is authenticated. */
  const caller = async (of = merchant): Promise<TestMerchant> => ({
    ...of,
    actor: await tenant.actorOf(of.apiKey),
  });
  /** A deposit of 100 THB with a fee of 1.5. */
  const deposit = async (fields = {}): Promise<{ id: string; orderNo: string }> =>
    await creditedDeposit(tenant, await caller(), accountId, fields);
  /** `source fee amount`, with `back` for a reversed one; oldest first. */
  const earned = async (): Promise<string[]> =>
    (
      await tenant.list<Record<'source' | 'fee' | 'amount' | 'reversedAt', string | null>>('Commissions', {
        filter: { resellerId: [resellerId] },
        sort: 'AT_ASC',
      })
    ).map(({ source, fee, amount, reversedAt }) =>
      [source, Number(fee), Number(amount), ...(reversedAt ? ['back'] : [])].join(' '),
    );
  /** `earned reversed paid owed` in THB. */
  const sums = async (): Promise<string> => {
    const { sums: all } = await tenant.operate<{ sums: Record<string, string>[] }>('Reseller', {
      id: resellerId,
    });
    return all.map((one) => ['earned', 'reversed', 'paid', 'owed'].map((name) => Number(one[name])).join(' ')).join();
  };
  const came = async (amount: string): Promise<string> =>
    (await tenant.notify({ accountId, amount, memo: '', bankReference: uuidv7() })).transfer.id;
  const post = async (name: string, variables: Record<string, unknown>): Promise<string> => {
    const { postings } = await tenant.operate<{ postings: { id: string }[] }>(name, {
      ...AGREED,
      ...variables,
    });
    return postings[0]?.id ?? '';
  };

  it('do not exist before a rate is set', async () => {
    const { orderNo } = await deposit();
    expect(await earned()).toEqual([]);
    expect(await sums()).toBe('');
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      costs: { commission: null },
    });
  });

  it('are a share of a deposit’s fee, once, by the version in force at its creation', async () => {
    expect(await put()).toMatchObject({ version: 1 });
    const open = await matchedDeposit(tenant, await caller(), accountId);
    // The expected share of an open order, by the rate that it keeps.
    expect(await put({ percent: '33.3333' })).toMatchObject({ version: 2 });
    expect(await tenant.operate('Deposit', { orderNo: open.orderNo })).toMatchObject({
      costs: { commission: '0.3000' },
    });
    const credits = await Promise.all([open.credit(), open.credit(), open.credit()]);
    expect(credits.filter(Boolean)).toHaveLength(1);
    expect(await open.credit()).toBe(false);
    expect(await earned()).toEqual(['DEPOSIT 1.5 0.3']);
    await deposit();
    expect(await earned()).toEqual(['DEPOSIT 1.5 0.3', 'DEPOSIT 1.5 0.5']);
    expect(await sums()).toBe('0.8 0 0 0.8');
  });

  it('begin and end at the set times, for orders created from then on', async () => {
    const begins = new Date(Date.now() + DAY);
    await put({ effectiveFrom: begins.toISOString() });
    await deposit();
    expect(await earned()).toEqual([]);
    tenant.now = () => new Date(begins.getTime() + 1000);
    const open = await matchedDeposit(tenant, await caller(), accountId);
    await put({ ends: true });
    await deposit();
    expect(await earned()).toEqual([]);
    expect(await open.credit()).toBe(true);
    expect(await earned()).toEqual(['DEPOSIT 1.5 0.3']);
    await expect(put({ ends: true })).rejects.toThrow('nobody earns a share');
    for (const percent of ['0', '-1', '100.01', '1.00001']) await expect(put({ percent })).rejects.toThrow('percent');
    await expect(put({ currencyCode: 'EUR' })).rejects.toThrow('does not use EUR');
    await expect(put({ resellerId: uuidv7() })).rejects.toThrow('reseller');
  });

  it('may be the whole fee, and are zero if they round to zero', async () => {
    await put({ percent: '100' });
    await deposit();
    await put({ percent: '0.3333' });
    await deposit();
    await put({ percent: '0.3334' });
    await deposit();
    expect(await earned()).toEqual(['DEPOSIT 1.5 1.5', 'DEPOSIT 1.5 0.01']);
  });

  it('are a share of a prepaid fee as of any other', async () => {
    merchant = await tenant.merchant({}, [{ currencyCode: 'THB', depositFee: { percent: '1.5' }, prepaid: true }]);
    await put();
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '10',
      ...AGREED,
    });
    await deposit();
    const { orderNo } = await tenant.deposit(await caller());
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    expect(await earned()).toEqual(['DEPOSIT 1.5 0.3']);
  });

  it('stay earned if the fee does: after a refund and a recall', async () => {
    await put();
    const refunded = await deposit();
    const recalled = await deposit();
    await tenant.operate('RefundDeposit', {
      orderNo: refunded.orderNo,
      amount: '30',
      payee: { name: 'x', account: '1' },
      ...AGREED,
    });
    await tenant.operate('RecallDeposit', { orderNo: recalled.orderNo, amount: '30', ...AGREED });
    expect(await earned()).toEqual(['DEPOSIT 1.5 0.3', 'DEPOSIT 1.5 0.3']);
  });

  it('are reversed with the fee of a returned payout, unless it is paid later', async () => {
    const { id: commissionRateId } = await put({ orderKind: 'WITHDRAWAL', percent: '25' });
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '1000',
      ...AGREED,
    });
    const paid = async (): Promise<string> => {
      const { orderNo } = await transferUnderWay(tenant, merchant, accountId, { commissionRateId });
      await tenant.operate('CompleteTransfer', { orderNo, bankReference: uuidv7() });
      return orderNo;
    };
    const orderNo = await paid();
    expect(await earned()).toEqual(['WITHDRAWAL 2 0.5']);
    const id = await post('ReturnPayout', { orderNo, transferId: await came('100') });
    expect(await earned()).toEqual(['WITHDRAWAL 2 0.5 back']);
    expect(await sums()).toBe('0.5 0.5 0 0');
    await post('ReversePosting', { id });
    expect(await earned()).toEqual(['WITHDRAWAL 2 0.5 back', 'RETURN_REVERSED 2 0.5']);
    await post('ReturnPayout', { orderNo, transferId: await came('100') });
    expect(await earned()).toEqual(['WITHDRAWAL 2 0.5 back', 'RETURN_REVERSED 2 0.5 back']);
    // The merchant's setting keeps the fee, so the share stays.
    await tenant.operate('UpdateMerchant', {
      id: merchant.id,
      settings: { returnsPayoutFee: false },
      reason: 'test',
    });
    await post('ReturnPayout', { orderNo: await paid(), transferId: await came('100') });
    expect(await earned()).toContain('WITHDRAWAL 2 0.5');
    expect(await sums()).toBe('1.5 1 0 0.5');
  });

  it('are a share of the fee of late money, and are reversed with it', async () => {
    await put();
    const late = { transferId: await came('100'), merchantId: merchant.id };
    const id = await post('CreditLateMoney', late);
    expect(await earned()).toEqual(['LATE_CREDIT 1.5 0.3']);
    await post('ReversePosting', { id });
    expect(await earned()).toEqual(['LATE_CREDIT 1.5 0.3 back']);
    expect(await sums()).toBe('0.3 0.3 0 0');
  });

  it('are a share of the fee of a payout that a channel paid after it had failed', async () => {
    const { id: commissionRateId } = await put({ orderKind: 'WITHDRAWAL', percent: '25' });
    await tenant.operate('TopUpBalance', {
      merchantId: merchant.id,
      currencyCode: 'THB',
      amount: '1000',
      ...AGREED,
    });
    const { database } = tenant;
    const { id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' });
    const { id } = await approvedWithdrawal(tenant, merchant, { commissionRateId });
    const [attemptId, now, [amount, fee]] = [uuidv7(), new Date(), [money('100'), money('2')]];
    await preparePayout(database, attemptId, id, channelId, money('0'), now);
    await markSent(database, attemptId, now);
    await failPayout(database.sql, {
      attemptId,
      reason: 'no',
      actor: 'system',
      callbackBody: '{}',
      now,
      release: withdrawalReleased(merchant.id, amount, fee),
    });
    expect(await earned()).toEqual([]);
    await database.sql`update payout_attempts set doubted_at = ${now} where id = ${attemptId}`;
    const posted = {
      type: 'WITHDRAWAL_LATE_PAID' as const,
      postings: withdrawalLatePaid(merchant.id, amount, fee, money('1000'), channelId),
      cost: { amount: money('0'), postings: [] },
    };
    const end = { attemptId, doubtedAt: now, posted, alert: null, reason: 'it paid', now };
    expect(await concludeDoubt(database, end)).toBe(true);
    expect(await earned()).toEqual(['LATE_PAYMENT 2 0.5']);
  });

  it('reduce the profit of orders, of the report and of the calculator', async () => {
    await tenant.operate('PutAccountCosts', {
      accountId,
      input: { credit: { fixed: '0.4' } },
      reason: 'test',
    });
    await put();
    const { orderNo } = await deposit();
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      costs: { bank: '0.4000', commission: '0.3000', profit: '0.8000' },
    });
    const id = await post('CreditLateMoney', {
      transferId: await came('100'),
      merchantId: merchant.id,
    });
    const report = async (): Promise<unknown> =>
      await tenant.operate('MarginReport', {
        filter: {
          from: new Date(tenant.now().getTime() - DAY).toISOString(),
          to: new Date(tenant.now().getTime() + DAY).toISOString(),
          merchantId: [merchant.id],
          by: ['MERCHANT'],
        },
      });
    expect(await report()).toMatchObject([
      { fees: '3.0000', bankCost: '0.4000', commission: '0.6000', profit: '2.0000' },
    ]);
    await post('ReversePosting', { id });
    expect(await report()).toMatchObject([
      { fees: '1.5000', bankCost: '0.4000', commission: '0.3000', profit: '0.8000' },
    ]);
    const { id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' });
    await tenant.database.sql`update channels set deposit_currencies = '{THB}' where id = ${channelId}`;
    const quote = { merchantId: merchant.id, currencyCode: 'THB', orderKind: 'DEPOSIT' };
    expect(await tenant.operate('FeeQuote', { input: { ...quote, amount: '1000', channelId } })).toMatchObject({
      fee: '15.0000',
      commission: '3.0000',
      estimatedProfit: '12.0000',
    });
  });

  it('round half up to the currency, equally in the database, and never exceed the fee', async () => {
    const { id } = await put();
    const one = fc.record({
      units: fc.bigInt({ min: 0n, max: 10n ** 13n }),
      decimals: fc.constantFrom(0, 2, 3, 4),
      rate: fc.bigInt({ min: 1n, max: 1_000_000n }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 40, maxLength: 40 }), async (cases) => {
        const rows = cases.map(({ units, decimals, rate }) => ({
          fee: money(units.toString()).div(10 ** decimals),
          percent: money(rate.toString()).div(10_000),
          decimals,
          // In integers: units of the currency, and millionths of the fee.
          due: (units * rate * 2n + 1_000_000n) / 2_000_000n,
        }));
        const stored = await tenant.database.sql<{ share: string }[]>`
          select commission_on(a.fee, jsonb_populate_record(r, jsonb_build_object('percent', a.percent,
            'decimals', a.decimals)))::text as share
          from commission_rates r, unnest(${rows.map(({ fee }) => fee.toFixed())}::numeric[],
            ${rows.map(({ percent }) => percent.toFixed())}::numeric[],
            ${rows.map(({ decimals }) => decimals)}::smallint[])
            with ordinality as a(fee, percent, decimals, place)
          where r.id = ${id} order by a.place`;
        for (const [place, { fee, percent, decimals, due }] of rows.entries()) {
          const share = commissionOn(fee, percent, decimals);
          expect(share.times(10 ** decimals).toFixed()).toBe(due.toString());
          expect(money(stored[place]?.share ?? '').equals(share)).toBe(true);
          expect(share.lte(fee)).toBe(true);
        }
      }),
      { seed: 18, numRuns: 10 },
    );
  });
});
