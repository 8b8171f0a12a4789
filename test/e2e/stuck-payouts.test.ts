import path from 'node:path';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { uuidv7 } from 'uuidv7';
import { workflowId } from '../../domain/ids';
import { freePort } from '../../local/ports';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import { changed, ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { CHANNEL_KEY, paymentAt, simulatedChannel } from '../support/channel-tenant';
import { opOf, statementOf, temporalOf } from '../support/runbook';
import type { Tenant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { Engineer, PAYOUTS_AND_MISFITS, until } from './engineer';

jest.setTimeout(120_000);

/** On a real server: the kinds that stuck-orders.test.ts leaves. */
describe('a stuck payout', () => {
  let engineer: Engineer;
  let tenant: Tenant;

  beforeAll(async () => {
    engineer = await Engineer.open();
    ({ tenant } = engineer);
    await engineer.startWorkers();
  });
  afterAll(async () => {
    await engineer.close();
  });

  const wakeWithdrawal = (orderNo: string): string =>
    statementOf('A withdrawal that nobody decides on', 'wake_withdrawal', orderNo);

  it('is found: an undecided withdrawal; a wake changes nothing, a decision does', async () => {
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant);
    const id = workflowId('withdrawal', orderNo);
    await engineer.expectFound('a withdrawal without a decision', id);
    await engineer.query(wakeWithdrawal(orderNo));
    await engineer.client().getHandle(id).signal(changed);
    await engineer.expectFound('a withdrawal without a decision', id);
    await tenant.operate('RejectWithdrawal', { orderNo, remarks: 'nobody knows them' });
    await expect(engineer.client().getHandle(id).result()).resolves.toBe('REJECTED');
  });

  it('is found: a payout pending at its channel', async () => {
    engineer.upstream.configure({ faults: { ...NO_FAULTS, settleMs: 600_000 } });
    const { orderNo } = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    await engineer.expectFound('a payout that its channel has', workflowId('withdrawal', orderNo));
  });

  it('is found: a payout with an unknown outcome; two people resolve it', async () => {
    engineer.upstream.configure({ faults: { ...NO_FAULTS, errorRate: 1, delayMs: 1_100 } });
    const { orderNo } = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    const id = workflowId('withdrawal', orderNo);
    await engineer.expectFound('a payout of which nobody knows', id);
    await tenant.operate('ResolvePayout', {
      orderNo,
      outcome: 'NOT_PAID',
      reason: 'test',
      evidence: { text: 'their letter' },
    });
    await expect(engineer.client().getHandle(id).result()).resolves.toBe('FAILED');
  });

  it('is found: a manual payout; it is cancelled', async () => {
    const bankCode = 'GOODBANK';
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await approvedWithdrawal(tenant, merchant, { bankCode });
    const id = workflowId('withdrawal', orderNo);
    await engineer.expectFound('a payout that a person has to make', id);
    await tenant.operate('CancelTransfer', { orderNo, reason: 'test' });
    await expect(engineer.client().getHandle(id).result()).resolves.toBe('CANCELLED');
  });

  it('waits while its channel is down and continues when it is back', async () => {
    const bankCode = 'FARBANK';
    const far = new Simulator(CHANNEL_KEY);
    const port = await freePort();
    far.configure({ faults: { ...NO_FAULTS, settleMs: 600_000 } });
    const { id: channelId } = await simulatedChannel(tenant, await far.listen(port), {
      answerWithinSeconds: 3_600,
      banks: [{ currencyCode: 'THB', bankCode, channelBankCode: '9' }],
    });
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await approvedWithdrawal(tenant, merchant, { bankCode });
    const id = workflowId('withdrawal', orderNo);
    await engineer.expectFound('a payout that its channel has', id);
    await far.close();

    /** Runs the check as the schedule does each minute. */
    const watch = async (): Promise<unknown> =>
      await engineer.client().execute('channelWatch', {
        taskQueue: ORDERS_TASK_QUEUE,
        workflowId: `channel-watch-${uuidv7()}`,
      });
    await watch();
    expect(await engineer.wrong('channels down')).toBe(1);
    const down = await tenant.list<{ id: string; healthReason: string }>(
      'Channels',
      opOf('A payout is stuck', 'Channels', []),
    );
    expect(down).toEqual([
      expect.objectContaining({
        id: channelId,
        healthReason: expect.stringMatching(/\w/) as unknown,
      }),
    ]);
    await engineer.query(wakeWithdrawal(orderNo));
    await until(async () => {
      const { raw } = await engineer.client().getHandle(id).describe();
      return raw.pendingActivities?.some(({ lastFailure }) => lastFailure?.message?.startsWith('no answer'))
        ? true
        : undefined;
    });
    await engineer.expectFound('a payout that its channel has', id);
    // New payouts meanwhile become manual.
    const other = await approvedWithdrawal(tenant, merchant, { bankCode });
    await engineer.expectFound('a payout that a person has to make', workflowId('withdrawal', other.orderNo));

    await far.listen(port);
    await watch();
    expect(await engineer.wrong('channels down')).toBe(0);
    const payment = paymentAt(far, orderNo);
    if (!payment) throw new Error('the channel knows nothing of it');
    far.payments.pay(payment);
    await engineer.query(wakeWithdrawal(orderNo));
    await expect(engineer.client().getHandle(id).result()).resolves.toBe('COMPLETED');
    expect(payment).toMatchObject({ asked: 1, paid: 1 });
    await far.close();
  });

  it('is found: one that does not fit its code; it continues under fitting code, or after a reset', async () => {
    const [before, since] = [
      await tenant.deposit(await tenant.merchant()),
      await tenant.deposit(await tenant.merchant()),
    ].map(({ orderNo }) => ({ orderNo, id: workflowId('deposit', orderNo) }));
    if (!before || !since) throw new Error('there are no orders');
    await engineer.query(statementOf('An order that nothing moves', 'wake_deposit', before.orderNo));
    await until(async () => ((await engineer.historyLengthOf(before.id)) > 5 ? true : undefined));
    for (const { id } of [before, since]) await engineer.expectFound('a deposit', id);
    await engineer.stopWorkers();

    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, '..', 'replay', 'changed-workflows.ts'),
    });
    const changedWorker = await Worker.create({
      connection: engineer.temporal.env.nativeConnection,
      namespace: 'default',
      taskQueue: ORDERS_TASK_QUEUE,
      workflowBundle: { code },
    });
    await changedWorker.runUntil(async () => {
      await engineer.client().getHandle(before.id).signal(changed);
      await engineer.expectFound('whatever does not fit its own code', before.id);
      const { raw } = await engineer.client().getHandle(before.id).describe();
      expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1);
      // The other's history was written by that code from the start.
      await engineer.client().getHandle(since.id).terminate('a test');
      await engineer.query(statementOf('An order that nothing moves', 'wake_deposit', since.orderNo));
      await engineer.relayOnce();
      await until(async () => {
        const { events } = await engineer.client().getHandle(since.id).fetchHistory();
        return events?.some((event) => event.timerStartedEventAttributes) ? true : undefined;
      });
    });

    await engineer.startWorkers();
    await tenant.operate('CancelDeposit', { orderNo: before.orderNo, reason: 'test' });
    await expect(engineer.client().getHandle(before.id).result()).resolves.toBe('CANCELLED');

    await engineer.client().getHandle(since.id).signal(changed);
    await engineer.expectFound('whatever does not fit its own code', since.id);
    await engineer.temporalSays(temporalOf('A workflow does not fit its code', 'workflow reset', [since.id, 'test']));
    await engineer.expectFound('a deposit', since.id);
    await tenant.operate('CancelDeposit', { orderNo: since.orderNo, reason: 'test' });
    await expect(engineer.client().getHandle(since.id).result()).resolves.toBe('CANCELLED');
  });

  it('of every kind is in the runbook', () => {
    expect(PAYOUTS_AND_MISFITS.filter((kind) => !engineer.tried.includes(kind))).toEqual([]);
    expect(PAYOUTS_AND_MISFITS.filter((kind) => !engineer.kinds.includes(kind))).toEqual([]);
  });
});
