import { workflowId } from '../../domain/ids';
import { createTestChannel } from '../support/channel-tenant';
import { expectSeconds, stopwatch, type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, eventsOf, fundedMerchant, postedFor, withdrawalNow } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

/** On the time-skipping server, by the sandbox's mock channel: exact times without real waits. */
describe('payouts by a mock channel', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  let channelId: string;

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
    merchant = await fundedMerchant(tenant);
    ({ id: channelId } = await createTestChannel(tenant, { kind: 'MOCK' }, { cost: { percent: '1', fixed: '0.5' } }));
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await workers.stop();
    await tenant.close();
    await temporal.stop();
  });

  async function readClock(): Promise<void> {
    const now = await temporal.clock();
    tenant.now = () => now;
  }
  const set = async (outcome: string): Promise<unknown> =>
    await tenant.operate('SetMockOutcome', { id: channelId, outcome, reason: 'test' });
  async function started(): Promise<{ id: string; orderNo: string }> {
    await readClock();
    const order = await approvedWithdrawal(tenant, merchant);
    await workers.relay.once();
    return order;
  }
  const result = async ({ orderNo }: { orderNo: string }): Promise<unknown> =>
    await temporal.env.client.workflow.getHandle(workflowId('withdrawal', orderNo)).result();
  const secondsBetween = (from: Date | null, to: Date | null): number =>
    ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 1000;

  it('complete, and post the amount, the fee and the cost', async () => {
    await set('COMPLETED');
    const order = await started();
    await expect(result(order)).resolves.toBe('COMPLETED');
    expect(await withdrawalNow(tenant, order.id)).toMatchObject({
      status: 'COMPLETED',
      payoutMethod: 'CHANNEL',
      channelId,

      channelOrderNo: expect.stringMatching(`^mock-${order.orderNo}-1-0-c-`) as string,
      bankReference: expect.stringMatching(`^mock-${order.orderNo}-1-0-c-`) as string,
      processedAt: expect.any(Date) as unknown,
    });
    expect((await withdrawalNow(tenant, order.id)).actualChannelCost?.toFixed(4)).toBe('1.5000');
    expect((await withdrawalNow(tenant, order.id)).estimatedChannelCost?.toFixed(4)).toBe('1.5000');
    expect(await postedFor(tenant, order.id)).toEqual([
      'WITHDRAWAL_PAID merchant:frozen -102.0000',
      'WITHDRAWAL_PAID channel 100.0000',
      'WITHDRAWAL_PAID fee_income 2.0000',
      'CHANNEL_COST channel_cost -1.5000',
      'CHANNEL_COST channel 1.5000',
    ]);
    expect(await eventsOf(tenant, order.id)).toEqual([
      ...['created', 'approved', 'payout_prepared', 'payout_sent', 'completed'],
    ]);
    const callbacks = await tenant.database.sql<{ type: string }[]>`
      select notification_type as type from notification_logs where order_id = ${order.id} order by id`;
    expect(callbacks.map(({ type }) => type)).toEqual(['withdrawal_approved', 'withdrawal_completed']);
  });

  it('take at most 14 events if the channel has paid at once', async () => {
    await set('COMPLETED');
    const order = await started();
    await expect(result(order)).resolves.toBe('COMPLETED');
    // Nothing wakes it after its end.
    await workers.relay.once();
    const handle = temporal.env.client.workflow.getHandle(workflowId('withdrawal', order.orderNo));
    const { events } = await handle.fetchHistory();
    expect(events?.length).toBeLessThanOrEqual(14);
    expect((await handle.describe()).status.name).toBe('COMPLETED');
  });

  it('are queried every 30 s while pending', async () => {
    await set('PENDING');
    const taken = stopwatch();
    const order = await started();
    await temporal.env.sleep('95s');
    expect(await withdrawalNow(tenant, order.id)).toMatchObject({ status: 'APPROVED' });
    await set('COMPLETED');
    await expect(result(order)).resolves.toBe('COMPLETED');
    const { processedAt, completedAt } = await withdrawalNow(tenant, order.id);
    expect(secondsBetween(processedAt, completedAt)).toBeGreaterThanOrEqual(95);
    expect(secondsBetween(processedAt, completedAt)).toBeLessThanOrEqual(120 + taken());
  });

  it('fail after the delay, not before, and release the money', async () => {
    await set('FAILED');
    const taken = stopwatch();
    const order = await started();
    await expect(result(order)).resolves.toBe('FAILED');
    const failed = await withdrawalNow(tenant, order.id);
    expect(failed).toMatchObject({ endReason: 'the mock channel is set to FAILED' });
    expectSeconds(secondsBetween(failed.processedAt, failed.endedAt), 600, taken());
    expect(await postedFor(tenant, order.id)).toEqual([
      'WITHDRAWAL_RELEASE merchant:frozen -102.0000',
      'WITHDRAWAL_RELEASE merchant:available 102.0000',
    ]);
  });

  it('complete if a success follows a failure within the delay', async () => {
    await set('FAILED');
    const order = await started();
    await temporal.env.sleep('300s');
    await set('COMPLETED');
    await expect(result(order)).resolves.toBe('COMPLETED');
  });

  it('become a manual payout if no channel accepts them', async () => {
    await tenant.operate('SetChannelEnabled', { id: channelId, enabled: false, reason: 'test' });
    const order = await started();
    await until('a task', async () => (await withdrawalNow(tenant, order.id)).payoutMethod === 'MANUAL');
    expect(await withdrawalNow(tenant, order.id)).toMatchObject({
      status: 'APPROVED',
      payoutMethod: 'MANUAL',
      channelId: null,
      processedAt: null,
    });
    const attempts = await tenant.database.sql`
      select method, status, reference from payout_attempts where withdrawal_id = ${order.id}`;
    expect([...attempts]).toEqual([{ method: 'MANUAL', status: 'OPEN', reference: `${order.orderNo}-1` }]);
    await tenant.operate('SetChannelEnabled', { id: channelId, enabled: true, reason: 'test' });
  });
});
