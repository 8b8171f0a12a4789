import { claimAttempt, findNotificationsOfOrders, recordAttempt } from '../../db/callbacks/callbacks';
import type { Database } from '../../db/client';
import { publishEvents } from '../../db/events/events';
import { claimOutbox, deleteOutbox } from '../../db/events/outbox';
import { sealLedger, sumLedger } from '../../db/proof/seals';
import { createDepositActivities } from '../../temporal/activities/deposits';
import { adminOf, createTestDatabase, type TestDatabase } from '../support/database';
import { quietActivities } from '../support/quiet-activities';
import { Tenant } from '../support/tenant';
import { eventually } from '../support/until';

const ORDERS = 200;
/** Orders under way at once. */
const AT_ONCE = 10;
const LEASE_MS = 30_000;

interface Updates {
  readonly table: string;
  readonly all: number;
  /** Those that gave no index a new entry. */
  readonly hot: number;
}

/** The whole life of paid orders, from the create to the callback and the sums of the ledger, as the roles write it. */
async function live(tenant: Tenant): Promise<void> {
  const { database } = tenant;
  const merchant = await tenant.merchant();
  const accountId = await tenant.account('THB', { limits: { maxDailyAmount: '1000000' } });
  const clock = (): Promise<Date> => Promise.resolve(new Date());
  const steps = createDepositActivities({ database, clock });
  const order = async (): Promise<string> => {
    const { orderNo, amount, expectedRemark } = await tenant.deposit(merchant);
    await tenant.notify({ accountId, amount, memo: expectedRemark, bankReference: orderNo });
    const [row] = await database.sql<{ id: string }[]>`
      select id from deposit_orders where order_no = ${orderNo}`;
    const id = row?.id ?? '';
    await quietActivities().run(async () => await steps.settleDeposit(id));
    return id;
  };
  for (let n = 0; n < ORDERS; n += AT_ONCE) {
    const ids = await Promise.all(Array.from({ length: AT_ONCE }, order));
    await relayAll(database);
    await deliver(database, ids);
    while (await publishEvents(database, 100));
    await sealLedger(database, false, new Date());
    await sumLedger(database);
  }
}

/** Claims and deletes all rows of the outbox, as the relay does. */
async function relayAll(database: Database): Promise<void> {
  for (;;) {
    const now = new Date();
    const lease = new Date(now.getTime() + LEASE_MS);
    const rows = await claimOutbox(database, { money: 25, rest: 25 }, lease, now);
    if (rows.length === 0) return;
    await deleteOutbox(database, rows);
  }
}

/** The first attempt of each order's callback is acknowledged. */
async function deliver(database: Database, orders: readonly string[]): Promise<void> {
  const [key] = await database.sql<{ id: string }[]>`select id from api_keys limit 1`;
  const signed = { signature: 'x', apiKeyId: key?.id ?? '' };
  for (const callback of await findNotificationsOfOrders(database, orders)) {
    const now = new Date();
    const lease = new Date(now.getTime() + LEASE_MS);
    const claimed = await claimAttempt(database, callback, signed, lease, now, now);
    if (!claimed) throw new Error('a callback was not claimed');
    await recordAttempt(database, {
      notificationId: callback.id,
      ...claimed,
      verdict: 'SUCCESS',
      responseStatus: 200,
      responseBody: 'success',
      error: null,
      nextAttemptAt: now,
      now,
    });
  }
}

/** A session adds its counts to the statistics when it ends. */
async function updatesOf(url: string): Promise<Updates[]> {
  const sql = adminOf(url);
  try {
    await eventually(async () => {
      const others = await sql`
        select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
      expect(others).toHaveLength(0);
    });
    return await sql<Updates[]>`
      select relname as table, n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables`;
  } finally {
    await sql.end();
  }
}

describe(`over the life of ${ORDERS} orders`, () => {
  let made: TestDatabase;
  let updates: Updates[] = [];
  const of = (name: string): Updates | undefined => updates.find(({ table }) => table === name);

  beforeAll(async () => {
    made = await createTestDatabase();
    const tenant = await Tenant.create({ ...made, drop: () => Promise.resolve() });
    await live(tenant);
    await tenant.close();
    updates = await updatesOf(made.url);
  }, 300_000);
  afterAll(async () => {
    await made.drop();
  });

  it.each([
    ['outbox', 3],
    ['callback_attempts', 1],
    ['merchant_balances', 0.3],
    ['account_days', 0.3],
    ['ledger_sums', 0.3],
  ])('at least 95 %% of the updates of %s change no index', (table, least) => {
    const { all = 0, hot = 0 } = of(table) ?? {};
    expect(all).toBeGreaterThanOrEqual(ORDERS * least);
    expect(hot / all).toBeGreaterThanOrEqual(0.95);
  });

  // Each of these changes all indexes of its row: a status is in the condition of an index, a number in a unique one.
  // An order on an account with a limit has one more, which releases its share.
  it.each([
    ['deposit_orders', 3],
    ['notification_logs', 2],
    ['order_events', 4],
    ['bank_transfer_changes', 1],
    ['bank_transfers', 0],
  ])('%s is updated no more than %s times for each', (table, most) => {
    expect(of(table)?.all).toBeLessThanOrEqual(ORDERS * most);
  });
});
