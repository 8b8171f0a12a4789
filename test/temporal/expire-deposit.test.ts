import { ApplicationFailure } from '@temporalio/common';
import { createCashierActivities } from '../../temporal/activities/cashier';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { quietActivities } from '../support/quiet-activities';
import { Tenant } from '../support/tenant';

describe('the expiry of a deposit or a session by its workflow', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });

  it('does not shorten the payer’s time if the worker’s clock is ahead', async () => {
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
    const [standing] = await database.sql`select status from deposit_orders where id = ${row?.id ?? ''}`;
    expect(standing).toEqual({ status: 'PENDING' });

    // Two synchronised clocks differ by less than a second.
    now = Date.parse(expireAt) - 900;
    await expire();
    const [ended] = await database.sql`select status from deposit_orders where id = ${row?.id ?? ''}`;
    expect(ended).toEqual({ status: 'EXPIRED' });
  });

  it('takes one step of a workflow that was started at the expiry', async () => {
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

  /** A session, and its workflow's steps by a clock that is so long before its end. */
  async function session(beforeItsEndMs: number) {
    const { sessionId, expireAt } = await tenant.cashier(await tenant.cashierMerchant());
    const time = { now: Date.parse(expireAt) - beforeItsEndMs };
    const steps = createCashierActivities({
      database: tenant.database,
      clock: () => Promise.resolve(new Date(time.now)),
    });
    return { sessionId, expireAt, time, steps };
  }

  it('ends no session early either', async () => {
    const { sessionId, expireAt, time, steps } = await session(60_000);
    const expire = async (): Promise<unknown> =>
      await quietActivities()
        .run(async () => await steps.expireCashierSession(sessionId, expireAt))
        .catch((error: unknown) => error);
    expect(await expire()).toMatchObject({ type: 'NotYetDue', nonRetryable: false });
    expect(await steps.readCashierSession(sessionId)).toMatchObject({ status: 'PENDING' });
    time.now = Date.parse(expireAt) - 900;
    expect(await expire()).toMatchObject({ status: 'EXPIRED' });
  });

  it('ends a session in the step that reads it, once its time has come', async () => {
    const { sessionId, time, steps } = await session(1);
    const read = async (): Promise<unknown> =>
      await quietActivities().run(async () => await steps.readCashierSession(sessionId));
    expect(await read()).toMatchObject({ status: 'PENDING' });
    time.now += 1;
    expect(await read()).toMatchObject({ status: 'EXPIRED' });
  });
});
