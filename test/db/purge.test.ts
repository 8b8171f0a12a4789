import postgres from 'postgres';
import { proposeCloses } from '../../db/closes/closes';
import { migrate } from '../../db/migrate';
import { prove } from '../../db/proof/prove';
import { findHead, proveHeads, sealLedger } from '../../db/proof/seals';
import { canPurge, preparePurge, purgeBatch } from '../../db/sandbox/purge';
import { PURGED } from '../../domain/sandbox-purge';
import { endWork, tenantWithBooks } from '../support/books';
import { creditedDeposit, matchedDeposit } from '../support/deposits';
import type { Tenant } from '../support/tenant';
import { createEmptyDatabase } from './schemas';

const DAY_MS = 86_400_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Tables with set-up data, which orders do not write. */
const CONFIGURATION = [
  ...['merchants', 'merchant_currencies', 'api_keys', 'bank_accounts', 'channels', 'banks'],
  ...['operators', 'operator_roles', 'roles', 'settlement_accounts', 'pools', 'review_rules'],
  ...['change_requests', 'audit_log'],
];

const problemsOf = async ({ database }: Tenant): Promise<string[]> =>
  await database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`;
    const { discrepancies } = await prove(tx);
    return discrepancies.map(({ subject, problem }) => `${subject}: ${problem}`);
  });

/** All rows of tables, each as one text. */
const textsOf = async ({ database: { sql } }: Tenant, tables: readonly string[]) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => {
        const [row] = await sql<{ text: string | null }[]>`
          select string_agg(t::text, E'\n' order by t::text) as text from ${sql(table)} t`;
        return [table, row?.text ?? ''] as const;
      }),
    ),
  );
const trialBalance = async ({ database: { sql } }: Tenant): Promise<unknown> =>
  await sql`select account, currency_code, sum(amount) from ledger_entries
    group by 1, 2 having sum(amount) <> 0 order by 1, 2`;
const countOf = async ({ database: { sql } }: Tenant, from: string): Promise<number> => {
  const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${from}`);
  return row?.count ?? 0;
};

/** Runs the batches of a purge. @returns the number of deleted orders */
async function purge(
  { database }: Tenant,
  { before, limit = 7, batches = 1_000 }: { before: Date; limit?: number; batches?: number },
): Promise<number> {
  const now = new Date(Math.max(Date.now(), before.getTime()));
  let [gone, made] = [0, 0];
  for (const what of PURGED)
    for (let after: string | null = FIRST; after !== null && made < batches; made++) {
      const batch = await purgeBatch(database, what, { before, after, limit, now });
      gone += batch.gone;
      after = batch.last;
    }
  return gone;
}

describe('the purge of a sandbox', () => {
  let tenant: Tenant;
  let later: Date;
  beforeAll(async () => {
    tenant = await tenantWithBooks();
    const held = await tenant.merchant({ holdDays: 3 });
    await creditedDeposit(tenant, held, await tenant.account());
    await endWork(tenant);
    later = new Date(Date.now() + 2 * DAY_MS);
  }, 120_000);
  afterAll(async () => {
    await tenant.close();
  });

  it('deletes no order that changed since', async () => {
    const { sql } = tenant.database;
    const tables = ['deposit_orders', 'withdrawal_orders', 'cashier_sessions', 'ledger_entries'];
    const before = await textsOf(tenant, tables);
    const [oldest] = await sql<{ at: Date }[]>`select min(created_at) as at from deposit_orders`;
    expect(await purge(tenant, { before: oldest?.at ?? new Date() })).toBe(0);
    await sql`update deposit_orders set updated_at = ${later}`;
    await sql`update withdrawal_orders set updated_at = ${later}`;
    expect(await purge(tenant, { before: later })).toBe(0);
    await sql`update deposit_orders set updated_at = created_at`;
    await sql`update withdrawal_orders set updated_at = created_at`;
    await sql`update order_events set at = at + interval '2 days'`;
    expect(await purge(tenant, { before: new Date(later.getTime() - 60_000) })).toBe(0);
    await sql`update order_events set at = at - interval '2 days'`;
    const entries = ({ ledger_entries: text }: typeof before) => text;
    expect(entries(await textsOf(tenant, tables))).toBe(entries(before));
  });

  it("deletes ended orders, and keeps every balance, closed day and the chain's head", async () => {
    const { sql } = tenant.database;
    await sealLedger(tenant.database, true, new Date());
    const head = await findHead(tenant.database);
    tenant.now = () => new Date(Date.now() + DAY_MS);
    await proposeCloses(tenant.database, 1_000, tenant.now());
    const proposed = await sql<{ id: string }[]>`
      select id from day_closes where status = 'PROPOSED' order by day, id`;
    for (const { id } of proposed) await tenant.operate('CloseDay', { id, reason: 'test' });
    tenant.now = () => new Date();
    expect(await countOf(tenant, "day_closes where status = 'CLOSED' and credits > 0")).toBeGreaterThan(3);
    expect(await problemsOf(tenant)).toEqual([]);
    const kept = await textsOf(tenant, [...CONFIGURATION, 'merchant_balances', 'day_closes']);
    const balances = await trialBalance(tenant);
    const open = {
      deposits: "deposit_orders where status in ('PENDING', 'MATCHED')",
      withdrawals: "withdrawal_orders where status in ('PENDING', 'APPROVED')",
      credits: 'bank_transfers where unmatched_reason is not null',
      held: 'held_credits where released_at is null and recalled_at is null',
      decided: '(select id from payer_returns union all select id from operator_postings) x',
      recalled: 'deposit_recalls',
    };
    const counted = async (): Promise<number[]> =>
      await Promise.all(Object.values(open).map(async (from) => await countOf(tenant, from)));
    const openBefore = await counted();
    expect(openBefore).not.toContain(0);
    const [deposits, withdrawals, postings] = [
      await countOf(tenant, 'deposit_orders'),
      await countOf(tenant, 'withdrawal_orders'),
      await countOf(tenant, 'ledger_transfers'),
    ];

    // Killed after some batches: each batch is complete or not done at all.
    const begun = await purge(tenant, { before: later, limit: 5, batches: 4 });
    expect(begun).toBeGreaterThan(0);
    expect(await problemsOf(tenant)).toEqual([]);
    const gone = begun + (await purge(tenant, { before: later }));

    expect(await problemsOf(tenant)).toEqual([]);
    expect(await trialBalance(tenant)).toEqual(balances);
    expect(await textsOf(tenant, Object.keys(kept))).toEqual(kept);
    expect(await counted()).toEqual(openBefore);
    const left = (await countOf(tenant, 'deposit_orders')) + (await countOf(tenant, 'withdrawal_orders'));
    expect(deposits + withdrawals - left).toBe(gone);
    expect(gone).toBeGreaterThan((deposits + withdrawals) / 3);
    expect(await countOf(tenant, 'ledger_transfers')).toBeLessThan(postings);

    // Nothing refers to a deleted order.
    const orphans = `(
      select order_id from order_events union all select order_id from notification_logs
      union all select order_id from merchant_order_numbers union all
      select order_id from ledger_transfers where order_id is not null) x
      where not exists (select from deposit_orders d where d.id = x.order_id)
        and not exists (select from withdrawal_orders w where w.id = x.order_id)
        and not exists (select from cashier_sessions s where s.id = x.order_id)`;
    expect(await countOf(tenant, orphans)).toBe(0);

    // A second purge deletes nothing.
    const books = await countOf(tenant, 'ledger_books');
    expect(await purge(tenant, { before: later })).toBe(0);
    expect(await countOf(tenant, 'ledger_books')).toBe(books);

    // Heads that were recorded outside earlier are still proved, and the chain continues from them.
    await tenant.database.transaction(async (tx) => {
      expect(await proveHeads(tx, head ? [head] : [])).toEqual([]);
    });
    expect(await sealLedger(tenant.database, true, new Date())).toBe(0);
  }, 60_000);

  it('leaves books in which orders can continue, and that can be purged again', async () => {
    const merchant = await tenant.merchant();
    const accountId = await tenant.account();
    const { id } = await creditedDeposit(tenant, merchant, accountId);
    const { orderNo } = await matchedDeposit(tenant, merchant, accountId);
    await tenant.operate('CancelDeposit', { orderNo, reason: 'test' });
    await endWork(tenant);
    expect(await problemsOf(tenant)).toEqual([]);
    expect(await purge(tenant, { before: later })).toBe(1);
    expect(await countOf(tenant, `deposit_orders where id = '${id}'`)).toBe(0);
    // Its bank credit waits for a person, so the cancelled order stays.
    expect(await countOf(tenant, `deposit_orders where order_no = '${orderNo}'`)).toBe(1);
    expect(await problemsOf(tenant)).toEqual([]);
  });

  it('keeps the highest event number, from which the next one continues', async () => {
    const merchant = await tenant.merchant();
    const { id } = await creditedDeposit(tenant, merchant, await tenant.account());
    await endWork(tenant);
    await tenant.database.sql`select number_events(100000)`;
    expect(await purge(tenant, { before: later })).toBe(0);
    await tenant.deposit(merchant);
    await tenant.database.sql`select number_events(100000)`;
    await endWork(tenant);
    expect(await purge(tenant, { before: later })).toBe(1);
    expect(await countOf(tenant, `deposit_orders where id = '${id}'`)).toBe(0);
  });

  it('keeps a report’s closing balance for a day that is not closed', async () => {
    const merchant = await tenant.merchant();
    const accountId = await tenant.account();
    await tenant.notify({ accountId, amount: '7', memo: '', bankReference: 'waits' });
    await creditedDeposit(tenant, merchant, accountId);
    await endWork(tenant);
    const { sql } = tenant.database;
    await sql`update bank_transfers set balance_after = amount, bank_time = (
        select min(bank_time) from bank_transfers where account_id = ${accountId})
          + case when unmatched_reason is null then interval '1 millisecond' else interval '0' end
      where account_id = ${accountId}`;
    await sql`select propose_closes(${new Date(Date.now() + DAY_MS)}, 1000)`;
    const figure = async (): Promise<unknown> => {
      await sql`select refresh_close(id) from day_closes where account_id = ${accountId}`;
      return await sql`select status, outside::text, outside_source, credits::text from day_closes
        where account_id = ${accountId}`;
    };
    const asProposed = [{ status: 'PROPOSED', outside: '100.0000', outsideSource: 'AGENT', credits: '107.0000' }];
    expect(await figure()).toEqual(asProposed);
    expect(await purge(tenant, { before: later })).toBe(1);
    expect(await figure()).toEqual(asProposed);
  });

  it('deletes expired sessions with all their numbers', async () => {
    const merchant = await tenant.cashierMerchant();
    const { sessionId } = await tenant.cashier(merchant, { userId: 'one' });
    await tenant.cashier(merchant, { userId: 'one' });
    await endWork(tenant);
    const { sql } = tenant.database;
    const numbers = `merchant_order_numbers where merchant_id = '${merchant.id}'`;
    expect(await purge(tenant, { before: later })).toBe(0);
    await sql`select expire_cashier_session(${sessionId}, ${new Date(Date.now() + DAY_MS)})`;
    await endWork(tenant);
    expect(await countOf(tenant, numbers)).toBe(2);
    expect(await problemsOf(tenant)).toEqual([]);
    expect(await purge(tenant, { before: later })).toBe(1);
    expect(await countOf(tenant, numbers)).toBe(0);
    expect(await problemsOf(tenant)).toEqual([]);
  });

  it('keeps an order with an open workflow, callback or proposed change', async () => {
    const merchant = await tenant.merchant();
    const accountId = await tenant.account();
    const url = 'https://merchant.example/callbacks';
    const { id } = await creditedDeposit(tenant, merchant, accountId, { callbackUrl: url });
    const { sql } = tenant.database;
    expect(await purge(tenant, { before: later })).toBe(0);
    await sql`delete from outbox`;
    expect(await countOf(tenant, `notification_logs where order_id = '${id}'`)).toBe(1);
    expect(await purge(tenant, { before: later })).toBe(0);
    await endWork(tenant);
    await tenant.deposit(merchant);
    await sql`delete from outbox`;
    expect(await purge(tenant, { before: later })).toBe(1);
  });

  it('builds the indexes that it needs once, without blocking traffic', async () => {
    await preparePurge(tenant.database);
    await preparePurge(tenant.database);
    expect(await countOf(tenant, "pg_indexes where indexname like 'purge_%'")).toBe(6);
  });

  it('does not let anyone else change rows of the ledger', async () => {
    const { sql } = tenant.database;
    await expect(sql`delete from ledger_entries`).rejects.toMatchObject({ code: 'CW001' });
    await expect(sql`update ledger_seals set digest = hash`).rejects.toMatchObject({
      code: 'CW001',
    });
  });

  it('leaves books that the proof reports in production', async () => {
    const done = new Error('roll back');
    const attempt = tenant.database.transaction(async (tx) => {
      await tx`update migrations.release set environment = 'production'`;
      const { discrepancies } = await prove(tx);
      expect(discrepancies).toContainEqual({
        subject: 'book 1',
        problem: 'a purge opened it, and this database is no sandbox',
      });
      throw done;
    });
    await expect(attempt).rejects.toBe(done);
  });
});

test('a sandbox has the functions of a purge; production has none, and keeps all rows', async () => {
  const found = await Promise.all(
    (['sandbox', 'production'] as const).map(async (environment) => {
      const { url, drop } = await createEmptyDatabase();
      const sql = postgres(url, { max: 1, onnotice: () => undefined });
      try {
        await migrate(url, environment);
        const [row] = await sql<{ exception: boolean; functions: number }[]>`
          select prosrc like '%causeway.purge%' as exception, (
            select count(*)::int from pg_proc where proname ~ 'purge|open_books|carry_forward|is_past|with_credits') as functions
          from pg_proc where proname = 'refuse_change'`;
        return { environment, there: await canPurge({ sql }), ...row };
      } finally {
        await sql.end();
        await drop();
      }
    }),
  );
  expect(found).toEqual([
    { environment: 'sandbox', there: true, exception: true, functions: 11 },
    { environment: 'production', there: false, exception: false, functions: 0 },
  ]);
});
