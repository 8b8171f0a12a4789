import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { uuidv7 } from 'uuidv7';
import { OUTBOX_RANK } from '../../domain/outbox';
import { claimOutbox } from '../../db/events/outbox';
import { Relay } from '../../temporal/relay';
import { ExpiryPace } from '../../temporal/expiry-pace';
import { wake } from '../../temporal/wake';
import { clientOfWorker } from '../../temporal/client';
import { freePort } from '../../local/ports';
import { registry } from '../../runtime/metrics';
import { Scrape } from '../support/prometheus';
import { devServer, type TestTemporal } from '../support/temporal';
import { until } from '../support/until';
import { Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

interface OutboxRow {
  id: string;
  rank: number;
  refusals: number;
  parkedAt: Date | null;
  lastError: string | null;
}

describe('the outbox relay', () => {
  const pace = new ExpiryPace();
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  let accountId: string;
  let prepared = 0;

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([devServer(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await workers.stop();
    await tenant.close();
    await temporal.stop();
  });

  const relayTo = (client: Client, clock = () => new Date(), idlePollMs?: number, eager?: Client): Relay =>
    new Relay({
      database: tenant.database,
      client,
      prepareServer: () => {
        prepared++;
        return Promise.resolve();
      },
      clock: () => Promise.resolve(clock()),
      log: pino({ level: 'silent' }),
      ...(idlePollMs !== undefined && { idlePollMs }),
      ...(eager && { eager }),
    });

  const outbox = async (): Promise<OutboxRow[]> =>
    await tenant.database.sql<OutboxRow[]>`select * from outbox order by id`;

  const metric = async (name: string, labels: Record<string, string>): Promise<number | undefined> =>
    new Scrape(await registry.metrics()).value(name, labels);

  const running = async (orderNo: string): Promise<boolean> =>
    await temporal.env.client.workflow
      .getHandle(`deposit:${orderNo}`)
      .describe()
      .then(
        ({ status }) => status.name === 'RUNNING',
        () => false,
      );

  it('loses nothing while Temporal is down, and starts each workflow afterwards', async () => {
    const connection = Connection.lazy({ address: `127.0.0.1:${await freePort()}` });
    const away = relayTo(new Client({ connection }));
    const orders = await Promise.all([1, 2, 3].map(async () => await tenant.deposit(merchant)));
    await away.once();
    await connection.close();
    const waiting = await outbox();
    expect(waiting).toHaveLength(3);
    const failures = { noun: 'deposit', cause: 'unavailable' };
    expect(await metric('causeway_outbox_failures_total', failures)).toBe(3);
    // Unavailability is not a refusal: nothing gets closer to being parked.
    expect(waiting.every(({ refusals, parkedAt }) => refusals === 0 && parkedAt === null)).toBe(true);

    const back = relayTo(temporal.env.client, () => new Date(Date.now() + 60_000));
    await back.once();
    expect(await outbox()).toEqual([]);
    const states = await Promise.all(orders.map(async ({ orderNo }) => await running(orderNo)));
    expect(states).toEqual([true, true, true]);
  });

  it('delivers rows that a hint announces, and finds the others itself', async () => {
    const emptied = async (): Promise<void> => {
      await until('the outbox is empty', async () => (await outbox()).length === 0);
    };
    const hearing = relayTo(temporal.env.client, undefined, 3_600_000);
    hearing.start();
    await until('it listens', async () => {
      const [row] = await tenant.database.sql`
        select from pg_stat_activity
        where datname = current_database() and query like 'listen "causeway_work"%'`;
      return row !== undefined;
    });
    // The graph sends a hint of each cancel. Without one the relay looks only once: when it begins to listen.
    for (let n = 0; n < 3; n++) {
      const { orderNo } = await tenant.deposit(merchant);
      await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
      await emptied();
    }
    await hearing.stop();

    const alone = relayTo(temporal.env.client);
    alone.start();
    for (let n = 0; n < 3; n++) {
      await tenant.database.sql`
        select wake_deposit(d, now()) from (select d from deposit_orders d limit 1) one`;
      await emptied();
    }
    await alone.stop();
    expect(await outbox()).toEqual([]);
  });

  it('hands the first task of a payout to the worker of its process', async () => {
    const { nativeConnection: connection } = temporal.env;
    const eager = clientOfWorker(connection, { namespace: 'default' });
    const { workflow } = temporal.env.client;
    const relay = relayTo(temporal.env.client, undefined, undefined, eager);
    const funded = await fundedMerchant(tenant);
    const started = async () => {
      const order = await approvedWithdrawal(tenant, funded);
      await relay.once();
      const handle = workflow.getHandle(`withdrawal:${order.orderNo}`);
      const { events } = await handle.fetchHistory();
      const start = events?.[0]?.workflowExecutionStartedEventAttributes;
      expect(start?.eagerExecutionAccepted).toBe(true);
      return { order, handle };
    };
    const { order, handle } = await started();

    // No channel is set up: a person has to pay it. A later wake of the running workflow is a signal.
    await until('it waits', async () => (await handle.describe()).historyLength > 5);
    await tenant.database.sql`
      select wake_withdrawal(w, now()) from withdrawal_orders w where id = ${order.id}`;
    await relay.once();
    const woken = (await handle.fetchHistory()).events ?? [];
    expect(woken.filter((e) => e.workflowExecutionSignaledEventAttributes)).toHaveLength(1);
    expect(await outbox()).toEqual([]);
    // The first one is cached now, and polls for such workflows hold slots too.
    await started();
  });

  it('starts one workflow for an order that changed many times', async () => {
    const { orderNo } = await tenant.deposit(merchant);
    await tenant.database.sql`
      select wake_deposit(d, now()) from deposit_orders d, generate_series(1, 20)
      where order_no = ${orderNo}`;
    const relays = [1, 2, 3].map(() => relayTo(temporal.env.client, () => new Date(Date.now() + 1_000)));
    await Promise.all(relays.map(async (relay) => await relay.once()));
    expect(await outbox()).toEqual([]);
    const history = await temporal.env.client.workflow.getHandle(`deposit:${orderNo}`).fetchHistory();
    const starts = history.events?.filter((e) => e.workflowExecutionStartedEventAttributes);
    expect(starts).toHaveLength(1);
  });

  it('delivers the rows that a dead relay had leased', async () => {
    const { orderNo } = await tenant.deposit(merchant);
    await tenant.database.sql`update outbox set due_at = ${new Date(Date.now() + 30_000)}`;
    await relayTo(temporal.env.client).once();
    expect(await outbox()).toHaveLength(1);
    await relayTo(temporal.env.client, () => new Date(Date.now() + 31_000)).once();
    expect(await outbox()).toEqual([]);
    expect(await running(orderNo)).toBe(true);
  });

  it('waits for a missing namespace, and parks nothing', async () => {
    await tenant.deposit(merchant);
    const { connection } = temporal.env.client;
    const lost = relayTo(new Client({ connection, namespace: 'nowhere' }), () => new Date(Date.now() + 60_000));
    await lost.once();
    const [row] = await outbox();
    expect(row).toMatchObject({ refusals: 0, parkedAt: null });
    await relayTo(temporal.env.client, () => new Date(Date.now() + 120_000)).once();
    expect(await outbox()).toEqual([]);
  });

  /** A deposit whose workflow has been started, and the account that takes its money. */
  const waiting = async (): Promise<{ orderNo: string; memo: string; expireAt: string }> => {
    const { orderNo, expectedRemark, expireAt } = await tenant.deposit(merchant);
    await relayTo(temporal.env.client).once();
    return { orderNo, memo: expectedRemark, expireAt };
  };
  const historyOf = async (orderNo: string): Promise<number[]> => {
    const handle = temporal.env.client.workflow.getHandle(`deposit:${orderNo}`);
    await handle.result();
    return ((await handle.fetchHistory()).events ?? []).map(({ eventType }) => Number(eventType));
  };

  it('starts an order without a task, and shows what it waits for', async () => {
    const { orderNo, expireAt } = await waiting();
    const workflow = temporal.env.client.workflow.getHandle(`deposit:${orderNo}`);
    const { historyLength, raw } = await workflow.describe();
    expect(historyLength).toBe(1);
    const { executionTime } = raw.workflowExecutionInfo ?? {};
    const seconds = Number(executionTime?.seconds) - Date.parse(expireAt) / 1000;
    expect(Math.abs(seconds)).toBeLessThan(5);
    const details = JSON.stringify(await workflow.describe().then((d) => d.staticDetails()));
    expect(details).toContain(`PENDING: waits for a transfer of 100.0000 THB until ${expireAt}`);
  });

  it('ends a deposit that was paid with seven events', async () => {
    const { orderNo, memo } = await waiting();
    await tenant.notify({ accountId, memo });
    await relayTo(temporal.env.client).once();
    expect(await historyOf(orderNo)).toHaveLength(7);
  });

  it('hands an order that was paid before its start was delivered to its worker, without a signal', async () => {
    const { nativeConnection: connection } = temporal.env;
    const eager = clientOfWorker(connection, { namespace: 'default' });
    const { orderNo, expectedRemark: memo } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, memo });
    await relayTo(temporal.env.client, undefined, undefined, eager).once();
    expect(await historyOf(orderNo)).toHaveLength(6);
    const { events } = await temporal.env.client.workflow.getHandle(`deposit:${orderNo}`).fetchHistory();
    const start = events?.[0]?.workflowExecutionStartedEventAttributes;
    expect(start?.eagerExecutionAccepted).toBe(true);
    const key = `deposit:${orderNo}`;
    expect(await tenant.database.sql`select from outbox where key = ${key}`).toHaveLength(0);
  });

  it('drops the start of an order that was paid before its start was delivered', async () => {
    const { orderNo, expectedRemark: memo } = await tenant.deposit(merchant);
    const key = `deposit:${orderNo}`;
    const now = new Date();
    const [start] = (await claimOutbox(tenant.database, { money: 0, rest: 9 }, now, now)).filter(
      (row) => row.key === key,
    );
    if (!start) throw new Error('the order has no start');
    await tenant.database.sql`update outbox set due_at = ${new Date(Date.now() + 60_000)}`;
    await tenant.notify({ accountId, memo });
    await relayTo(temporal.env.client).once();
    await historyOf(orderNo);
    expect(await tenant.database.sql`select from outbox where key = ${key}`).toHaveLength(0);

    // A relay that had claimed it still delivers it: Temporal has the order's run, and refuses another.
    await wake(temporal.env.client, { rows: [start], now, overtakes: false, pace });
    expect(await running(orderNo)).toBe(false);
  });

  it('lets one start go in 50 ms while money comes', async () => {
    const { sql } = tenant.database;
    await sql`truncate outbox`;
    const paid = await tenant.deposit(merchant);
    await tenant.operate('CancelDeposit', { orderNo: paid.orderNo, reason: 'test' });
    const moneyComes = async (): Promise<void> => {
      await sql`
        select wake_deposit(d, now()) from deposit_orders d where order_no = ${paid.orderNo}`;
    };
    const relay = relayTo(temporal.env.client);
    relay.start();
    await moneyComes();
    await until('the money went', async () => (await outbox()).length === 0);
    const coming = setInterval(() => void moneyComes(), 100);
    try {
      const begun = performance.now();
      const orders = await Promise.all(Array.from({ length: 20 }, async () => await tenant.deposit(merchant)));
      await sql`update outbox set created_at = created_at - interval '3 s' where rank = 3`;
      await until('all starts went', async () => {
        const rows = await outbox();
        return rows.every(({ rank }) => rank !== OUTBOX_RANK.start);
      });
      expect(performance.now() - begun).toBeGreaterThan(19 * 50);
      expect(await Promise.all(orders.map(async ({ orderNo }) => await running(orderNo)))).toEqual(
        orders.map(() => true),
      );
    } finally {
      clearInterval(coming);
      await relay.stop();
    }
    await relayTo(temporal.env.client).once();
  });

  it('delivers money before tasks that have waited longer', async () => {
    const { orderNo, memo } = await waiting();
    await tenant.notify({ accountId, memo });
    const now = new Date();
    const [row] = await claimOutbox(tenant.database, { money: 1, rest: 0 }, now, now);
    if (!row) throw new Error('the payment left no row');
    await wake(temporal.env.client, { rows: [row], now, overtakes: true, pace });
    await tenant.database.sql`truncate outbox`;
    const OPTIONS_UPDATED = 55;
    const events = await historyOf(orderNo);
    expect(events).toHaveLength(8);
    expect(events[1]).toBe(OPTIONS_UPDATED);
  });

  it('retries a refused row with growing pauses, sets the server up again, and finally parks the row', async () => {
    const now = new Date();
    // Excludes rows of earlier tests.
    while (await relayTo(temporal.env.client).once());
    await tenant.database.sql`
      insert into outbox (id, noun, key, arguments, due_at, refusals, created_at)
      values (${uuidv7()}, 'deposit', ${'x'.repeat(2_000)}, ${tenant.database.sql.json({ version: 1 })},
        ${now}, 0, ${now})`;
    let shift = 0;
    const relay = relayTo(temporal.env.client, () => new Date(Date.now() + shift));
    const waits: number[] = [];
    for (let tried = 1; tried <= 10; tried++) {
      const before = shift;
      for (;;) {
        await relay.once();
        const [refused] = await outbox();
        if (!refused || refused.refusals === tried || refused.parkedAt) break;
        shift += 1_000;
      }
      waits.push((shift - before) / 1_000);
    }
    const [row] = await outbox();
    expect(row?.parkedAt).not.toBeNull();
    expect(row?.lastError).toBeTruthy();
    expect(prepared).toBe(10);
    expect(await metric('causeway_outbox_failures_total', { cause: 'refused' })).toBe(10);
    expect(await metric('causeway_outbox_parked_total', { noun: 'deposit' })).toBe(1);
    expect(waits.at(-1)).toBeGreaterThan(waits[1] ?? 0);
    // A parked row is skipped, and the others continue.
    const { orderNo } = await tenant.deposit(merchant);
    await relay.once();
    await sleep(100);
    expect(await running(orderNo)).toBe(true);
    expect(await outbox()).toHaveLength(1);
  });
});
