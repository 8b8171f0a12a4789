import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import pino from 'pino';
import type { Browser, Page } from 'playwright-core';
import { uuidv7 } from 'uuidv7';
import { workflowId } from '../../domain/ids';
import { ensureOwnerInvited } from '../../graph/operators/invitation';
import { freePort } from '../../local/ports';
import { locate, temporalCli } from '../../local/servers';
import { NO_FAULTS } from '../../simulator/faults';
import { Simulator } from '../../simulator/server';
import type { Mailer } from '../../temporal/mail/mailer';
import { Relay } from '../../temporal/relay';
import {
  CALLBACKS_TASK_QUEUE,
  changed,
  ORDERS_TASK_QUEUE,
  PAYOUTS_TASK_QUEUE,
} from '../../workflows/shared';
import { launchBrowser } from '../support/browser';
import { eventually } from '../support/until';
import {
  CHANNEL_KEY,
  createTestChannel,
  paymentAt,
  simulatedChannel,
} from '../support/channel-tenant';
import { answering, Receiver } from '../support/receiver';
import { opOf, sqlOf, statementOf, stuckWorkflows, temporalOf } from '../support/runbook';
import { devServer, SHORT_WORKFLOW_TASKS, type TestTemporal } from '../support/temporal';
import { findInTemporalUi } from '../support/temporal-ui';
import { Tenant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

const run = promisify(execFile);
jest.setTimeout(120_000);

/** How long an engineer may take to find an order in the UI. */
const FOUND_WITHIN_MS = 60_000;

/** Accepts mails only while its server runs. */
const mailServer = { isAway: true };
const mailer: Mailer = {
  send: async () => {
    await Promise.resolve();
    if (mailServer.isAway) throw new Error('the mail server is away');
  },
  close: () => undefined,
};

/** On a real server: each kind of workflow is made stuck, then found and repaired by the runbook. */
describe('a stuck workflow', () => {
  const advice = stuckWorkflows();
  const tried = new Set<string>();
  let temporal: TestTemporal;
  let tenant: Tenant;
  let browser: Browser;
  let engineer: Page;
  let workers: TestWorkers;
  let workersRun = false;
  const upstream = new Simulator(CHANNEL_KEY);

  const startAll = async (): Promise<void> => {
    workers = await startWorkers(tenant, temporal, undefined, mailer);
    workers.relay.start();
    workersRun = true;
  };
  const stopAll = async (): Promise<void> => {
    if (workersRun) await workers.stop();
    workersRun = false;
  };
  /** Delivers the outbox to Temporal without a worker. */
  const relayOnce = async (): Promise<void> => {
    await new Relay({
      ...{ database: tenant.database, client: temporal.env.client, clock: temporal.clock },
      prepareServer: () => Promise.resolve(),
      log: pino({ level: 'silent' }),
    }).once();
  };

  beforeAll(async () => {
    [temporal, tenant, browser] = await Promise.all([
      devServer(SHORT_WORKFLOW_TASKS, true),
      Tenant.create(),
      launchBrowser(),
    ]);
    engineer = await browser.newPage();
    await tenant.account();
    await tenant.operate('PutBanks', {
      ...{ currencyCode: 'THB', reason: 'test' },
      banks: [{ bankCode: 'GOODBANK', name: 'The Good Bank' }],
    });
    // The only channel that pays to the bank KBANK.
    await simulatedChannel(tenant, await upstream.listen(), { answerWithinSeconds: 1 });
  });
  afterAll(async () => {
    await stopAll();
    await browser.close();
    await upstream.close();
    await tenant.close();
    await temporal.stop();
  });

  async function until<Found>(look: () => Promise<Found | undefined>): Promise<Found> {
    for (let tries = 0; tries < 600; tries++) {
      const found = await look();
      if (found !== undefined) return found;
      await sleep(100);
    }
    throw new Error('it never came to that');
  }

  const client = () => temporal.env.client.workflow;
  const historyLengthOf = async (id: string): Promise<number> =>
    await client()
      .getHandle(id)
      .describe()
      .then(
        ({ historyLength }) => historyLength,
        () => 0,
      );
  /** Its current details, or those of its start while it has had no task. */
  const detailsOf = async (id: string): Promise<string> => {
    const handle = client().getHandle(id);
    const description = await handle.describe();
    if (description.historyLength === 1) return (await description.staticDetails()) ?? '';
    const metadata = await handle.query<{ currentDetails?: string }>(
      '__temporal_workflow_metadata',
    );
    return metadata.currentDetails ?? '';
  };
  const pendingOf = async (id: string): Promise<string[]> => {
    const { raw } = await client().getHandle(id).describe();
    return (raw.pendingActivities ?? []).map(({ activityType }) => activityType?.name ?? '');
  };
  const isListed = async (query: string, id: string): Promise<true | undefined> => {
    for await (const { workflowId: listed } of client().list({ query }))
      if (listed === id) return true;
    return undefined;
  };

  /** Finds it by the runbook's query, the first of each kind in a browser too, and compares its details. */
  async function expectFound(stuck: string, id: string): Promise<void> {
    const row = advice.get(stuck);
    if (!row) throw new Error(`the runbook knows nothing of ${stuck}`);
    if (!tried.has(stuck)) {
      const began = performance.now();
      await (await findInTemporalUi(engineer, temporal.uiUrl ?? '', row.query, id)).click();
      await engineer.getByRole('heading', { name: id }).first().waitFor();
      expect(performance.now() - began).toBeLessThan(FOUND_WITHIN_MS);
    }
    tried.add(stuck);
    await until(async () => await isListed(row.query, id));
    // By WaitsFor also by how long it waits.
    if (row.query.startsWith('WaitsFor')) {
      const since = (at: number): string =>
        `${row.query} and WaitingSince < "${new Date(at).toISOString()}"`;
      await until(async () => await isListed(since(Date.now() + 60_000), id));
      expect(await isListed(since(Date.now() - 600_000), id)).toBeUndefined();
    }
    const { details, activity } = row;
    if (details)
      await until(async () => (details.test(await detailsOf(id)) ? true : undefined)).catch(
        async () => {
          expect(await detailsOf(id)).toMatch(details);
        },
      );
    if (details) expect(await pendingOf(id)).toEqual(activity === null ? [] : [activity]);
  }

  /** Runs one of the runbook's statements. */
  const query = async <Row extends object>(statement: string): Promise<Row[]> =>
    await tenant.database.sql.unsafe<Row[]>(statement);
  /** The count of one line of "What is wrong?". */
  const wrong = async (what: string): Promise<number> => {
    const lines = await query<{ what: string; count: string }>(sqlOf('What is wrong?'));
    return Number(lines.find((line) => line.what === what)?.count);
  };
  const temporalSays = async (args: readonly string[]): Promise<string> =>
    (await run(locate(temporalCli, process.env), [...args, '--address', temporal.address])).stdout;
  /** The pollers of a queue, from the output of the runbook's command. */
  const pollersOf = async (queue: string): Promise<string[]> => {
    const [, pollers = ''] = (
      await temporalSays(
        temporalOf('No worker', 'task-queue describe', []).map((word) =>
          word === ORDERS_TASK_QUEUE ? queue : word,
        ),
      )
    ).split('Pollers:');
    return pollers.match(/\S+ ago/g) ?? [];
  };

  it('waits without a worker and continues with one', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await relayOnce();
    await until(async () => await isListed(advice.get('a deposit')?.query ?? '', id));
    const queues = [ORDERS_TASK_QUEUE, CALLBACKS_TASK_QUEUE, PAYOUTS_TASK_QUEUE];
    for (const queue of queues)
      expect({ queue, pollers: await pollersOf(queue) }).toEqual({ queue, pollers: [] });
    await startAll();
    for (const queue of queues)
      await until(async () => ((await pollersOf(queue)).length > 0 ? true : undefined));
    await expectFound('a deposit', id);
  });

  it('is found: a deposit; it continues when woken after a termination', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await expectFound('a deposit', id);
    await client().getHandle(id).terminate('a test');
    await query(statementOf('An order that nothing moves', 'wake_deposit', orderNo));
    await expectFound('a deposit', id);
  });

  it('is found by the merchant’s own number', async () => {
    const merchantOrderNo = uuidv7();
    const { orderNo } = await tenant.deposit(await tenant.merchant(), { merchantOrderNo });
    const query = `MerchantOrderNo = "${merchantOrderNo}"`;
    const id = workflowId('deposit', orderNo);
    expect(await until(async () => await isListed(query, id))).toBe(true);
  });

  it('is found: a deposit at a channel; its workflow names the channel as what it waits for', async () => {
    const currencyCode = 'PHP';
    await createTestChannel(
      tenant,
      { kind: 'MOCK', mockOutcome: 'PENDING' },
      { currencies: [currencyCode], deposits: { currencies: [currencyCode] } },
    );
    const merchant = await tenant.merchant({}, [{ currencyCode, depositFee: { percent: '1' } }]);
    const { orderNo } = await tenant.deposit(merchant, { currencyCode });
    await expectFound('a deposit at a channel', workflowId('deposit', orderNo));
  });

  it('waits while its outbox row is parked and continues after the release', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await expectFound('a deposit', id);
    await client().getHandle(id).terminate('a test');
    // Nine refusals are past; the tenth follows at once: the search attribute is too long.
    await tenant.database.transaction(async (tx) => {
      await tx.unsafe(statementOf('An order that nothing moves', 'wake_deposit', orderNo));
      await tx`
        update outbox set refusals = 9,
          arguments = jsonb_set(arguments, '{currencyCode}', to_jsonb(repeat('X', 3000)))
        where key = ${id}`;
    });
    await until(async () => ((await wrong('outbox parked')) === 1 ? true : undefined));
    const [row] = await tenant.list<{ id: string; orderNo: string; lastError: string }>(
      'ParkedOutboxRows',
      opOf('Outbox rows parked', 'ParkedOutboxRows', []),
    );
    expect(row).toMatchObject({ orderNo, lastError: expect.stringMatching(/\w/) as unknown });
    await tenant.database.sql`
      update outbox set arguments = jsonb_set(arguments, '{currencyCode}', '"THB"') where key = ${id}`;
    await tenant.operate(
      'ReleaseOutboxRow',
      opOf('Outbox rows parked', 'ReleaseOutboxRow', [row?.id ?? '']),
    );
    await expectFound('a deposit', id);
    expect(await wrong('outbox parked')).toBe(0);
  });

  /** A paid deposit, and its callback's workflow. */
  async function paidDeposit(callbackUrl: string): Promise<{ orderNo: string; callback: string }> {
    const { orderNo, expectedRemark } = await tenant.deposit(await tenant.merchant(), {
      callbackUrl,
    });
    const [account] = await tenant.database.sql<{ id: string }[]>`
      select account_id as id from deposit_orders where order_no = ${orderNo}`;
    await tenant.notify({ accountId: account?.id, memo: expectedRemark });
    return { orderNo, callback: workflowId('callback', `${orderNo}:deposit_completed`) };
  }

  it('is found: a callback, with the merchant’s answer; a wake changes nothing', async () => {
    const receiver = await Receiver.listen(answering(500));
    const { orderNo, callback } = await paidDeposit(receiver.url);
    await eventually(() => {
      expect(receiver.received).toHaveLength(1);
    });
    await expectFound('a callback', callback);
    await query(statementOf('An order that nothing moves', 'wake_callback', orderNo));
    await expectFound('a callback', callback);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  it('delivers a failed callback after a resend', async () => {
    let status = 404;
    const receiver = await Receiver.listen((response, n) => {
      answering(status)(response, n);
    });
    const { orderNo, callback } = await paidDeposit(receiver.url);
    const failed = await until(async () =>
      (
        await query<{ id: string; orderNo: string; responseStatus: number }>(
          sqlOf('A callback failed'),
        )
      ).find((row) => row.orderNo === orderNo),
    );
    expect(failed.responseStatus).toBe(404);
    await expect(client().getHandle(callback).result()).resolves.toBe('FAILED');
    status = 200;
    await tenant.operate(
      'ResendCallback',
      opOf('A callback failed', 'ResendCallback', [failed.id]),
    );
    await until(() => Promise.resolve(receiver.received.length === 2 ? true : undefined));
    await until(async () =>
      (await client().getHandle(callback).describe()).status.name === 'COMPLETED'
        ? true
        : undefined,
    );
    await expect(client().getHandle(callback).result()).resolves.toBe('SUCCESS');
    await receiver.close();
  });

  it('is found: a cashier session; it is woken and revoked', async () => {
    const { sessionId } = await tenant.cashier(await tenant.cashierMerchant());
    const id = workflowId('cashier', sessionId);
    const title = 'A session or a mail waits';
    await expectFound('a cashier session', id);
    await client().getHandle(id).terminate('a test');
    await query(statementOf(title, 'wake_cashier', sessionId));
    await expectFound('a cashier session', id);
    await tenant.operate(
      'RevokeCashierSession',
      opOf(title, 'RevokeCashierSession', [sessionId, 'test']),
    );
    await expect(client().getHandle(id).result()).resolves.toBe('EXPIRED');
  });

  it('is found: a refused mail; it is sent once the server is fixed', async () => {
    await ensureOwnerInvited(tenant.database, 'owner@example.com', new Date());
    const [mail] = await tenant.database.sql<{ id: string }[]>`select id from mails`;
    const id = workflowId('mail', mail?.id ?? '');
    await expectFound('a mail', id);
    mailServer.isAway = false;
    await expect(client().getHandle(id).result()).resolves.toBe('SENT');
  });

  it('is found: an event that its receiver does not accept; a resend continues it after a termination', async () => {
    let status = 500;
    const receiver = await Receiver.listen((response, n) => {
      answering(status)(response, n);
    });
    await tenant.operate('PutEventAddresses', {
      input: { event: 'alert_raised', webhookUrl: receiver.url, allowInsecure: true, mails: [] },
      reason: 'test',
    });
    await query(
      `select raise_alert('CALLBACK_FAILED', 'stuck', null, '{"orderNo": "D1"}'::jsonb, now())`,
    );
    const [event] = await query<{ id: string }>('select id from platform_events');
    const id = workflowId('platform_event', event?.id ?? '');
    await expectFound('an event of the platform', id);
    const [delivery] = await until(async () => {
      const rows = await query<{ id: string }>(
        `select id from event_deliveries where status = 'WAITING_RETRY' and attempt_count = 1`,
      );
      return rows.length > 0 ? rows : undefined;
    });
    await client().getHandle(id).terminate('a test');
    status = 200;
    await tenant.operate(
      'ResendEventDelivery',
      opOf('An event of the platform is not delivered', 'ResendEventDelivery', [
        delivery?.id ?? '',
        'test',
      ]),
    );
    await eventually(() => {
      expect(receiver.received).toHaveLength(2);
    });
    await client().getHandle(id).result();
    await receiver.close();
  });

  const wakeWithdrawal = (orderNo: string): string =>
    statementOf('A withdrawal that nobody decides on', 'wake_withdrawal', orderNo);

  it('is found: an undecided withdrawal; a wake changes nothing, a decision does', async () => {
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await tenant.withdrawal<{ orderNo: string }>(merchant);
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a withdrawal without a decision', id);
    await query(wakeWithdrawal(orderNo));
    await client().getHandle(id).signal(changed);
    await expectFound('a withdrawal without a decision', id);
    await tenant.operate('RejectWithdrawal', { orderNo, remarks: 'nobody knows them' });
    await expect(client().getHandle(id).result()).resolves.toBe('REJECTED');
  });

  it('is found: a payout pending at its channel', async () => {
    upstream.configure({ faults: { ...NO_FAULTS, settleMs: 600_000 } });
    const { orderNo } = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    await expectFound('a payout that its channel has', workflowId('withdrawal', orderNo));
  });

  it('is found: a payout with an unknown outcome; two people resolve it', async () => {
    upstream.configure({ faults: { ...NO_FAULTS, errorRate: 1, delayMs: 1_100 } });
    const { orderNo } = await approvedWithdrawal(tenant, await fundedMerchant(tenant));
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a payout of which nobody knows', id);
    await tenant.operate('ResolvePayout', {
      ...{ orderNo, outcome: 'NOT_PAID', reason: 'test', evidence: { text: 'their letter' } },
    });
    await expect(client().getHandle(id).result()).resolves.toBe('FAILED');
  });

  it('is found: a manual payout; it is cancelled', async () => {
    const bankCode = 'GOODBANK';
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await approvedWithdrawal(tenant, merchant, { bankCode });
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a payout that a person has to make', id);
    await tenant.operate('CancelTransfer', { orderNo, reason: 'test' });
    await expect(client().getHandle(id).result()).resolves.toBe('CANCELLED');
  });

  it('waits while its channel is down and continues when it is back', async () => {
    const bankCode = 'FARBANK';
    const far = new Simulator(CHANNEL_KEY);
    const port = await freePort();
    far.configure({ faults: { ...NO_FAULTS, settleMs: 600_000 } });
    const { id: channelId } = await simulatedChannel(tenant, await far.listen(port), {
      ...{
        answerWithinSeconds: 3_600,
        banks: [{ currencyCode: 'THB', bankCode, channelBankCode: '9' }],
      },
    });
    const merchant = await fundedMerchant(tenant);
    const { orderNo } = await approvedWithdrawal(tenant, merchant, { bankCode });
    const id = workflowId('withdrawal', orderNo);
    await expectFound('a payout that its channel has', id);
    await far.close();

    /** Runs the check as the schedule does each minute. */
    const watch = async (): Promise<unknown> =>
      await client().execute('channelWatch', {
        ...{ taskQueue: ORDERS_TASK_QUEUE, workflowId: `channel-watch-${uuidv7()}` },
      });
    await watch();
    expect(await wrong('channels down')).toBe(1);
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
    await query(wakeWithdrawal(orderNo));
    await until(async () => {
      const { raw } = await client().getHandle(id).describe();
      return raw.pendingActivities?.some(({ lastFailure }) =>
        lastFailure?.message?.startsWith('no answer'),
      )
        ? true
        : undefined;
    });
    await expectFound('a payout that its channel has', id);
    // New payouts meanwhile become manual.
    const other = await approvedWithdrawal(tenant, merchant, { bankCode });
    await expectFound(
      'a payout that a person has to make',
      workflowId('withdrawal', other.orderNo),
    );

    await far.listen(port);
    await watch();
    expect(await wrong('channels down')).toBe(0);
    const payment = paymentAt(far, orderNo);
    if (!payment) throw new Error('the channel knows nothing of it');
    far.payments.pay(payment);
    await query(wakeWithdrawal(orderNo));
    await expect(client().getHandle(id).result()).resolves.toBe('COMPLETED');
    expect(payment).toMatchObject({ asked: 1, paid: 1 });
    await far.close();
  });

  it('is found: one that does not fit its code; it continues under fitting code, or after a reset', async () => {
    const [before, since] = [
      await tenant.deposit(await tenant.merchant()),
      await tenant.deposit(await tenant.merchant()),
    ].map(({ orderNo }) => ({ orderNo, id: workflowId('deposit', orderNo) }));
    if (!before || !since) throw new Error('there are no orders');
    await query(statementOf('An order that nothing moves', 'wake_deposit', before.orderNo));
    await until(async () => ((await historyLengthOf(before.id)) > 5 ? true : undefined));
    for (const { id } of [before, since]) await expectFound('a deposit', id);
    await stopAll();

    const { code } = await bundleWorkflowCode({
      workflowsPath: path.join(__dirname, '..', 'replay', 'changed-workflows.ts'),
    });
    const changedWorker = await Worker.create({
      ...{ connection: temporal.env.nativeConnection, namespace: 'default' },
      ...{ taskQueue: ORDERS_TASK_QUEUE, workflowBundle: { code } },
    });
    await changedWorker.runUntil(async () => {
      await client().getHandle(before.id).signal(changed);
      await expectFound('whatever does not fit its own code', before.id);
      const { raw } = await client().getHandle(before.id).describe();
      expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1);
      // The other's history was written by that code from the start.
      await client().getHandle(since.id).terminate('a test');
      await query(statementOf('An order that nothing moves', 'wake_deposit', since.orderNo));
      await relayOnce();
      await until(async () => {
        const { events } = await client().getHandle(since.id).fetchHistory();
        return events?.some((event) => event.timerStartedEventAttributes) ? true : undefined;
      });
    });

    await startAll();
    await tenant.operate('CancelDeposit', { orderNo: before.orderNo, reason: 'test' });
    await expect(client().getHandle(before.id).result()).resolves.toBe('CANCELLED');

    await client().getHandle(since.id).signal(changed);
    await expectFound('whatever does not fit its own code', since.id);
    await temporalSays(
      temporalOf('A workflow does not fit its code', 'workflow reset', [since.id, 'test']),
    );
    await expectFound('a deposit', since.id);
    await tenant.operate('CancelDeposit', { orderNo: since.orderNo, reason: 'test' });
    await expect(client().getHandle(since.id).result()).resolves.toBe('CANCELLED');
  });

  it('of every kind is in the runbook', () => {
    expect([...advice.keys()].filter((stuck) => !tried.has(stuck))).toEqual([]);
  });
});
