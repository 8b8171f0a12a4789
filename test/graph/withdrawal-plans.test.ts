import pino from 'pino';
import { sealBeneficiary } from '../../crypto/beneficiary';
import { isBackground, planOf, type Sent, smallTables } from '../../bench/plans';
import { adminOf, createTestDatabase } from '../support/database';
import { expectContinued } from '../support/exports';
import { operatorDocument, Tenant, type TestMerchant } from '../support/tenant';
import { approvedWithdrawal, fundedMerchant } from '../support/withdrawals';

const silent = pino({ level: 'silent' });
const ORDERS = 20_000;

/** Enough withdrawals and sessions that a plan without an index costs more: few of them wait. */
describe(`over ${ORDERS} withdrawals and cashier sessions`, () => {
  const sent: Sent[] = [];
  let tenant: Tenant;
  let merchant: TestMerchant;
  let small: ReadonlySet<string>;

  beforeAll(async () => {
    const made = await createTestDatabase();
    tenant = await Tenant.create(made, {
      watch: (statement, parameters) => {
        if (!statement.startsWith('explain') && !isBackground(statement)) sent.push({ statement, parameters });
      },
    });
    // Inserting so many rows may exceed a business step's timeout.
    const sql = adminOf(made.url);
    merchant = await fundedMerchant(tenant);
    await approvedWithdrawal(tenant, merchant);
    const payers = await tenant.cashierMerchant();
    await tenant.cashier(payers);
    const payees = Array.from({ length: ORDERS }, (_, n) => sealBeneficiary(tenant.seals, `W${n + 1}`, `A${n + 1}`));
    // Copies of the first row, a minute apart; one in a thousand is still open.
    await sql`
      with made as materialized (
        select n, uuidv7() as id, 'n' || n as number, account, index, key
        from unnest(${payees.map((one) => one.beneficiaryAccount)}::text[],
          ${payees.map((one) => one.beneficiaryAccountIndex)}::text[],
          ${payees.map((one) => one.beneficiaryAccountKey)}::text[]) with ordinality p(account, index, key, n)
      ), claimed as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        select ${merchant.id}, number, 'withdrawal', id from made
      )
      insert into withdrawal_orders
      select r.* from withdrawal_orders w, made, jsonb_populate_record(w,
        jsonb_build_object('id', made.id, 'order_no', 'W' || n, 'merchant_order_no', number,
          'created_at', w.created_at - n * interval '1 minute',
          'beneficiary_account', account, 'beneficiary_account_index', index, 'beneficiary_account_key', key,
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
    // Half of a thousandth of the tasks of people and workers is still open.
    await sql`
      insert into settlement_accounts (id, merchant_id, currency_code, bank_code, account_no, account_holder, created_at, usable_at)
      select uuidv7(), ${merchant.id}, 'THB', 'KBANK', 'S' || n, 'Ann', now() - n * interval '1 minute', now()
      from generate_series(1, ${ORDERS}::int) n`;
    await sql`
      with made as materialized (
        select * from (select id, row_number() over () as n from settlement_accounts) where n % 2 = 0
      ), claimed as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        select ${merchant.id}, 's' || n, 'withdrawal', id from made
      ), paid as (
        insert into withdrawal_orders
        select r.* from made, (select w from withdrawal_orders w limit 1) o,
          jsonb_populate_record(o.w, jsonb_build_object('id', made.id, 'order_no', 'S' || n,
            'merchant_order_no', 's' || n, 'created_at', (o.w).created_at - n * interval '1 minute',
            'origin', 'SETTLEMENT', 'callback_url', null,
            'beneficiary_account', 'S' || n, 'beneficiary_account_index', null,
            'people_needed', 1, 'is_auto_approved', false,
            'approved_by', (select id from operators limit 1))) r
      )
      insert into settlements (withdrawal_id, merchant_id, account_id, reference, reason, proposed_by)
      select id, ${merchant.id}, id, 's' || n, 'test', (select id from operators limit 1) from made`;
    await sql`
      insert into alerts (id, kind, key, merchant_id, about, raised_at, acknowledged_at, acknowledged_by)
      select uuidv7(), 'LOW_BALANCE', 'k' || n, ${merchant.id}, '{}', now() - n * interval '1 minute',
        case when n % 1000 <> 0 then now() end, case when n % 1000 <> 0 then (select id from operators limit 1) end
      from generate_series(1, ${ORDERS}::int) n`;
    await sql`
      insert into change_requests
      select r.* from (select c from change_requests c limit 1) o, generate_series(1, ${ORDERS}::int) n,
        jsonb_populate_record(o.c, jsonb_build_object('id', uuidv7(), 'subject_id', 'subject-' || n,
          'merchant_id', ${merchant.id}::uuid, 'proposed_at', (o.c).proposed_at - n * interval '1 minute')) r`;
    await sql`
      insert into audit_log
      select r.* from (select a from audit_log a order by seq limit 1) o, generate_series(1, ${ORDERS}::int) n,
        jsonb_populate_record(o.a, jsonb_build_object('id', uuidv7(), 'seq', 1000000 + n, 'subject', 'subject-' || n,
          'at', (o.a).at - n * interval '1 minute')) r`;
    await sql`analyze`;
    small = await smallTables(sql);
    await sql.end();
  }, 300_000);
  afterAll(async () => {
    await tenant.close();
  });

  it('the tables that grow are large', () => {
    for (const table of [
      ...['withdrawal_orders', 'cashier_sessions', 'settlement_accounts', 'settlements'],
      ...['alerts', 'change_requests', 'audit_log'],
    ])
      expect(small).not.toContain(table);
  });

  it.each<[string, string, () => Record<string, unknown>]>([
    ['the newest withdrawals', 'Withdrawals', () => ({})],
    ['those that wait', 'Withdrawals', () => ({ status: ['APPROVED'] })],
    ["a merchant's", 'Withdrawals', () => ({ merchantId: [merchant.id] })],
    ['those to a beneficiary', 'Withdrawals', () => ({ beneficiaryAccount: 'A77' })],
    ['the newest sessions', 'CashierSessions', () => ({})],
    ['sessions that wait', 'CashierSessions', () => ({ status: ['PENDING'] })],
    ['settlements', 'Withdrawals', () => ({ origin: 'SETTLEMENT' })],
    ["a merchant's settlements", 'Withdrawals', () => ({ origin: 'SETTLEMENT', merchantId: [merchant.id] })],
    ['settlement accounts', 'SettlementAccounts', () => ({})],
    ["a merchant's settlement accounts", 'SettlementAccounts', () => ({ merchantId: [merchant.id] })],
    ['alerts', 'Alerts', () => ({})],
    ['alerts that wait', 'Alerts', () => ({ open: true })],
    ["a merchant's alerts", 'Alerts', () => ({ merchantId: [merchant.id] })],
    ['changes', 'ChangeRequests', () => ({})],
    ["a merchant's changes", 'ChangeRequests', () => ({ merchantId: [merchant.id] })],
    ['changes of a subject', 'ChangeRequests', () => ({ subjectId: 'subject-7', subjectKind: 'MERCHANT' })],
    ['the audit log', 'AuditLog', () => ({})],
    ['the audit log of a subject', 'AuditLog', () => ({ subject: 'subject-7' })],
  ])('no statement scans a table sequentially: %s', async (_what, operation, filter) => {
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

  it('an export continues where it was cut', async () => {
    const { sql } = tenant.database;
    const [since] = await sql<{ at: Date }[]>`
      select created_at as at from withdrawal_orders order by created_at desc offset 10100 limit 1`;
    const rows = await sql<{ orderNo: string }[]>`
      select order_no from withdrawal_orders where created_at >= ${since?.at ?? null}
      order by created_at desc, id desc`;
    const expected = rows.map(({ orderNo }) => orderNo);
    const filter = { createdAt: { from: since?.at } };
    await expectContinued(tenant, 'ExportWithdrawals', filter, expected);
  });
});
