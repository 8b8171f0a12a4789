import { ScheduleOverlapPolicy } from '@temporalio/client';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import { workflowId } from '../../domain/ids';
import { verifyLedger } from '../../db/ledger/ledger';
import type { OverdueCounts } from '../../temporal/activities/sweeps';
import { createSchedules, type ScheduleId, SCHEDULES, updateSchedules } from '../../temporal/schedules';
import { CHANNEL_KEY, paymentAt, simulatedChannel } from '../support/channel-tenant';
import { answering, type Behaviour, Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { eventually, until } from '../support/until';
import { approvedWithdrawal, fundedMerchant, withdrawalNow } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

const callbackOf = ({ orderNo }: TestDeposit): string => workflowId('callback', `${orderNo}:deposit_completed`);
const depositOf = ({ orderNo }: TestDeposit): string => workflowId('deposit', orderNo);

/** On a real server: the schedules, and each kind of order that lost its workflow and its outbox row. */
describe('the sweeps', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let accountId: string;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([devServer(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    accountId = await tenant.account();
    await createSchedules(temporal.env.client.schedule, true);
    // The tests trigger them, not the clock.
    await scheduleOf('reconcile').pause();
    await scheduleOf('payout-sweep').pause();
    await scheduleOf('callback-sweep').pause();
  });
  afterAll(async () => {
    await workers.stop();
    await Promise.all(
      receivers.map(async (receiver) => {
        await receiver.close();
      }),
    );
    await tenant.close();
    await temporal.stop();
  });

  const scheduleOf = (id: ScheduleId) => temporal.env.client.schedule.getHandle(id);
  const workflowOf = (id: string) => temporal.env.client.workflow.getHandle(id);

  /** Triggers the schedule. @returns what its workflow found */
  async function run<Found>(id: ScheduleId): Promise<Found> {
    const lastRun = async (): Promise<{ workflowId: string; firstExecutionRunId: string } | undefined> =>
      (await scheduleOf(id).describe()).info.recentActions.at(-1)?.action.workflow;
    const before = await lastRun();
    // Runs are named after their second: two in one second would be the same run.
    const second = Math.floor(Date.now() / 1000);
    await until('the next second', () => Math.floor(Date.now() / 1000) > second);
    await scheduleOf(id).trigger(ScheduleOverlapPolicy.ALLOW_ALL);
    const started = await until(`a run of ${id}`, async () => {
      const last = await lastRun();
      return last?.firstExecutionRunId === before?.firstExecutionRunId ? undefined : last;
    });
    expect(started.workflowId).toContain(id);
    return (await workflowOf(started.workflowId).result()) as Found;
  }

  /** Terminates and deletes the workflow, and deletes its outbox row. */
  async function lose(id: string): Promise<void> {
    const { connection } = temporal.env.client;
    const workflowExecution = { workflowId: id };
    await workflowOf(id).terminate('lost');
    await connection.workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution,
    });
    await until(`${id} gone`, async () => {
      const described = await workflowOf(id)
        .describe()
        .catch(() => undefined);
      return described === undefined ? true : undefined;
    });
    await loseOutboxRow(id);
  }
  async function loseOutboxRow(key: string): Promise<void> {
    await tenant.database.sql`delete from outbox where key = ${key}`;
  }

  async function listen(behaviour: Behaviour): Promise<Receiver> {
    const receiver = await Receiver.listen(behaviour);
    receivers.push(receiver);
    return receiver;
  }

  /** A deposit with a running workflow. */
  async function created(merchant: TestMerchant, receiver: Receiver): Promise<TestDeposit> {
    const deposit = await tenant.deposit(merchant, { callbackUrl: receiver.url });
    await workers.relay.once();
    await until('the workflow waiting', async () => {
      const { raw } = await workflowOf(depositOf(deposit)).describe();
      return raw.pendingWorkflowTask ? undefined : true;
    });
    return deposit;
  }
  async function paid(deposit: TestDeposit): Promise<TestDeposit> {
    await tenant.notify({ accountId, memo: deposit.expectedRemark });
    return deposit;
  }
  /** Waits for its callback and that callback's outbox row. */
  async function completed(merchant: TestMerchant, receiver: Receiver): Promise<TestDeposit> {
    const deposit = await paid(await created(merchant, receiver));
    await workers.relay.once();
    await workflowOf(depositOf(deposit)).result();
    return deposit;
  }

  interface State {
    status: string;
    callbackStatus: string | null;
    attemptCount: number | null;
  }
  async function state({ orderNo }: TestDeposit): Promise<State> {
    const [row] = await tenant.database.sql<State[]>`
      select d.status, n.status as callback_status, n.attempt_count
      from deposit_orders d left join notification_logs n using (order_no) where order_no = ${orderNo}`;
    if (!row) throw new Error('no deposit');
    return row;
  }
  async function ended(deposit: TestDeposit, expected: Partial<State>): Promise<void> {
    await until(`${deposit.orderNo} is ${JSON.stringify(expected)}`, async () => {
      const now = await state(deposit);
      const same = Object.entries(expected).every(([name, value]) => now[name as keyof State] === value);
      return same ? true : undefined;
    });
  }

  const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

  async function pastExpiry(merchant: TestMerchant): Promise<TestDeposit> {
    const deposit = await created(merchant, await listen(answering(200)));
    await lose(depositOf(deposit));
    await tenant.database.sql`
      update deposit_orders set expire_at = ${ago(61)} where order_no = ${deposit.orderNo}`;
    return deposit;
  }

  /** @param workflowToo whether the workflow was lost as well, or only its signal */
  async function matched(merchant: TestMerchant, receiver: Receiver, workflowToo: boolean): Promise<TestDeposit> {
    const deposit = await paid(await created(merchant, receiver));
    if (workflowToo) await lose(depositOf(deposit));
    else await loseOutboxRow(depositOf(deposit));
    await tenant.database.sql`
      update deposit_orders set matched_at = ${ago(61)} where order_no = ${deposit.orderNo}`;
    return deposit;
  }

  async function waitingForRetry(merchant: TestMerchant, receiver: Receiver): Promise<TestDeposit> {
    const deposit = await completed(merchant, receiver);
    await workers.relay.once();
    await ended(deposit, { callbackStatus: 'WAITING_RETRY', attemptCount: 1 });
    await lose(callbackOf(deposit));
    await tenant.database.sql`
      update notification_logs set next_attempt_at = ${ago(61)} where order_no = ${deposit.orderNo}`;
    return deposit;
  }

  /** The rows of a worker that died during an attempt. */
  async function sending(merchant: TestMerchant, receiver: Receiver, attempt: number): Promise<TestDeposit> {
    const deposit = await completed(merchant, receiver);
    await loseOutboxRow(callbackOf(deposit));
    await tenant.database.sql`
      update notification_logs set status = 'SENDING', next_attempt_at = null, updated_at = ${ago(301)},
        lease_until = ${ago(281)}, attempt_count = ${attempt}, total_attempts = ${attempt}
      where order_no = ${deposit.orderNo}`;
    return deposit;
  }

  it('complete every order whose workflow and outbox row were lost', async () => {
    const merchant = await tenant.merchant();
    const healthy = await listen(answering(200));
    const once500 = await listen((response, n) => {
      answering(n === 0 ? 500 : 200)(response, n);
    });
    const dead = await listen(answering(200));
    const fifth = await listen(answering(200));

    const orders = {
      pending: await pastExpiry(merchant),
      matched: await matched(merchant, healthy, true),
      notNotified: await matched(merchant, healthy, false),
      waiting: await waitingForRetry(merchant, once500),
      sending: await sending(merchant, dead, 2),
      fifth: await sending(merchant, fifth, 5),
    };
    // Nothing moves them: no workflow but the one that was not signalled, and no outbox row.
    expect(await tenant.database.sql`select * from outbox`).toHaveLength(0);

    expect(await run('callback-sweep')).toBe(2);
    expect(await run<OverdueCounts>('reconcile')).toEqual({
      pending_past_expiry: 1,
      cashier_past_expiry: 0,
      matched_too_long: 2,
      withdrawal_not_moved: 0,
      callback_not_retried: 1,
      event_not_delivered: 0,
      outbox_parked: 0,
    });
    // A woken row is not woken again, although it is still overdue.
    const nothing = {
      pending_past_expiry: 0,
      cashier_past_expiry: 0,
      matched_too_long: 0,
      withdrawal_not_moved: 0,
      callback_not_retried: 0,
      event_not_delivered: 0,
      outbox_parked: 0,
    };
    expect(await run('callback-sweep')).toBe(0);
    expect(await run('reconcile')).toEqual(nothing);
    expect(await tenant.database.sql`select * from outbox`).toHaveLength(6);

    workers.relay.start();
    await Promise.all([
      ended(orders.pending, { status: 'EXPIRED', callbackStatus: null }),
      ended(orders.matched, { status: 'COMPLETED', callbackStatus: 'SUCCESS', attemptCount: 1 }),
      ended(orders.notNotified, {
        status: 'COMPLETED',
        callbackStatus: 'SUCCESS',
        attemptCount: 1,
      }),
      ended(orders.waiting, { status: 'COMPLETED', callbackStatus: 'SUCCESS', attemptCount: 2 }),
      ended(orders.sending, { status: 'COMPLETED', callbackStatus: 'SUCCESS', attemptCount: 3 }),
      ended(orders.fifth, { status: 'COMPLETED', callbackStatus: 'FAILED', attemptCount: 5 }),
    ]);
    expect(healthy.received).toHaveLength(2);
    expect(once500.received).toHaveLength(2);
    expect(dead.received).toHaveLength(1);
    expect(fifth.received).toHaveLength(0);

    // Five were paid 100 each, less 1.5 percent; each credited once.
    const { balances } = await tenant.operate<{ balances: { available: string }[] }>('Merchant', {
      id: merchant.id,
    });
    expect(balances.map(({ available }) => available)).toEqual(['492.5000']);
    expect(await verifyLedger(tenant.database)).toEqual([]);
    expect(await run('callback-sweep')).toBe(0);
    expect(await run('reconcile')).toEqual(nothing);
  });

  it('let a person complete an expired order that its merchant reopens, with its callback', async () => {
    const merchant = await tenant.merchant({ latePayment: 'REOPEN' });
    const receiver = await listen(answering(200));
    await workers.relay.stop();
    const deposit = await created(merchant, receiver);
    const { orderNo } = deposit;
    await tenant.database.sql`
      update deposit_orders set expire_at = ${ago(61)} where order_no = ${orderNo}`;
    await tenant.database.sql`
      select wake_deposit(d, ${new Date()}) from deposit_orders d where order_no = ${orderNo}`;
    await workers.relay.once();
    await workflowOf(depositOf(deposit)).result();
    expect(await state(deposit)).toMatchObject({ status: 'EXPIRED', callbackStatus: null });
    // The platform leaves late money to a person, who completes the order: its workflow begins again.
    const { transfer } = await tenant.notify({ accountId, memo: deposit.expectedRemark });
    expect(await state(deposit)).toMatchObject({ status: 'EXPIRED' });
    await tenant.operate('MatchTransfer', { transferId: transfer.id, orderNo, reason: 'late' });
    await workers.relay.once();
    await ended(deposit, { status: 'COMPLETED' });
    await workers.relay.once();
    await ended(deposit, { callbackStatus: 'SUCCESS', attemptCount: 1 });
    expect(receiver.received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { event: 'deposit.completed', order_no: orderNo },
    ]);
  });

  it('ask what became of a payout whose workflow and outbox row were lost, and send it once', async () => {
    const upstream = new Simulator(CHANNEL_KEY);
    upstream.configure({ faults: { ...NO_FAULTS, silentRate: 1, settleMs: 2_000 } });
    await simulatedChannel(tenant, await upstream.listen(), { timeoutSeconds: 10 });
    const merchant = await fundedMerchant(tenant);
    await workers.relay.stop();
    const { id, orderNo } = await approvedWithdrawal(tenant, merchant);
    await workers.relay.once();
    const attempt = async () => {
      const [row] = await tenant.database.sql<{ status: string; answered: boolean }[]>`
        select status, answered_at is not null as answered from payout_attempts where withdrawal_id = ${id}`;
      return row;
    };
    await until('the channel has it', async () => (await attempt())?.answered === true);
    await until('it is paid there', () => (paymentAt(upstream, orderNo)?.paid ?? 0) > 0);
    await lose(workflowId('withdrawal', orderNo));
    expect(await attempt()).toEqual({ status: 'SENT', answered: true });
    expect(await run('payout-sweep')).toBe(0);
    await tenant.database.sql`
      update payout_attempts set updated_at = ${ago(46)} where withdrawal_id = ${id}`;
    expect(await run('payout-sweep')).toBe(1);
    await workers.relay.once();
    await until('its end', async () => (await withdrawalNow(tenant, id)).status === 'COMPLETED');
    expect(paymentAt(upstream, orderNo)).toMatchObject({ paid: 1, asked: 1 });
    await upstream.close();
  });

  it('leave a parked row to a person; its release completes the order', async () => {
    const merchant = await tenant.merchant();
    const receiver = await listen(answering(200));
    await workers.relay.stop();
    const deposit = await matched(merchant, receiver, true);
    const now = new Date();
    await tenant.database.sql`
      select wake_deposit(d, ${now}) from deposit_orders d where order_no = ${deposit.orderNo}`;
    await tenant.database.sql`update outbox set parked_at = ${now}, refusals = 10`;
    expect(await run('reconcile')).toMatchObject({ matched_too_long: 0, outbox_parked: 1 });

    const [row] = await tenant.list<{ id: string }>('ParkedOutboxRows');
    await tenant.operate('ReleaseOutboxRow', { id: row?.id, reason: 'the cause is fixed' });
    await workers.relay.once();
    await ended(deposit, { status: 'COMPLETED' });
  });

  it('raise an alert for a debit unexplained for an hour, and for a credit that waits for a day', async () => {
    const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
      input: {
        accountId,
        amount: '5',
        currencyCode: 'THB',
        memo: 'a charge',
        bankTime: new Date().toISOString(),
      },
    });
    const alerts = async (): Promise<number> =>
      (await tenant.database.sql`select 1 from alerts where about ->> 'debitId' = ${debit.id}`).length;
    await run('reconcile');
    expect(await alerts()).toBe(0);
    await tenant.database.sql`update bank_debits set received_at = ${ago(3_601)}`;
    const { transfer } = await tenant.notify({ accountId, memo: 'of nobody' });
    await tenant.database.sql`
      update bank_transfers set received_at = ${ago(86_401)} where id = ${transfer.id}`;
    await run('reconcile');
    await run('reconcile');
    expect(await alerts()).toBe(1);
    const [overdue] = await tenant.database.sql<{ alerts: number }[]>`
      select count(*)::int as alerts from alerts
      where kind = 'CREDIT_OVERDUE' and about ->> 'transferId' = ${transfer.id}`;
    expect(overdue).toEqual({ alerts: 1 });
  });

  it('are scheduled once, each minute or each 15 s, by any number of workers', async () => {
    const { schedule } = temporal.env.client;
    const older = { intervals: [{ every: '1h' }] };
    await scheduleOf('reconcile').update((made) => ({ ...made, spec: older }));
    await Promise.all([createSchedules(schedule, true), createSchedules(schedule, true)]);
    await Promise.all([updateSchedules(schedule, true), updateSchedules(schedule, true)]);
    await eventually(async () => {
      const ids = [];
      for await (const { scheduleId } of schedule.list()) ids.push(scheduleId);
      expect(ids.sort()).toEqual(Object.keys(SCHEDULES).sort());
    });
    for (const [id, every] of [
      ['callback-sweep', 60_000],
      ['reconcile', 60_000],
      ['payout-sweep', 15_000],
    ] as const) {
      const { spec, policies, state, info } = await scheduleOf(id).describe();
      expect(spec.intervals).toMatchObject([{ every }]);
      expect(policies).toMatchObject({
        overlap: ScheduleOverlapPolicy.SKIP,
        catchupWindow: 60_000,
      });
      // A pause by a person survives a worker's start.
      expect(state.paused).toBe(true);
      expect((info.nextActionTimes[0]?.getTime() ?? 0) - Date.now()).toBeLessThan(every + 1_000);
    }
  });

  const gone = async (id: ScheduleId): Promise<void> => {
    await until(
      'the schedule gone',
      async () =>
        await scheduleOf(id)
          .describe()
          .then(
            () => undefined,
            () => true,
          ),
    );
  };

  it('schedule no purge if none is set, and delete an existing one', async () => {
    const { schedule } = temporal.env.client;
    await updateSchedules(schedule, false);
    await gone('sandbox-purge');
    await Promise.all([createSchedules(schedule, false), updateSchedules(schedule, false)]);
    await expect(scheduleOf('sandbox-purge').describe()).rejects.toMatchObject({
      name: 'ScheduleNotFoundError',
    });
  });

  it('are created again on a server that lost them', async () => {
    await scheduleOf('reconcile').delete();
    await gone('reconcile');
    await createSchedules(temporal.env.client.schedule, true);
    const { state } = await scheduleOf('reconcile').describe();
    expect(state.paused).toBe(false);
  });
});
