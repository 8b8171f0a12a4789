import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { RECHECK_AFTER_SECONDS } from '../../domain/payout';
import { withdrawalReleased } from '../../domain/ledger';
import { failPayout, markSent, preparePayout, recheckPayouts } from '../../db/payouts/payouts';
import { createTestChannel, simulatedChannel } from '../support/channel-tenant';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

const FAILED_AT = new Date('2026-01-02T03:04:05.000Z');
const after = (seconds: number): Date => new Date(FAILED_AT.getTime() + seconds * 1000);

describe('payouts that failed permanently', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let channelId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await fundedMerchant(tenant, '10000');
    channelId = (await simulatedChannel(tenant, 'http://127.0.0.1:9/')).id;
  });
  afterAll(async () => {
    await tenant.close();
  });
  beforeEach(async () => {
    await tenant.database.sql`update payout_attempts set recheck_at = null`;
  });

  async function failed(channel = channelId): Promise<{ orderNo: string; attemptId: string }> {
    const { database } = tenant;
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    const attemptId = uuidv7();
    await preparePayout(database, attemptId, id, channel, money('1'), FAILED_AT);
    await markSent(database, attemptId, FAILED_AT);
    await failPayout(database.sql, {
      attemptId,
      actor: 'system',
      callbackBody: '{}',
      now: FAILED_AT,
      reason: 'test',
      release: withdrawalReleased(merchant.id, money('100'), money('2')),
    });
    return { orderNo, attemptId };
  }
  const dueAt = async (now: Date, limit = 100): Promise<string[]> =>
    (await recheckPayouts(tenant.database, RECHECK_AFTER_SECONDS, limit, now)).map(({ orderNo }) => orderNo);
  async function stateOf(attemptId: string) {
    const [row] = await tenant.database.sql<
      { rechecked: number; recheckAt: Date | null; doubtedAt: Date | null }[]
    >`select rechecked, recheck_at, doubted_at from payout_attempts where id = ${attemptId}`;
    return row;
  }

  it('are rechecked five times within three days, and then never again', async () => {
    const { orderNo, attemptId } = await failed();
    const times = [600, 3_600, 21_600, 86_400, 259_200];
    for (const [n, seconds] of times.entries()) {
      expect((await stateOf(attemptId))?.recheckAt).toEqual(after(seconds));
      expect(await dueAt(after(seconds - 1))).toEqual([]);
      expect(await dueAt(after(seconds))).toEqual([orderNo]);
      expect(await dueAt(after(seconds))).toEqual([]);
      expect(await stateOf(attemptId)).toMatchObject({ rechecked: n + 1, doubtedAt: after(600) });
    }
    expect((await stateOf(attemptId))?.recheckAt).toBeNull();
    expect(await dueAt(after(10 * 86_400))).toEqual([]);
  });

  it('skip the rechecks that were missed during a downtime', async () => {
    const { orderNo, attemptId } = await failed();
    expect(await dueAt(after(30_000))).toEqual([orderNo]);
    expect((await stateOf(attemptId))?.recheckAt).toEqual(after(86_400));
  });

  it('are taken in bounded batches, each by one of two sweeps at once', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, async () => await failed()));
    const numbers = orders.map(({ orderNo }) => orderNo).sort();
    const first = await dueAt(after(600), 4);
    expect(first).toHaveLength(4);
    const [left, right] = await Promise.all([dueAt(after(600)), dueAt(after(600))]);
    const found = [...first, ...left, ...right];
    // One of two concurrent sweeps may skip rows that the other has locked; the next minute takes the rest.
    found.push(...(await dueAt(after(600))));
    expect(found.sort()).toEqual(numbers);
    const woken = await tenant.database.sql`
      select 1 from outbox where key = any(${numbers.map((number) => `withdrawal:${number}`)})
        and created_at = ${after(600)}`;
    expect(woken).toHaveLength(12);
  });

  it('are skipped while the withdrawal is locked', async () => {
    const { orderNo } = await failed();
    await tenant.database.transaction(async (tx) => {
      await tx`select from withdrawal_orders where order_no = ${orderNo} for no key update`;
      expect(await dueAt(after(600))).toEqual([]);
    });
    expect(await dueAt(after(660))).toEqual([orderNo]);
  });

  it('by a mock channel are never rechecked: a mock channel keeps no record', async () => {
    const mock = await createTestChannel(tenant, { kind: 'MOCK' });
    const { attemptId } = await failed(mock.id);
    expect(await stateOf(attemptId)).toMatchObject({ rechecked: 0, recheckAt: null });
  });
});
