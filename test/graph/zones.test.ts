import { releaseHolds } from '../../db/deposits/holds';
import { creditedDeposit } from '../support/deposits';
import { Tenant, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant } from '../support/withdrawals';

const BANGKOK = 'Asia/Bangkok';
/** A minute before midnight in Bangkok, and that midnight. */
const LATE = new Date('2027-03-04T16:59:00.000Z');
const MIDNIGHT = new Date('2027-03-04T17:00:00.000Z');
const UTC_MIDNIGHT = new Date('2027-03-05T00:00:00.000Z');

describe('days of time zones', () => {
  let tenant: Tenant;
  let now = LATE;
  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
  });
  beforeEach(() => {
    now = LATE;
  });
  afterAll(async () => {
    await tenant.close();
  });

  const refused = { kind: 'BUSINESS_ERROR' };
  const used = async (id: string): Promise<unknown> => {
    const accounts = await tenant.list<{ id: string; use: Record<string, unknown> }>('BankAccounts');
    return accounts.find((account) => account.id === id)?.use;
  };

  it("end an account's quota at the midnight of its zone", async () => {
    const merchant = await tenant.merchant({}, [{ currencyCode: 'USD' }, { currencyCode: 'EUR' }]);
    const limits = { maxDailyAmount: '100' };
    const local = await tenant.account('USD', { limits, timeZone: BANGKOK });
    const utc = await tenant.account('EUR', { limits });
    const deposit = async (currencyCode: string) => await tenant.deposit(merchant, { currencyCode, amount: '100' });
    const { expectedRemark } = await deposit('USD');
    const { expectedRemark: memo } = await deposit('EUR');
    await tenant.notify({ accountId: utc, amount: '100', currencyCode: 'EUR', memo });
    await expect(deposit('USD')).rejects.toMatchObject(refused);
    await tenant.notify({
      accountId: local,
      amount: '100',
      currencyCode: 'USD',
      memo: expectedRemark,
    });
    expect(await used(local)).toMatchObject({
      todayAmount: '100.0000',
      todayReceived: '100.0000',
    });

    now = MIDNIGHT;
    expect(await used(local)).toMatchObject({
      todayAmount: '0.0000',
      todayReceived: '0.0000',
    });
    await deposit('USD');
    await expect(deposit('EUR')).rejects.toMatchObject(refused);

    now = UTC_MIDNIGHT;
    await expect(deposit('USD')).rejects.toMatchObject(refused);
    await deposit('EUR');
    expect(await used(utc)).toMatchObject({ todayAmount: '100.0000' });
  });

  it("end a hold at a midnight of the merchant's zone", async () => {
    const accountId = await tenant.account();
    const merchant = await tenant.merchant({ holdDays: 2, timeZone: BANGKOK });
    const { orderNo } = await creditedDeposit(tenant, merchant, accountId);
    const releaseAt = new Date('2027-03-05T17:00:00.000Z');
    expect(await tenant.operate('Deposit', { orderNo })).toMatchObject({
      held: { releaseAt: releaseAt.toISOString() },
    });
    const release = async (at: Date) => await releaseHolds(tenant.database, 100, at);
    expect(await release(new Date(releaseAt.getTime() - 1))).toBe(0);
    expect(await release(releaseAt)).toBe(1);
  });

  it("follow a merchant's zone in days and quiet hours, and keep its books correct", async () => {
    await tenant.operate('PutBanks', {
      currencyCode: 'THB',
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
      reason: 'test',
    });
    const merchant = await fundedMerchant(tenant, '5000');
    const setZone = async ({ id }: TestMerchant, timeZone: string) =>
      await tenant.operate('UpdateMerchant', { id, settings: { timeZone }, reason: 'test' });
    const setRules = async (rules: Record<string, unknown>) =>
      await tenant.operate('PutReviewRules', {
        merchantId: merchant.id,
        currencyCode: 'THB',
        reason: 'test',
        rules: { autoApproveUpTo: '1000', newBeneficiary: false, ...rules },
      });
    const reasons = async (at: Date): Promise<unknown> => {
      now = at;
      const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant);
      const shown = await tenant.operate<{ reviewReasons: unknown }>('Withdrawal', { orderNo });
      return shown.reviewReasons;
    };
    await setZone(merchant, BANGKOK);
    await setRules({ merchantDayOrders: 1 });
    expect(await reasons(LATE)).toEqual([]);
    expect(await reasons(LATE)).toEqual(['MERCHANT_DAY_ORDERS']);
    expect(await reasons(MIDNIGHT)).toEqual([]);
    expect(await reasons(UTC_MIDNIGHT)).toEqual(['MERCHANT_DAY_ORDERS']);

    await setRules({ quietHours: { from: '00:00', to: '06:00' } });
    expect(await reasons(LATE)).toEqual([]);
    expect(await reasons(MIDNIGHT)).toEqual(['QUIET_HOURS']);
    await setRules({ quietHours: { from: '00:00', to: '06:00', timeZone: 'Europe/Berlin' } });
    expect(await reasons(MIDNIGHT)).toEqual([]);
    expect(await reasons(new Date('2027-03-04T23:00:00.000Z'))).toEqual(['QUIET_HOURS']);

    // Counts from before a change of the zone keep their day.
    await setZone(merchant, 'UTC');
    expect(await reasons(LATE)).toEqual([]);
    await expectWholeLedger(tenant);
  });

  it('exist only for zones that Node.js and PostgreSQL know', async () => {
    const unknown = { kind: 'INVALID_FIELD' };
    const timeZone = 'Mars/Base';
    await expect(tenant.merchant({ timeZone })).rejects.toMatchObject(unknown);
    await expect(tenant.account('THB', { timeZone })).rejects.toMatchObject(unknown);
    const { id } = await tenant.merchant();
    await expect(
      tenant.operate('UpdateMerchant', { id, settings: { timeZone }, reason: 'test' }),
    ).rejects.toMatchObject(unknown);
    await expect(
      tenant.operate('PutReviewRules', {
        merchantId: id,
        currencyCode: 'THB',
        reason: 'test',
        rules: { quietHours: { from: '00:00', to: '06:00', timeZone } },
      }),
    ).rejects.toMatchObject(unknown);
    for (const table of ['merchants', 'bank_accounts'])
      await expect(tenant.database.sql.unsafe(`update ${table} set time_zone = 'Mars/Base'`)).rejects.toMatchObject({
        code: '22023',
      });
  });
});
