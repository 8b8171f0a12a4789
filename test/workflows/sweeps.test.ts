import { Client } from '@temporalio/client';
import { uuidv7 } from 'uuidv7';
import { money } from '../../domain/money';
import { preparePayout } from '../../db/payouts/payouts';
import { registry } from '../../runtime/metrics';
import type { OverdueCounts } from '../../temporal/activities/sweeps';
import { SCHEDULES, type ScheduleId } from '../../temporal/schedules';
import { ORDERS_TASK_QUEUE } from '../../workflows/shared';
import { creditedDeposit } from '../support/deposits';
import { type TestTemporal, timeSkipping } from '../support/temporal';
import { Tenant, type TestMerchant } from '../support/tenant';
import { simulatedChannel } from '../support/channel-tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';
import { startWorkers, type TestWorkers } from '../support/workers';

const NOTHING: OverdueCounts = {
  pending_past_expiry: 0,
  cashier_past_expiry: 0,
  matched_too_long: 0,
  withdrawal_not_moved: 0,
  callback_not_retried: 0,
  event_not_delivered: 0,
  outbox_parked: 0,
};

/** The workflows that schedules run, at exact times: the time-skipping server has no schedules. */
describe('the sweeps’ workflows', () => {
  let temporal: TestTemporal;
  let tenant: Tenant;
  let workers: TestWorkers;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    [temporal, tenant] = await Promise.all([timeSkipping(), Tenant.create()]);
    workers = await startWorkers(tenant, temporal);
    await readClock();
    merchant = await tenant.merchant();
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await workers.stop();
    await tenant.close();
    await temporal.stop();
  });
  afterEach(async () => {
    const { sql } = tenant.database;
    await sql`delete from outbox`;
    await sql`delete from notification_logs`;
    await sql`update deposit_orders set status = 'CANCELLED', completed_at = null, actual_amount = 0`;
  });

  async function readClock(): Promise<Date> {
    const now = await temporal.clock();
    tenant.now = () => now;
    return now;
  }
  /** One run of a sweep, without skipping time. */
  const run = async (id: ScheduleId): Promise<unknown> =>
    await new Client({ connection: temporal.env.connection }).workflow.execute(SCHEDULES[id], {
      taskQueue: ORDERS_TASK_QUEUE,
      workflowId: `${id}-${uuidv7()}`,
    });
  const loseOutbox = async (): Promise<void> => {
    await tenant.database.sql`delete from outbox`;
  };
  /** Skips time to this many seconds after. */
  async function until(since: Date, seconds: number): Promise<void> {
    await temporal.env.sleep(since.getTime() + seconds * 1000 - (await temporal.clock()).getTime());
  }
  const counted = async (kind: string): Promise<number> => {
    const metric = await registry.getSingleMetric('causeway_overdue_found_total')?.get();
    return metric?.values.find(({ labels }) => labels['kind'] === kind)?.value ?? 0;
  };

  it('find a deposit a minute after its expiry, and count it', async () => {
    await readClock();
    const { expireAt } = await tenant.deposit(merchant);
    await loseOutbox();
    await until(new Date(expireAt), 20);
    expect(await run('reconcile')).toEqual(NOTHING);
    await until(new Date(expireAt), 61);
    const before = await counted('pending_past_expiry');
    expect(await run('reconcile')).toEqual({ ...NOTHING, pending_past_expiry: 1 });
    expect(await counted('pending_past_expiry')).toBe(before + 1);
  });

  it('release held credits once their days have passed', async () => {
    await readClock();
    const own = await tenant.merchant({ holdDays: 1 });
    await creditedDeposit(tenant, own, accountId);
    const balance = async (): Promise<unknown> => {
      const [row] = await tenant.database.sql`
        select available::text, frozen::text from merchant_balances where merchant_id = ${own.id}`;
      return row;
    };
    expect(await run('hold-release')).toBe(0);
    expect(await balance()).toEqual({ available: '0.0000', frozen: '98.5000' });
    await until(tenant.now(), 86_400);
    expect(await run('hold-release')).toBe(1);
    expect(await run('hold-release')).toBe(0);
    expect(await balance()).toEqual({ available: '98.5000', frozen: '0.0000' });
  });

  it('propose to close each day that has ended, once', async () => {
    await creditedDeposit(tenant, await tenant.merchant(), accountId);
    expect(await run('day-close')).toBeGreaterThan(0);
    expect(await run('day-close')).toBe(0);
  });

  it('find a cashier session a minute after its expiry', async () => {
    await readClock();
    const { sessionId, expireAt } = await tenant.cashier(await tenant.cashierMerchant());
    await loseOutbox();
    await until(new Date(expireAt), 20);
    expect(await run('reconcile')).toEqual(NOTHING);
    await until(new Date(expireAt), 61);
    expect(await run('reconcile')).toEqual({ ...NOTHING, cashier_past_expiry: 1 });
    const keys = await tenant.database.sql<{ key: string }[]>`select key from outbox`;
    expect(keys).toEqual([{ key: `cashier:${sessionId}` }]);
    await tenant.database.sql`update cashier_sessions set status = 'EXPIRED' where id = ${sessionId}`;
  });

  it('find a deposit that has been MATCHED for a minute', async () => {
    const matchedAt = await readClock();
    const { expectedRemark } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, memo: expectedRemark });
    await loseOutbox();
    await until(matchedAt, 20);
    expect(await run('reconcile')).toEqual(NOTHING);
    await until(matchedAt, 61);
    expect(await run('reconcile')).toEqual({ ...NOTHING, matched_too_long: 1 });
  });

  it('find a payout 35 s after it was prepared, and leave it to the sweep of payouts', async () => {
    const { database } = tenant;
    const preparedAt = await readClock();
    const payee = await fundedMerchant(tenant);
    const { id } = await approvedWithdrawal(tenant, payee);
    const channel = await simulatedChannel(tenant, 'http://127.0.0.1:9/');
    await preparePayout(database, uuidv7(), id, channel.id, money('1'), preparedAt);
    await loseOutbox();
    await until(preparedAt, 20);
    expect(await run('payout-sweep')).toBe(0);
    await until(preparedAt, 61);
    expect(await run('reconcile')).toMatchObject({ withdrawal_not_moved: 0 });
    expect(await run('payout-sweep')).toBe(1);
    expect(await run('payout-sweep')).toBe(0);
    await database.sql`update payout_attempts set status = 'REFUSED', finished_at = created_at`;
    await database.sql`
      update withdrawal_orders set status = 'CANCELLED', ended_at = created_at, end_reason = 'test'`;
  });

  it('find more orders than one batch holds', async () => {
    const { sql } = tenant.database;
    await readClock();
    const { orderNo, expireAt } = await tenant.deposit(merchant);
    await sql`
      insert into merchant_order_numbers
      select n.merchant_id, 'many' || i, 'deposit', order_id
      from merchant_order_numbers n join deposit_orders d on d.id = n.order_id, generate_series(1, 2000) i
      where d.order_no = ${orderNo}`;
    await sql`
      insert into deposit_orders
      select copy.* from deposit_orders d, generate_series(1, 2000) i,
        jsonb_populate_record(d, jsonb_build_object('id', uuidv7(), 'order_no', 'many' || i,
          'merchant_order_no', 'many' || i, 'expected_remark', 'many' || i)) copy
      where d.order_no = ${orderNo}`;
    await loseOutbox();
    await until(new Date(expireAt), 61);
    expect(await run('reconcile')).toEqual({ ...NOTHING, pending_past_expiry: 2001 });
    expect(await sql`select distinct key from outbox`).toHaveLength(2001);
  });

  it('count parked rows, and skip their orders for an hour', async () => {
    const { sql } = tenant.database;
    await readClock();
    const { expireAt } = await tenant.deposit(merchant);
    await until(new Date(expireAt), 61);
    const parkedAt = await readClock();
    await sql`update outbox set parked_at = ${parkedAt}, refusals = 10`;
    expect(await run('reconcile')).toEqual({ ...NOTHING, outbox_parked: 1 });
    await until(parkedAt, 3_540);
    expect(await run('reconcile')).toEqual({ ...NOTHING, outbox_parked: 1 });
    await until(parkedAt, 3_601);
    const again = { ...NOTHING, pending_past_expiry: 1, outbox_parked: 1 };
    expect(await run('reconcile')).toEqual(again);
    expect(await sql`select * from outbox`).toHaveLength(2);
  });

  it('release a callback five minutes after its attempt was claimed', async () => {
    const { sql } = tenant.database;
    await readClock();
    const { orderNo, expectedRemark } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, memo: expectedRemark });
    await workers.relay.once();
    await temporal.env.client.workflow.getHandle(`deposit:${orderNo}`).result();
    await loseOutbox();
    const claimedAt = await readClock();
    await sql`
      update notification_logs set status = 'SENDING', attempt_count = 1, total_attempts = 1,
        next_attempt_at = null, lease_until = ${new Date(claimedAt.getTime() + 20_000)}, updated_at = ${claimedAt}
      where order_no = ${orderNo}`;
    await until(claimedAt, 240);
    expect(await run('callback-sweep')).toBe(0);
    await until(claimedAt, 301);
    expect(await run('callback-sweep')).toBe(1);
    expect(await run('callback-sweep')).toBe(0);
    // The sweep's own outbox row may also be lost.
    await loseOutbox();
    expect(await run('reconcile')).toEqual(NOTHING);
    await until(await readClock(), 61);
    expect(await run('reconcile')).toEqual({ ...NOTHING, callback_not_retried: 1 });
  });
});
