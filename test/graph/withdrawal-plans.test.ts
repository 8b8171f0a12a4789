import pino from 'pino';
import { isOfDriver, planOf, type Sent, smallTables } from '../../bench/plans';
import { createTestDatabase } from '../support/database';
import { operatorDocument, Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

const silent = pino({ level: 'silent' });
const ORDERS = 20_000;

/** Enough withdrawals and sessions that a plan along no index would cost more: what waits is rare among them. */
describe(`over ${ORDERS} withdrawals and cashier sessions`, () => {
  const sent: Sent[] = [];
  let tenant: Tenant;
  let merchant: TestMerchant;
  let small: ReadonlySet<string>;

  beforeAll(async () => {
    const made = await createTestDatabase();
    tenant = await Tenant.create(made, {
      watch: (statement, parameters) => {
        if (!statement.startsWith('explain') && !isOfDriver(statement))
          sent.push({ statement, parameters });
      },
    });
    const { sql } = tenant.database;
    merchant = await fundedMerchant(tenant);
    await approvedWithdrawal(tenant, merchant);
    const payers = await tenant.cashierMerchant();
    await tenant.cashier(payers);
    // Rows like the first, a minute apart; one in a thousand is still open.
    await sql`
      with made as materialized (
        select n, uuidv7() as id, 'n' || n as number from generate_series(1, ${ORDERS}::int) n
      ), claimed as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        select ${merchant.id}, number, 'withdrawal', id from made
      )
      insert into withdrawal_orders
      select r.* from withdrawal_orders w, made, jsonb_populate_record(w,
        jsonb_build_object('id', made.id, 'order_no', 'W' || n, 'merchant_order_no', number,
          'created_at', w.created_at - n * interval '1 minute',
          'beneficiary_account', 'A' || n,
          'status', case when n % 1000 = 0 then 'APPROVED' else 'COMPLETED' end,
          'actual_amount', case when n % 1000 = 0 then 0 else w.amount end,
          'completed_at', case when n % 1000 <> 0 then w.created_at end)) r`;
    await sql`
      with made as materialized (
        select n, uuidv7() as id, 'n' || n as number from generate_series(1, ${ORDERS}::int) n
      ), claimed as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        select ${payers.id}, number, 'cashier', id from made
      )
      insert into cashier_sessions
      select r.* from cashier_sessions s, made, jsonb_populate_record(s,
        jsonb_build_object('id', made.id, 'merchant_order_no', number,
          'created_at', s.created_at - n * interval '1 minute',
          'status', case when n % 1000 = 0 then 'PENDING' else 'EXPIRED' end)) r`;
    await sql`analyze`;
    small = await smallTables(sql);
  }, 300_000);
  afterAll(async () => {
    await tenant.close();
  });

  it('the tables that grow are not small', () => {
    for (const table of ['withdrawal_orders', 'cashier_sessions'])
      expect(small).not.toContain(table);
  });

  it.each<[string, string, () => Record<string, unknown>]>([
    ['the newest withdrawals', 'Withdrawals', () => ({})],
    ['those that wait', 'Withdrawals', () => ({ status: ['APPROVED'] })],
    ["a merchant's", 'Withdrawals', () => ({ merchantId: [merchant.id] })],
    ['those to a beneficiary', 'Withdrawals', () => ({ beneficiaryAccount: 'A77' })],
    ['the newest sessions', 'CashierSessions', () => ({})],
    ['sessions that wait', 'CashierSessions', () => ({ status: ['PENDING'] })],
  ])('no statement reads a table from end to end: %s', async (_what, operation, filter) => {
    sent.length = 0;
    const variables = { filter: filter(), first: 20 };
    const document = operatorDocument(operation);
    const data = await tenant.graph.execute(document, variables, tenant.operator, silent);
    const [page] = Object.values(data as Record<string, { nodes: unknown[] }>);
    expect(page?.nodes.length).toBeGreaterThan(0);
    for (const one of [...sent]) {
      const { sequential } = await planOf(tenant.database.read, one);
      expect({ sequential: sequential.filter((table) => !small.has(table)), one }).toMatchObject({
        sequential: [],
      });
    }
  });
});
