import { ApplicationFailure } from '@temporalio/common';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { quietActivities } from '../support/quiet-activities';
import { Tenant } from '../support/tenant';

describe('expiring a deposit by the time of a workflow', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('whose clock is ahead shortens no payer’s time', async () => {
    const { database } = tenant;
    const { orderNo, expireAt } = await tenant.deposit(await tenant.merchant());
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    let now = Date.parse(expireAt) - 60_000;
    const deposits = createDepositActivities({
      database,
      clock: () => Promise.resolve(new Date(now)),
    });
    const expire = async (): Promise<unknown> =>
      await quietActivities()
        .run(async () => await deposits.expireDeposit(row?.id ?? '', expireAt))
        .catch((error: unknown) => error);

    const failure = await expire();
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'NotYetDue', nonRetryable: false });
    const [standing] =
      await database.sql`select status from deposit_orders where id = ${row?.id ?? ''}`;
    expect(standing).toEqual({ status: 'PENDING' });

    // Two synchronised clocks differ by less than a second.
    now = Date.parse(expireAt) - 900;
    await expire();
    const [ended] =
      await database.sql`select status from deposit_orders where id = ${row?.id ?? ''}`;
    expect(ended).toEqual({ status: 'EXPIRED' });
  });

  it('is one step of a workflow that was started at the expiry', async () => {
    const { database } = tenant;
    const { orderNo, expireAt } = await tenant.deposit(await tenant.merchant());
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    let now = Date.parse(expireAt) - 1;
    const deposits = createDepositActivities({
      database,
      clock: () => Promise.resolve(new Date(now)),
    });
    const settle = async (): Promise<unknown> =>
      await quietActivities().run(async () => await deposits.settleDeposit(row?.id ?? ''));
    expect(await settle()).toEqual({ status: 'PENDING', expireAt });
    now += 1;
    expect(await settle()).toEqual({ status: 'EXPIRED', expireAt });
  });
});
