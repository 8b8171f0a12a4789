import { uuidv7 } from 'uuidv7';
import { workflowId } from '../../domain/ids';
import { CALLBACKS_TASK_QUEUE, ORDERS_TASK_QUEUE, PAYOUTS_TASK_QUEUE } from '../../workflows/shared';
import { createTestChannel } from '../support/channel-tenant';
import { answering, Receiver } from '../support/receiver';
import { opOf, sqlOf, statementOf } from '../support/runbook';
import type { Tenant } from '../support/tenant';
import { eventually } from '../support/until';
import { Engineer, PAYOUTS_AND_MISFITS, until } from './engineer';
import { ensureOwnerInvited } from '../../steps/operators/invitation';

jest.setTimeout(120_000);

/** On a real server: each kind of workflow is made stuck, then found and repaired by the runbook. */
describe('a stuck order, session, callback or mail', () => {
  let engineer: Engineer;
  let tenant: Tenant;

  beforeAll(async () => {
    engineer = await Engineer.open();
    ({ tenant } = engineer);
  });
  afterAll(async () => {
    await engineer.close();
  });

  it('waits without a worker and continues with one', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await engineer.relayOnce();
    await until(async () => await engineer.isListed(engineer.queryFor('a deposit'), id));
    const queues = [ORDERS_TASK_QUEUE, CALLBACKS_TASK_QUEUE, PAYOUTS_TASK_QUEUE];
    for (const queue of queues)
      expect({ queue, pollers: await engineer.pollersOf(queue) }).toEqual({ queue, pollers: [] });
    await engineer.startWorkers();
    for (const queue of queues)
      await until(async () => ((await engineer.pollersOf(queue)).length > 0 ? true : undefined));
    await engineer.expectFound('a deposit', id);
  });

  it('is found: a deposit; it continues when woken after a termination', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await engineer.expectFound('a deposit', id);
    await engineer.client().getHandle(id).terminate('a test');
    await engineer.query(statementOf('An order that nothing moves', 'wake_deposit', orderNo));
    await engineer.expectFound('a deposit', id);
  });

  it('is found by the merchant’s own number', async () => {
    const merchantOrderNo = uuidv7();
    const { orderNo } = await tenant.deposit(await tenant.merchant(), { merchantOrderNo });
    const query = `MerchantOrderNo = "${merchantOrderNo}"`;
    const id = workflowId('deposit', orderNo);
    expect(await until(async () => await engineer.isListed(query, id))).toBe(true);
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
    await engineer.expectFound('a deposit at a channel', workflowId('deposit', orderNo));
  });

  it('waits while its outbox row is parked and continues after the release', async () => {
    const { orderNo } = await tenant.deposit(await tenant.merchant());
    const id = workflowId('deposit', orderNo);
    await engineer.expectFound('a deposit', id);
    await engineer.client().getHandle(id).terminate('a test');
    // Nine refusals are past; the tenth follows at once: the search attribute is too long.
    await tenant.database.transaction(async (tx) => {
      await tx.unsafe(statementOf('An order that nothing moves', 'wake_deposit', orderNo));
      await tx`
        update outbox set refusals = 9,
          arguments = jsonb_set(arguments, '{currencyCode}', to_jsonb(repeat('X', 3000)))
        where key = ${id}`;
    });
    await until(async () => ((await engineer.wrong('outbox parked')) === 1 ? true : undefined));
    const [row] = await tenant.list<{ id: string; orderNo: string; lastError: string }>(
      'ParkedOutboxRows',
      opOf('Outbox rows parked', 'ParkedOutboxRows', []),
    );
    expect(row).toMatchObject({ orderNo, lastError: expect.stringMatching(/\w/) as unknown });
    await tenant.database.sql`
      update outbox set arguments = jsonb_set(arguments, '{currencyCode}', '"THB"') where key = ${id}`;
    await tenant.operate('ReleaseOutboxRow', opOf('Outbox rows parked', 'ReleaseOutboxRow', [row?.id ?? '']));
    await engineer.expectFound('a deposit', id);
    expect(await engineer.wrong('outbox parked')).toBe(0);
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
    await engineer.expectFound('a callback', callback);
    await engineer.query(statementOf('An order that nothing moves', 'wake_callback', orderNo));
    await engineer.expectFound('a callback', callback);
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
      (await engineer.query<{ id: string; orderNo: string; responseStatus: number }>(sqlOf('A callback failed'))).find(
        (row) => row.orderNo === orderNo,
      ),
    );
    expect(failed.responseStatus).toBe(404);
    await expect(engineer.client().getHandle(callback).result()).resolves.toBe('FAILED');
    status = 200;
    await tenant.operate('ResendCallback', opOf('A callback failed', 'ResendCallback', [failed.id]));
    await until(() => Promise.resolve(receiver.received.length === 2 ? true : undefined));
    await until(async () =>
      (await engineer.client().getHandle(callback).describe()).status.name === 'COMPLETED' ? true : undefined,
    );
    await expect(engineer.client().getHandle(callback).result()).resolves.toBe('SUCCESS');
    await receiver.close();
  });

  it('is found: a cashier session; it is woken and revoked', async () => {
    const { sessionId } = await tenant.cashier(await tenant.cashierMerchant());
    const id = workflowId('cashier', sessionId);
    const title = 'A session or a mail waits';
    await engineer.expectFound('a cashier session', id);
    await engineer.client().getHandle(id).terminate('a test');
    await engineer.query(statementOf(title, 'wake_cashier', sessionId));
    await engineer.expectFound('a cashier session', id);
    await tenant.operate('RevokeCashierSession', opOf(title, 'RevokeCashierSession', [sessionId, 'test']));
    await expect(engineer.client().getHandle(id).result()).resolves.toBe('EXPIRED');
  });

  it('is found: a refused mail; it is sent once the server is fixed', async () => {
    await ensureOwnerInvited(tenant.database, 'owner@example.com', new Date());
    const [mail] = await tenant.database.sql<{ id: string }[]>`select id from mails`;
    const id = workflowId('mail', mail?.id ?? '');
    await engineer.expectFound('a mail', id);
    engineer.mailServer.isAway = false;
    await expect(engineer.client().getHandle(id).result()).resolves.toBe('SENT');
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
    await engineer.query(`select raise_alert('CALLBACK_FAILED', 'stuck', null, '{"orderNo": "D1"}'::jsonb, now())`);
    const [event] = await engineer.query<{ id: string }>('select id from platform_events');
    const id = workflowId('platform_event', event?.id ?? '');
    await engineer.expectFound('an event of the platform', id);
    const [delivery] = await until(async () => {
      const rows = await engineer.query<{ id: string }>(
        `select id from event_deliveries where status = 'WAITING_RETRY' and attempt_count = 1`,
      );
      return rows.length > 0 ? rows : undefined;
    });
    await engineer.client().getHandle(id).terminate('a test');
    status = 200;
    await tenant.operate(
      'ResendEventDelivery',
      opOf('An event of the platform is not delivered', 'ResendEventDelivery', [delivery?.id ?? '', 'test']),
    );
    await eventually(() => {
      expect(receiver.received).toHaveLength(2);
    });
    await engineer.client().getHandle(id).result();
    await receiver.close();
  });

  it('of every kind is in the runbook', () => {
    const others = engineer.kinds.filter((kind) => !PAYOUTS_AND_MISFITS.includes(kind));
    expect(others.filter((kind) => !engineer.tried.includes(kind))).toEqual([]);
  });
});
