import { uuidv7 } from 'uuidv7';
import { NO_FAULTS } from '../../simulator/faults';
import type { Payment } from '../../simulator/payments';
import { Simulator } from '../../simulator/server';
import { ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { CHANNEL_KEY, paymentAt, simulatedChannel } from '../support/channel-tenant';
import { devServer, type TestTemporal } from '../support/temporal';
import { Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, fundedMerchant, postedFor, withdrawalNow } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

/** Real servers, and upstreams that send no messages. */
describe('failed payouts', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  const silent = new Simulator(CHANNEL_KEY);
  const dying = new Simulator(CHANNEL_KEY);

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([devServer(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    workers.relay.start();
    merchant = await fundedMerchant(tenant, '10000');
    const settings = { failureFinalDelaySeconds: 1, answerWithinSeconds: 60 };
    await simulatedChannel(tenant, await silent.listen(), { ...settings, maxAmount: '100' });
    await simulatedChannel(tenant, await dying.listen(), { ...settings, minAmount: '200' });
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await workers.stop();
    await silent.close();
    await dying.close();
    await tenant.close();
    await temporal.stop();
  });

  /** A payout that its channel failed without a message. */
  async function failed(
    upstream: Simulator,
    amount = '50',
  ): Promise<{ id: string; orderNo: string; payment: Payment }> {
    upstream.configure({ faults: { ...NO_FAULTS, silentRate: 1, settleMs: 0, failRate: 1 } });
    const order = await approvedWithdrawal(tenant, merchant, { amount });
    await until('the failure', async () => {
      const { status } = await withdrawalNow(tenant, order.id);
      return status === 'FAILED';
    });
    const payment = paymentAt(upstream, order.orderNo);
    if (!payment) throw new Error('nobody asked the channel');
    return { ...order, payment };
  }
  /** Runs `reconcile` as the schedule does, at this time after now. */
  async function minutesLater(minutes: number): Promise<void> {
    await tenant.database.sql`
      update payout_attempts set recheck_at = recheck_at - make_interval(mins => ${minutes}),
        finished_at = finished_at - make_interval(mins => ${minutes}) where recheck_at is not null`;
    await temporal.env.client.workflow.execute('reconcile', {
      taskQueue: ORDERS_TASK_QUEUE,
      workflowId: uuidv7(),
    });
  }
  const attemptOf = async (id: string) => {
    const [row] = await tenant.database.sql<
      { rechecked: number; recheckAt: Date | null; doubtedAt: Date | null; status: string }[]
    >`select rechecked, recheck_at, doubted_at, status from payout_attempts where withdrawal_id = ${id}`;
    if (!row) throw new Error('nobody tried');
    return row;
  };
  const looked = async (id: string): Promise<void> => {
    await until('the answer', async () => {
      const { rechecked, doubtedAt } = await attemptOf(id);
      return rechecked > 0 && doubtedAt === null;
    });
  };
  const latePaid = async (id: string): Promise<string[]> =>
    (await postedFor(tenant, id)).filter((line) => line.startsWith('WITHDRAWAL_LATE_PAID'));
  const alerts = async (orderNo: string): Promise<string[]> => {
    const rows = await tenant.database.sql<{ kind: string }[]>`
      select kind from alerts where about ->> 'orderNo' = ${orderNo}`;
    return rows.map(({ kind }) => kind);
  };

  it('that were paid later without a message are found, and never sent again', async () => {
    const { id, orderNo, payment } = await failed(silent);
    silent.payAfterAll(payment);
    expect(await latePaid(id)).toEqual([]);
    await minutesLater(10);
    await looked(id);
    expect(await latePaid(id)).toEqual([
      'WITHDRAWAL_LATE_PAID merchant:available -52.0000',
      'WITHDRAWAL_LATE_PAID fee_income 2.0000',
      'WITHDRAWAL_LATE_PAID channel 50.0000',
    ]);
    expect(await alerts(orderNo)).toEqual(['PAID_AFTER_FAILURE']);
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'FAILED' });
    expect(payment.asked).toBe(1);

    // A found payout is not queried again.
    await minutesLater(60);
    expect(await attemptOf(id)).toMatchObject({ rechecked: 1, recheckAt: null, doubtedAt: null });
    expect(await latePaid(id)).toHaveLength(3);
  });

  it('stay failed while the channel reports them failed', async () => {
    const { id, orderNo } = await failed(silent);
    await minutesLater(10);
    await looked(id);
    expect(await attemptOf(id)).toMatchObject({ status: 'FAILED', rechecked: 1 });
    expect(await latePaid(id)).toEqual([]);
    expect(await alerts(orderNo)).toEqual([]);
  });

  it('are found although another channel is down', async () => {
    const lost = await failed(dying, '200');
    const paid = await failed(silent);
    await dying.close();
    silent.payAfterAll(paid.payment);
    await minutesLater(10);
    await looked(paid.id);
    expect(await latePaid(paid.id)).toHaveLength(3);
    // The state at the dead channel is unknown: queries continue, and no alert is raised.
    expect((await attemptOf(lost.id)).doubtedAt).not.toBeNull();
    expect(await alerts(lost.orderNo)).toEqual([]);
  });
});
