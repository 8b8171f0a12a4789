import { createSweepActivities } from '../../temporal/activities/sweeps';
import { quietActivities } from '../support/quiet-activities';
import { Tenant } from '../support/tenant';

describe('a sweep of which a step fails', () => {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await Tenant.create();
  });
  afterEach(async () => {
    await tenant.close();
  });

  it.each([
    ['function', 'wake_unmoved_withdrawals'],
    ['table', 'bank_debits'],
  ])('fails, and takes all others: without the %s %s', async (what, broken) => {
    const { database } = tenant;
    await tenant.account();
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const past = new Date(Date.now() - 3_600_000);
    await database.sql`delete from outbox`;
    await database.sql`update deposit_orders set created_at = ${past}, expire_at = ${past}`;
    await database.sql.unsafe(`alter ${what} ${broken} rename to gone`);
    const sweeps = createSweepActivities({ database, clock: () => Promise.resolve(new Date()) });
    const run = quietActivities().run(async () => await sweeps.wakeOverdue());
    await expect(run).rejects.toThrow(broken);
    expect(await database.sql`select key from outbox`).toEqual([{ key: `deposit:${orderNo}` }]);
    expect(await database.sql`select kind from alerts where kind = 'OVERDUE'`).toHaveLength(1);
  });
});
