import { findUncredited, oldestUncredited } from '../../db/deposits/credit-age';
import { matchChannelDeposit } from '../../db/deposits/channel-deposits';
import { money } from '../../domain/money';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { quietActivities } from '../support/quiet-activities';
import { sentDeposit } from '../support/sent-deposit';
import { Tenant, type TestMerchant } from '../support/tenant';

const MINUTE = 60_000;

describe('the credit that has waited longest', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let now: Date;
  beforeEach(async () => {
    tenant = await Tenant.create();
    now = new Date('2026-01-02T03:04:05.678Z');
    tenant.now = () => now;
    merchant = await tenant.merchant({}, [
      { currencyCode: 'THB', depositFee: { percent: '1' } },
      { currencyCode: 'USD', depositFee: { percent: '1' } },
    ]);
    accountId = await tenant.account('THB', { limits: { maxDailyAmount: '1000000' } });
  });
  afterEach(async () => {
    await tenant.close();
  });

  const later = (ms: number): Date => (now = new Date(now.getTime() + ms));
  const oldest = async (): Promise<Date | null> => await oldestUncredited(tenant.database);
  const idOf = async (orderNo: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    return row?.id ?? '';
  };
  const paid = async (): Promise<string> => {
    const { orderNo, amount, expectedRemark } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, amount, memo: expectedRemark, bankReference: orderNo });
    return orderNo;
  };
  const credit = async (orderNo: string): Promise<void> => {
    const { database } = tenant;
    const steps = createDepositActivities({ database, clock: () => Promise.resolve(now) });
    const id = await idOf(orderNo);
    await quietActivities().run(async () => await steps.settleDeposit(id));
  };

  it('is that whose money came first', async () => {
    expect(await oldest()).toBeNull();
    const came = now;
    const first = await paid();
    later(MINUTE);
    const second = await paid();
    expect(await oldest()).toEqual(came);
    expect((await findUncredited(tenant.database, [first, second, 'none'])).sort()).toEqual([first, second].sort());
    await credit(first);
    expect(await oldest()).toEqual(now);
    expect(await findUncredited(tenant.database, [first, second])).toEqual([second]);
    await credit(second);
    expect(await oldest()).toBeNull();
  });

  it("is none while a channel sees the payer's payment, and counts from when it has received it", async () => {
    const { database } = tenant;
    const { orderNo, attemptId } = await sentDeposit(tenant, merchant);
    expect(await matchChannelDeposit(database, attemptId, 'C1', null, null, now)).toBe(true);
    later(10 * MINUTE);
    expect(await oldest()).toBeNull();
    expect(await findUncredited(database, [orderNo])).toEqual([]);

    const receipt = { received: money('100'), charge: money('1.5'), cost: money('1') };
    await matchChannelDeposit(database, attemptId, 'C1', receipt, null, now);
    expect(await oldest()).toEqual(now);
    expect(await findUncredited(database, [orderNo])).toEqual([orderNo]);
  });

  it('is not one of a few that fail while money that came a minute later is credited', async () => {
    const failing = now;
    for (let n = 0; n < 10; n++) await paid();
    later(MINUTE - 1);
    await credit(await paid());
    expect(await oldest()).toEqual(failing);
    later(1);
    await credit(await paid());
    expect(await oldest()).toBeNull();
    await paid();
    expect(await oldest()).toEqual(now);
  });

  it('is one of more than a few, whatever is credited', async () => {
    const waiting = now;
    for (let n = 0; n < 11; n++) await paid();
    later(MINUTE);
    await credit(await paid());
    expect(await oldest()).toEqual(waiting);
  });
});
