import { openCreditName, openPayerName } from '../../crypto/personal';
import { findDeposit } from '../../db/deposits/deposits';
import { prove } from '../../db/proof/prove';
import { ERASED_WHEN_OLD } from '../../domain/personal';
import { eraseOnce, readEraseDays } from '../../roles/erase-command';
import { readDatabase } from '../../runtime/server-settings';
import { creditedDeposit } from '../support/deposits';
import { Tenant } from '../support/tenant';
import { verifyAudit } from '../../steps/audit/verify-audit';

const DAY_MS = 86_400_000;
const ERASED = '[erased]';

describe('the erasure of old people', () => {
  const later = new Date(Date.now() + 100 * DAY_MS);
  let tenant: Tenant;
  let open: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    const [merchant, account] = [await tenant.merchant(), await tenant.account()];
    const { sql } = tenant.database;
    for (let n = 0; n < 3; n++) await creditedDeposit(tenant, merchant, account);
    await sql`update deposit_orders set payer_name = 'Ann Lee', extra_data = 'x'`;
    await sql`update bank_transfers set payer_name = 'Ann Lee', memo = 'for Ann'`;
    await sql`update notification_logs set status = 'SUCCESS', next_attempt_at = null, lease_until = null`;
    ({ orderNo: open } = await tenant.deposit(merchant, { accountHolder: 'Ann Lee' }));
    // Waits for an operator.
    await tenant.notify({ accountId: account, amount: '7.00', payerName: 'Ann Lee', memo: 'late' });
  }, 60_000);
  afterAll(async () => {
    await tenant.close();
  });

  /** @returns what it erased, by kind, without zeros */
  async function erase(days: number): Promise<Record<string, number>> {
    const lines: string[] = [];
    await eraseOnce(
      readDatabase({}, tenant.url),
      { days, batch: 2 },
      tenant.graph.core.signer,
      (line) => {
        lines.push(line);
      },
      async () => await Promise.resolve(later),
    );
    const last = lines.pop();
    const found = lines.map((line): [string, number] => {
      const [, what = '', rows = ''] = /^what=(\S+) before=\S+ rows=(\d+)$/.exec(line) ?? [];
      return [what, Number(rows)];
    });
    expect(found.map(([what]) => what)).toEqual(ERASED_WHEN_OLD);
    const all = found.reduce((sum, [, rows]) => sum + rows, 0);
    const before = new Date(later.getTime() - days * 86_400_000).toISOString();
    expect(last).toBe(`done=${later.toISOString()} before=${before} rows=${String(all)}`);
    return Object.fromEntries(found.filter(([, rows]) => rows > 0));
  }
  const problems = async (): Promise<unknown> =>
    (await tenant.database.transaction(async (tx) => await prove(tx))).discrepancies;

  it('requires days, and in production at least 90', () => {
    expect(readEraseDays(['--days', '90'], true)).toBe(90);
    expect(() => readEraseDays(['--days', '89'], true)).toThrow('at least 90 days');
    expect(readEraseDays(['--days', '1'], false)).toBe(1);
    for (const wrong of [[], ['--days', '0'], ['--days', '1.5']])
      expect(() => readEraseDays(wrong, false)).toThrow('erase takes');
  });

  it('keeps younger orders, and orders under way', async () => {
    expect(await erase(101)).toEqual({});
    expect(await erase(99)).toEqual({ deposits: 3, credits: 3 });
    const { sql } = tenant.database;
    expect(
      await sql`select distinct payer_name, extra_data from deposit_orders
      where order_no <> ${open}`,
    ).toEqual([{ payerName: ERASED, extraData: null }]);
    const kept = await findDeposit(tenant.database, { orderNo: open });
    expect(kept && openPayerName(tenant.seals.sealer, kept)).toBe('Ann Lee');
    expect(await sql`select distinct payer_name, memo from bank_transfers where amount <> 7`).toEqual([
      { payerName: ERASED, memo: ERASED },
    ]);
    const [late] = await sql<{ id: string; payerName: string }[]>`
      select id, payer_name from bank_transfers where amount = 7`;
    expect(late && openCreditName(tenant.seals.sealer, late)).toBe('Ann Lee');
  });

  it('keeps the books, writes to the audit log, and finds nothing more in a second run', async () => {
    expect(await problems()).toEqual([]);
    // In batches of two.
    expect(
      await tenant.database.sql`
      select subject, (after ->> 'rows')::int as rows from audit_log
      where action = 'erasePeople' order by seq`,
    ).toEqual([
      { subject: 'deposits', rows: 2 },
      { subject: 'deposits', rows: 1 },
      { subject: 'credits', rows: 2 },
      { subject: 'credits', rows: 1 },
    ]);
    const { faults } = await verifyAudit(tenant.database, tenant.graph.core.signer, null);
    expect(faults).toEqual([]);
    expect(await erase(99)).toEqual({});
  });
});
