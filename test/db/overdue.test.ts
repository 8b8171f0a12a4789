import { uuidv7 } from 'uuidv7';
import type { DepositStatus } from '../../domain/deposit';
import { failCallback, rearmCallback, recordAttempt } from '../../db/callbacks/callbacks';
import { type OverdueStep, sweepCallbacks, wakeOverdueCallbacks, wakeOverdueDeposits } from '../../db/overdue';
import { Tenant, type TestMerchant } from '../support/tenant';

const now = new Date('2026-01-02T03:04:05.678Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const step: OverdueStep = {
  overdueBefore: ago(60),
  parkedAfter: ago(3600),
  after: null,
  limit: 1_000,
  now,
};

describe('the sweeps', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    await tenant.account();
  });
  afterAll(async () => {
    await tenant.close();
  });
  afterEach(async () => {
    const { sql } = tenant.database;
    await sql`delete from outbox`;
    await sql`delete from notification_logs`;
    await sql`update deposit_orders set status = 'CANCELLED'`;
  });

  /** A deposit whose outbox row was lost. @returns its order number */
  async function deposit(status: DepositStatus, since: Date): Promise<string> {
    const { sql } = tenant.database;
    const { orderNo } = await tenant.deposit(merchant);
    await sql`delete from outbox where key = ${`deposit:${orderNo}`}`;
    await sql`
      update deposit_orders
      set status = ${status}, expire_at = ${status === 'MATCHED' ? new Date(now.getTime() + 1000) : since},
        matched_at = case when ${status} = 'MATCHED' then ${since}::timestamptz end
      where order_no = ${orderNo}`;
    return orderNo;
  }

  /** A callback whose outbox row was lost. */
  async function callback(row: Record<string, unknown>): Promise<{ id: string; orderNo: string }> {
    const { sql } = tenant.database;
    const orderNo = await deposit('CANCELLED', now);
    const id = uuidv7();
    await sql`
      insert into notification_logs ${sql({
        id,
        order_id: uuidv7(),
        order_no: orderNo,
        merchant_id: merchant.id,
        notification_type: 'deposit_completed',
        target_url: 'http://x',
        request_body: '{}',
        attempt_count: 0,
        total_attempts: 0,
        generation: 1,
        created_at: now,
        updated_at: now,
        ...row,
      })}`;
    return { id, orderNo };
  }
  const waiting = (nextAttemptAt: Date): ReturnType<typeof callback> =>
    callback({ status: 'WAITING_RETRY', next_attempt_at: nextAttemptAt });
  const sending = (claimedAt: Date, attempt = 1, leaseUntil = ago(1)): ReturnType<typeof callback> =>
    callback({
      status: 'SENDING',
      attempt_count: attempt,
      total_attempts: attempt,
      updated_at: claimedAt,
      lease_until: leaseUntil,
    });

  const keys = async (): Promise<string[]> =>
    (await tenant.database.sql<{ key: string }[]>`select key from outbox order by key`).map(({ key }) => key);
  const wokenDeposits = async (over: Partial<OverdueStep> = {}): Promise<string[]> =>
    (await wakeOverdueDeposits(tenant.database, { ...step, ...over })).map((row) => row.orderNo);

  it('wake deposits that are overdue by a minute, oldest first, and no others', async () => {
    const matched = await deposit('MATCHED', ago(60));
    const expired = await deposit('PENDING', ago(60));
    const older = await deposit('PENDING', ago(1_000));
    await deposit('PENDING', ago(59.999));
    await deposit('MATCHED', ago(59.999));
    await deposit('EXPIRED', ago(1_000));
    await deposit('CANCELLED', ago(1_000));
    expect(await wokenDeposits()).toEqual([older, expired, matched]);
    expect(await keys()).toEqual([older, expired, matched].map((no) => `deposit:${no}`).sort());
    expect(await wokenDeposits()).toEqual([]);
  });

  it('write the outbox row that was lost', async () => {
    const { sql } = tenant.database;
    const { orderNo } = await tenant.deposit(merchant);
    const [written] = await sql<{ arguments: unknown }[]>`select arguments from outbox`;
    await sql`delete from outbox`;
    await sql`update deposit_orders set expire_at = ${ago(60)} where order_no = ${orderNo}`;
    await wokenDeposits();
    expect(await sql`select * from outbox`).toMatchObject([
      { ...written, key: `deposit:${orderNo}`, dueAt: now, refusals: 0, parkedAt: null },
    ]);
  });

  it.each([
    ['is on its way', null, 0],
    ['was parked within the hour', ago(3_599), 0],
    ['was parked an hour ago', ago(3_600), 1],
  ])('skip a row that %s, its parked_at %p: %i woken', async (_name, parkedAt, woken) => {
    const { sql } = tenant.database;
    const orderNo = await deposit('PENDING', ago(60));
    const { orderNo: called } = await waiting(ago(60));
    for (const key of [`deposit:${orderNo}`, `callback:${called}:deposit_completed`])
      await sql`
        insert into outbox (id, noun, key, arguments, due_at, refusals, parked_at, created_at)
        values (${uuidv7()}, 'deposit', ${key}, '{}', ${now}, 10, ${parkedAt}, ${now})`;
    expect(await wokenDeposits()).toHaveLength(woken);
    expect(await wakeOverdueCallbacks(tenant.database, step)).toHaveLength(woken);
  });

  it('handle each order once per pass, also while the relay takes the rows that they wrote', async () => {
    const { sql } = tenant.database;
    const orders = [];
    for (let i = 0; i < 5; i++) orders.push(await deposit('PENDING', ago(100)));
    const met: string[] = [];
    let after = null;
    for (;;) {
      const rows = await wakeOverdueDeposits(tenant.database, { ...step, after, limit: 2 });
      met.push(...rows.map(({ orderNo }) => orderNo));
      await sql`delete from outbox`;
      after = rows.at(-1) ?? null;
      if (rows.length < 2) break;
    }
    expect(met.sort()).toEqual(orders.sort());
  });

  it('skip orders that are locked', async () => {
    const orderNo = await deposit('PENDING', ago(100));
    await tenant.database.transaction(async (tx) => {
      await tx`update deposit_orders set updated_at = ${now} where order_no = ${orderNo}`;
      expect(await wokenDeposits()).toEqual([]);
    });
    expect(await wokenDeposits()).toEqual([orderNo]);
  });

  it('wake callbacks whose attempt has been due for a minute, and no others', async () => {
    const { orderNo } = await waiting(ago(60));
    await waiting(ago(59.999));
    await sending(ago(1_000));
    await callback({ status: 'FAILED' });
    const rows = await wakeOverdueCallbacks(tenant.database, step);
    expect(rows).toMatchObject([{ orderNo, notificationType: 'deposit_completed' }]);
    expect(await keys()).toEqual([`callback:${orderNo}:deposit_completed`]);
    expect(await wakeOverdueCallbacks(tenant.database, step)).toEqual([]);
  });

  const swept = async (limit = 10): ReturnType<typeof sweepCallbacks> =>
    await sweepCallbacks(tenant.database, ago(300), limit, now);

  it('recover callbacks from attempts that were claimed five minutes ago', async () => {
    const { sql } = tenant.database;
    const { id, orderNo } = await sending(ago(300), 2);
    await sending(ago(299.999));
    await sending(ago(300), 1, new Date(now.getTime() + 1));
    expect(await swept()).toMatchObject([{ orderNo, attemptCount: 2 }]);
    expect(await sql`select * from notification_logs where id = ${id}`).toMatchObject([
      {
        status: 'WAITING_RETRY',
        nextAttemptAt: now,
        leaseUntil: null,
        attemptCount: 2,
        totalAttempts: 2,
        generation: 1,
      },
    ]);
    expect(await keys()).toEqual([`callback:${orderNo}:deposit_completed`]);
    const [event] = await sql<{ type: string; detail: unknown }[]>`
      select type, detail from order_events order by position desc limit 1`;
    expect(event).toEqual({
      type: 'callback_interrupted',
      detail: { notificationType: 'deposit_completed', attempt: 2 },
    });
    expect(await swept()).toEqual([]);
  });

  it('sweep batch after batch', async () => {
    for (let i = 0; i < 3; i++) await sending(ago(300));
    expect(await swept(2)).toHaveLength(2);
    expect(await swept(2)).toHaveLength(1);
    expect(await swept(2)).toHaveLength(0);
  });

  it('make the report of a swept attempt invalid', async () => {
    const { id } = await sending(ago(300));
    await swept();
    const status = await recordAttempt(tenant.database, {
      notificationId: id,
      generation: 1,
      attempt: 1,
      verdict: 'FAILED',
      responseStatus: 404,
      responseBody: null,
      error: null,
      nextAttemptAt: now,
      now,
    });
    expect(status).toBe('WAITING_RETRY');
  });

  it('never end a callback that an operator resent in the meantime', async () => {
    const { database } = tenant;
    const { id } = await sending(ago(300), 5);
    await swept();
    await database.transaction(async (tx) => await rearmCallback(tx, id, 'operator:1', 'test', now));
    const fail = async (generation: number): Promise<boolean> =>
      await failCallback(database, { id, generation }, 'attempt interrupted', now, now);
    expect(await fail(1)).toBe(false);
    expect(await fail(2)).toBe(true);
  });
});
