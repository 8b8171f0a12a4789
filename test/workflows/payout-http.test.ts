import { uuidv7 } from 'uuidv7';
import { workflowId } from '../../domain/ids';
import type { Faults } from '../../simulator/faults';
import { NO_FAULTS } from '../../simulator/faults';
import type { Payment } from '../../simulator/payments';
import { Simulator } from '../../simulator/server';
import { CHANNEL_KEY, paidBy, paymentAt, simulatedChannel } from '../support/channel-tenant';
import { Platform } from '../support/platform';
import { devServer, type TestTemporal } from '../support/temporal';
import type { Tenant, TestMerchant } from '../support/tenant';
import { until } from '../support/until';
import { expectWholeLedger } from '../support/whole-ledger';
import { approvedWithdrawal, eventsOf, fundedMerchant, postedFor, withdrawalNow } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

/**
 * Real servers, and an upstream that misbehaves on request. Its own records must show each payout paid at most once.
 */
describe('payouts by an HTTP channel', () => {
  let temporal: TestTemporal;
  let platform: Platform;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  let channelId: string;
  const upstream = new Simulator(CHANNEL_KEY);
  const second = new Simulator(CHANNEL_KEY);
  /** The first choice for 77 THB; its timeout is one second. */
  const confused = new Simulator(CHANNEL_KEY);

  beforeAll(async () => {
    [temporal, platform] = await Promise.all([devServer(), Platform.open()]);
    ({ tenant } = platform);
    workers = await startWorkers(tenant, temporal);
    workers.relay.start();
    merchant = await fundedMerchant(tenant, '10000');
    const settings = { failureFinalDelaySeconds: 1, answerWithinSeconds: 60 };
    const channel = await simulatedChannel(tenant, await upstream.listen(), {
      priority: 1,
      ...settings,
    });
    channelId = channel.id;
    const webhooks = `http://127.0.0.1:${platform.port}/channels`;
    upstream.configure({ webhookUrl: `${webhooks}/${channel.channelCode}/webhook` });
    const spare = await simulatedChannel(tenant, await second.listen(), settings);
    second.configure({ webhookUrl: `${webhooks}/${spare.channelCode}/webhook` });
    await simulatedChannel(tenant, await confused.listen(), {
      priority: 0,
      minAmount: '77',
      maxAmount: '77',
      answerWithinSeconds: 1,
    });
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await workers.stop();
    await platform.close();
    await upstream.close();
    await second.close();
    await confused.close();
    await temporal.stop();
  });

  const does = (faults: Partial<Faults>): void => {
    upstream.configure({ faults: { ...NO_FAULTS, ...faults } });
  };
  const handle = (orderNo: string) => temporal.env.client.workflow.getHandle(workflowId('withdrawal', orderNo));
  const start = async (amount?: string): Promise<{ id: string; orderNo: string }> =>
    await approvedWithdrawal(tenant, merchant, amount === undefined ? {} : { amount });
  /** Waits for a status of the order. */
  const untilItStands = async (id: string, stands: (order: Awaited<ReturnType<typeof withdrawalNow>>) => boolean) =>
    await until('the order to stand so', async () => {
      const order = await withdrawalNow(tenant, id);
      return stands(order) && order;
    });
  const ended = async (id: string) => await untilItStands(id, ({ status }) => status !== 'APPROVED');
  /** The first attempt in the first channel's records. */
  const paymentOf = (orderNo: string): Payment => {
    const payment = paymentAt(upstream, orderNo);
    if (!payment) throw new Error(`the channel knows nothing of ${orderNo}`);
    return payment;
  };
  const paid = (orderNo: string): number[] =>
    Object.entries({ ...paidBy(upstream), ...paidBy(second), ...paidBy(confused) })
      .filter(([reference]) => reference.startsWith(orderNo))
      .map(([, times]) => times);
  const alerts = async (orderNo: string): Promise<string[]> => {
    const rows = await tenant.database.sql<{ kind: string }[]>`
      select kind from alerts where about ->> 'orderNo' = ${orderNo} order by raised_at, kind`;
    return rows.map(({ kind }) => kind);
  };
  const posted = async (id: string, type: string): Promise<string[]> =>
    await until(`a posting of ${type}`, async () => {
      const lines = (await postedFor(tenant, id)).filter((line) => line.startsWith(type));
      return lines.length > 0 && lines.map((line) => line.slice(type.length + 1));
    });

  it('complete by the channel’s message, long before the next query', async () => {
    does({ settleMs: 1_500, cost: '0.75' });
    const { id, orderNo } = await start();
    const order = await ended(id);
    expect(order).toMatchObject({ status: 'COMPLETED', channelId });
    expect(order.bankReference).toMatch(/^BS\d+$/);
    expect(order.actualChannelCost?.toFixed(4)).toBe('0.7500');
    expect((order.completedAt?.getTime() ?? 0) - (order.processedAt?.getTime() ?? 0)).toBeLessThan(30_000);
    expect(paid(orderNo)).toEqual([1]);
  });

  it('cost what was agreed where the channel reports more than the payout itself', async () => {
    does({ settleMs: 0, cost: '5000' });
    const { id, orderNo } = await start();
    const { status, estimatedChannelCost, actualChannelCost } = await ended(id);
    expect([status, actualChannelCost]).toEqual(['COMPLETED', estimatedChannelCost]);
    await until('an alert', async () => (await alerts(orderNo)).includes('COST_ABOVE_BOUND'));
  });

  it('are found by a query after a lost answer', async () => {
    does({ lostAnswerRate: 1, settleMs: 0, silentRate: 1 });
    const { id, orderNo } = await start();
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED' });
    expect(paid(orderNo)).toEqual([1]);
  });

  it('go to the next channel only after a definite refusal', async () => {
    does({ refuseRate: 1 });
    const { id, orderNo } = await start();
    const order = await ended(id);
    expect(order.status).toBe('COMPLETED');
    expect(order.channelId).not.toBe(channelId);
    expect(paid(orderNo).sort()).toEqual([0, 1]);
    expect(await eventsOf(tenant, id)).toEqual([
      ...['created', 'approved', 'payout_prepared', 'payout_sent', 'payout_refused'],
      ...['payout_prepared', 'payout_sent', 'completed'],
    ]);
  });

  describe('of a channel whose refusals are confirmed', () => {
    const confirm = async (confirmRefusals: boolean): Promise<void> => {
      await tenant.database.sql`
        update channels set confirm_refusals = ${confirmRefusals} where id = ${channelId}`;
    };
    beforeAll(async () => {
      await confirm(true);
    });
    afterAll(async () => {
      await confirm(false);
    });

    it('stay with it while a query finds them, although it said that it refused', async () => {
      does({ falseRefusalRate: 1, silentRate: 1, settleMs: 0 });
      const { id, orderNo } = await start();
      expect(await ended(id)).toMatchObject({ status: 'COMPLETED', channelId });
      expect(paid(orderNo)).toEqual([1]);
    });

    it('go to the next channel once a query confirms the refusal', async () => {
      does({ refuseRate: 1 });
      const { id, orderNo } = await start();
      const order = await ended(id);
      expect(order.status).toBe('COMPLETED');
      expect(order.channelId).not.toBe(channelId);
      expect(paid(orderNo).sort()).toEqual([0, 1]);
    });
  });

  it('await a person while the outcome is unknown, and go to no other channel', async () => {
    // The answer exceeds the timeout, and then the channel does not know the payout.
    confused.configure({ faults: { errorRate: 1, delayMs: 1_100 } });
    const { id, orderNo } = await start('77');
    const order = await untilItStands(id, ({ needsManualIntervention }) => needsManualIntervention);
    expect(order.status).toBe('APPROVED');
    expect(order.channelId).not.toBe(channelId);
    expect(order.manualReason).toMatch(/\w/);
    expect(paid(orderNo)).toEqual([]);
    expect(await alerts(orderNo)).toEqual(['PAYOUT_INTERVENTION']);
  });

  it('fail after a query confirms it; the merchant owes what is paid after that', async () => {
    does({ failRate: 1, settleMs: 0, cost: '0.75' });
    const poor = await fundedMerchant(tenant, '150');
    const { id, orderNo } = await approvedWithdrawal(tenant, poor, { amount: '120' });
    expect(await ended(id)).toMatchObject({ status: 'FAILED' });
    // The merchant spends the returned money, so that only a part can be taken back.
    await tenant.operate('AdjustBalance', {
      merchantId: poor.id,
      currencyCode: 'THB',
      amount: '-100',
      reason: 'test',
      evidence: { text: 'seen' },
    });
    upstream.payAfterAll(paymentOf(orderNo));
    expect(await posted(id, 'WITHDRAWAL_LATE_PAID')).toEqual([
      'merchant:available -50.0000',
      'merchant_receivable -72.0000',
      'fee_income 2.0000',
      'channel 120.0000',
    ]);
    expect(await posted(id, 'CHANNEL_COST')).toEqual(['channel_cost -0.7500', 'channel 0.7500']);
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'FAILED' });
    expect(await alerts(orderNo)).toEqual(['PAID_AFTER_FAILURE']);
    expect(paid(orderNo)).toEqual([1]);

    // What comes in covers the debt first, by itself.
    const cameIn = async (amount: string): Promise<unknown> => {
      await tenant.operate('TopUpBalance', {
        merchantId: poor.id,
        currencyCode: 'THB',
        amount,
        reason: 'test',
        evidence: { text: 'seen' },
      });
      return await tenant.database.sql`
        select trim_scale(b.available) as available, trim_scale(b.receivable) as receivable,
          (select string_agg(trim_scale(c.amount)::text, ' ' order by c.version) from receivable_covers c
            where c.merchant_id = b.merchant_id) as covered
        from merchant_balances b where b.merchant_id = ${poor.id}`;
    };
    expect(await cameIn('30')).toEqual([{ available: '0', receivable: '42', covered: '30' }]);
    expect(await cameIn('50')).toEqual([{ available: '8', receivable: '0', covered: '30 42' }]);
  });

  it('are credited by a separate ledger transfer when the bank returns them', async () => {
    does({ settleMs: 0 });
    const { id, orderNo } = await start('40');
    expect(await ended(id)).toMatchObject({ status: 'COMPLETED' });
    upstream.giveBack(paymentOf(orderNo));
    expect(await posted(id, 'WITHDRAWAL_RETURNED')).toEqual(['channel -40.0000', 'merchant:available 40.0000']);
    expect(await withdrawalNow(tenant, id)).toMatchObject({ status: 'COMPLETED' });
    expect(await alerts(orderNo)).toEqual(['PAYOUT_RETURNED']);
  });

  it('are paid once although messages come twice and in any order', async () => {
    does({ duplicateRate: 1, reorderRate: 0.5, lostAnswerRate: 0.3, settleMs: 300 });
    const orders = await Promise.all(Array.from({ length: 12 }, async () => await start('10')));
    for (const { id } of orders) expect((await ended(id)).status).toBe('COMPLETED');
    expect(orders.flatMap(({ orderNo }) => paid(orderNo))).toEqual(Array(12).fill(1));
  });

  describe('after a reset of the workflow', () => {
    /** Ids of the completed tasks of a workflow's run, once there are any. */
    async function tasksOf(orderNo: string, newest: () => Promise<string>) {
      const { workflowId: name } = handle(orderNo);
      return await until(`the end of a task of ${orderNo}`, async () => {
        const runId = await newest();
        const run = temporal.env.client.workflow.getHandle(name, runId);
        const { events } = await run.fetchHistory();
        const ends = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes);
        return ends.length > 0 && { run: { workflowId: name, runId }, ends };
      });
    }

    const newestOf = async (orderNo: string): Promise<string> => (await handle(orderNo).describe()).runId;
    /** The run that paid: a late message may have begun another, which found nothing to do. */
    const longestOf = async (orderNo: string): Promise<string> => {
      const query = `WorkflowId = '${handle(orderNo).workflowId}' and ExecutionStatus = 'Completed'`;
      const runs: { runId: string; events: number }[] = [];
      for await (const { runId, historyLength } of temporal.env.client.workflow.list({ query }))
        runs.push({ runId, events: historyLength });
      return runs.sort((a, b) => b.events - a.events)[0]?.runId ?? (await newestOf(orderNo));
    };

    /** Resets a run to each of its completed tasks in turn, the newest unless given. @returns how often */
    async function resetToEachTask(orderNo: string, runOf = newestOf): Promise<number> {
      const { run, ends } = await tasksOf(orderNo, async () => await runOf(orderNo));
      for (const { eventId } of ends)
        await temporal.env.client.workflowService.resetWorkflowExecution({
          namespace: 'default',
          workflowExecution: run,
          requestId: uuidv7(),
          workflowTaskFinishEventId: eventId ?? null,
          reason: 'a person tries it',
        });
      return ends.length;
    }

    it('sends nothing again while the payout is pending', async () => {
      does({ settleMs: 4_000 });
      const { id, orderNo } = await start();
      await untilItStands(id, ({ channelOrderNo }) => channelOrderNo !== null);
      // Again, from the runs that the first resets created.
      for (let times = 0; times < 2; times++) await resetToEachTask(orderNo);
      expect((await ended(id)).status).toBe('COMPLETED');
      await expect(handle(orderNo).result()).resolves.toBe('COMPLETED');
      expect(paid(orderNo)).toEqual([1]);
      expect(paymentOf(orderNo).asked).toBe(1);
    });

    it('sends nothing again after the end of the payout', async () => {
      does({ refuseRate: 1 });
      const { id, orderNo } = await start();
      expect((await ended(id)).status).toBe('COMPLETED');
      await expect(handle(orderNo).result()).resolves.toBe('COMPLETED');
      const story = await eventsOf(tenant, id);
      expect(await resetToEachTask(orderNo, longestOf)).toBeGreaterThan(1);
      await expect(handle(orderNo).result()).resolves.toBe('COMPLETED');
      expect(paid(orderNo).sort()).toEqual([0, 1]);
      expect(paymentOf(orderNo).asked).toBe(1);
      expect(paymentAt(second, orderNo, 2)?.asked).toBe(1);
      expect(await eventsOf(tenant, id)).toEqual(story);
    });
  });
});
