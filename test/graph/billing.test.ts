import { type BillingPostingRow, findBillingMonth, listBillingPostings } from '../../db/billing/day-postings';
import { parseCsv } from '../../domain/csv';
import { formatMoney } from '../../domain/money';
import { issueBilling, postLoose, recountBilling } from '../support/billing';
import { Tenant, type TestMerchant } from '../support/tenant';

interface Statement {
  id: string;
  statementNo: string;
  month: string;
  closingAvailable: string;
  csv: string;
  lines: { title: string; postings: number; amount: string; fee: string }[];
}

describe('billing statements of operators', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let now = new Date('2026-04-02T00:00:00Z');

  beforeAll(async () => {
    tenant = await Tenant.create();
    tenant.now = () => now;
    merchant = await tenant.merchant();
    await tenant.database.sql`update merchants set time_zone = 'Asia/Bangkok' where id = ${merchant.id}`;
    await post('BALANCE_TOP_UP', '2026-02-27T16:59:59Z', '100');
    await post('DEPOSIT_CREDIT', '2026-02-28T16:59:59.999Z', '50', '1.5');
    await post('DEPOSIT_CREDIT', '2026-02-28T17:00:00Z', '7', '0.5');
    await post('WITHDRAWAL_FREEZE', '2026-03-30T17:00:00Z', '20');
    await issueBilling(tenant.database, new Date('2026-02-28T18:00:00Z'));
    // Posted too late for February's statement.
    await post('BALANCE_ADJUSTMENT', '2026-02-28T10:00:00Z', '-3');
    await issueBilling(tenant.database, now);
  });
  afterAll(async () => {
    await tenant.close();
  });

  async function post(
    type: Parameters<typeof postLoose>[2]['type'],
    at: string,
    amount: string,
    fee = '0',
  ): Promise<void> {
    await tenant.database.transaction(async (tx) => {
      await postLoose(tx, merchant.id, { type, amount, fee, now: new Date(at) });
    });
  }
  const all = async (filter: object = {}): Promise<Statement[]> =>
    await tenant.list<Statement>('BillingStatements', {
      filter: { merchantId: [merchant.id], ...filter },
      sort: 'MONTH_ASC',
    });
  const dayFile = async (day: string): Promise<string[][]> => {
    const { csv } = await tenant.operate<{ csv: string }>('ExportBillingDay', {
      reason: 'reconciliation',
      filter: { merchantId: merchant.id, currencyCode: 'THB', day },
    });
    return (parseCsv(csv) ?? []).slice(1);
  };

  it('are listed by month, with their number, lines and file', async () => {
    const [february, march] = await all();
    expect(await all({ month: '2026-03' })).toEqual([march]);
    expect(february).toMatchObject({
      statementNo: `${merchant.merchantCode}-THB-0001`,
      month: '2026-02',
      closingAvailable: '148.5000',
    });
    const { lines, csv } = await tenant.operate<Statement>('BillingStatement', { id: march?.id });
    expect(lines).toMatchObject([
      { title: 'Deposits', postings: 1, amount: '7.0000', fee: '0.5000' },
      { title: 'Adjustments', postings: 1, amount: '-3.0000', fee: '0.0000' },
      { title: 'Withdrawals: frozen', postings: 1, amount: '0.0000', fee: '0.0000' },
    ]);
    const rows = (parseCsv(csv) ?? []).slice(1);
    expect(rows.map((row) => [row[3], row[11]])).toEqual([
      ['Opening', '148.5000'],
      ['Deposits', '155.0000'],
      ['Adjustments', '152.0000'],
      ['Withdrawals: frozen', '152.0000'],
      ['Closing', '152.0000'],
    ]);
    await expect(all({ month: '2026-13' })).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it('have files per day, which carry the balance on', async () => {
    expect(await dayFile('2026-02-27')).toMatchObject([{ 4: 'Top-ups', 12: '100.0000' }]);
    expect(await dayFile('2026-02-28')).toMatchObject([{ 7: '50.0000', 8: '1.5000', 12: '148.5000' }]);
    expect(await dayFile('2026-03-01')).toMatchObject([{ 7: '7.0000', 12: '155.0000' }]);
    expect(await dayFile('2026-03-02')).toEqual([]);
    // A late posting counts for the day of its seal, but at the latest for the last day of its month.
    expect(await dayFile('2026-03-31')).toMatchObject([
      { 4: 'Withdrawals: frozen', 9: '-20.0000', 10: '20.0000', 12: '155.0000' },
      { 4: 'Adjustments', 7: '-3.0000', 12: '152.0000' },
    ]);
    const days = async (id: string): Promise<Record<string, unknown>> => {
      const [statement] = await tenant.database.sql<{ month: string }[]>`
        select month::text from billing_statements where id = ${id}`;
      const found: Record<string, unknown> = {};
      for (let day = 1; day <= 31; day++) {
        const name = `${statement?.month.slice(0, 8)}${String(day).padStart(2, '0')}`;
        if (Number.isNaN(Date.parse(name)) || new Date(name).getUTCDate() !== day) continue;
        const balance = { merchantId: merchant.id, currencyCode: 'THB' };
        const month = await findBillingMonth(tenant.database, balance, name, now);
        const page = {
          by: 'SEQ',
          descending: false,
          size: 1_000,
          after: null,
          before: null,
        } as const;
        const { rows } = await listBillingPostings(
          tenant.database,
          { ...balance, day: name, month },
          { ...page, fromEnd: false },
        );
        const shown = ({ transferId, amount, fee, balance: after }: BillingPostingRow) => [
          ...[transferId, formatMoney(amount), formatMoney(fee), formatMoney(after)],
        ];
        if (rows.length > 0) found[name] = rows.map(shown);
      }
      return found;
    };
    expect(await recountBilling(tenant.database.sql, days)).toEqual({
      statements: 2,
      postings: 5,
      differences: [],
    });
  });

  it('have no file of a day that has not ended, is not sealed, or is outside the month', async () => {
    await post('BALANCE_TOP_UP', '2026-04-01T16:59:59Z', '5');
    now = new Date('2026-04-01T16:59:59Z');
    await expect(dayFile('2026-04-01')).rejects.toThrow('not ended');
    now = new Date('2026-04-01T17:00:00Z');
    await expect(dayFile('2026-04-01')).rejects.toThrow('try again in a minute');
    await issueBilling(tenant.database, now);
    expect(await dayFile('2026-04-01')).toMatchObject([{ 7: '5.0000', 12: '157.0000' }]);
    await expect(dayFile('2026-05-01')).rejects.toThrow('no billing statement');
    await expect(dayFile('2026-01-31')).rejects.toThrow('no billing statement');
    await expect(dayFile('2026-02-30')).rejects.toMatchObject({ kind: 'INVALID_FIELD' });
  });

  it('are visible for the caller’s merchants only', async () => {
    const { id } = await tenant.merchant();
    const other = tenant.operatorWith(['VIEW', 'SUPPORT'], [id]);
    const [statement] = await all();
    expect(await tenant.operate('BillingStatements', {}, other)).toMatchObject({ nodes: [] });
    expect(await tenant.operate('BillingStatement', { id: statement?.id }, other)).toBeNull();
    const filter = { merchantId: merchant.id, currencyCode: 'THB', day: '2026-02-27' };
    const take = tenant.operate('ExportBillingDay', { reason: 'test', filter }, other);
    await expect(take).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  });
});
