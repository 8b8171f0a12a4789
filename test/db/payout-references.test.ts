import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { payoutReference } from '../../domain/payout';
import { markSent, preparePayout, refusePayout } from '../../db/payouts/payouts';
import { createTestChannel, type TestChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

describe('the reference of a payout', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channels: readonly TestChannel[];

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '10000');
    channels = [await createTestChannel(tenant, { kind: 'MOCK' }), await createTestChannel(tenant, { kind: 'MOCK' })];
  });
  afterAll(async () => {
    await tenant.close();
  });

  const prepare = async (withdrawalId: string, { id }: TestChannel): Promise<string> => {
    const attemptId = uuidv7();
    const { database } = tenant;
    await preparePayout(database, attemptId, withdrawalId, id, money('1'), new Date());
    return attemptId;
  };
  const referenceOf = async (attemptId: string): Promise<string | undefined> => {
    const [row] = await tenant.database.sql<{ reference: string }[]>`
      select reference from payout_attempts where id = ${attemptId}`;
    return row?.reference;
  };

  it('follows from order, attempt, epoch and channel', async () => {
    const { database } = tenant;
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const [first, second] = channels as [TestChannel, TestChannel];
    const attempt = await prepare(id, first);
    const parts = { orderNo, number: 1, epoch: 0, channelCode: first.channelCode };
    expect(await referenceOf(attempt)).toBe(payoutReference(parts));
    await markSent(database, attempt, new Date());
    await refusePayout(database, attempt, 'test', new Date());

    await database.sql`update platform set epoch = 7`;
    const next = { orderNo, number: 2, epoch: 7, channelCode: second.channelCode };
    expect(await referenceOf(await prepare(id, second))).toBe(payoutReference(next));
  });

  it('never contains an epoch that has ended in the meantime', async () => {
    const { database } = tenant;
    const { id } = await approvedWithdrawal(tenant, merchant);
    let prepared: Promise<string> | undefined;
    await database.transaction(async (tx) => {
      await tx`update platform set epoch = 8`;
      prepared = prepare(id, channels[0] as TestChannel);
      await waitForLock();
    });
    expect(await referenceOf((await prepared) ?? '')).toContain('-1-8-');
  });

  /** Waits until a statement of this database waits for another's lock. */
  async function waitForLock(): Promise<void> {
    for (;;) {
      const [row] = await tenant.database.sql<{ waits: boolean }[]>`
        select exists (select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock') as waits`;
      if (row?.waits) return;
    }
  }
});
