import pino from 'pino';
import { loadOrders } from '../../bench/many-orders';
import { buildGraphServer } from '../../graph/server';
import { createTestDatabase } from '../support/database';
import { expectContinued } from '../support/exports';
import { Tenant } from '../support/tenant';

interface Exported {
  fileName: string;
  csv: string;
  rows: number;
  cut: boolean;
}
interface Noted {
  subject: string;
  reason: string;
  after: Record<string, unknown> | null;
  outcome: string;
}

describe('an export', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    const made = await createTestDatabase();
    const extent = { orders: 10_200, merchants: 20, accounts: 10, days: 10, now: new Date() };
    await loadOrders(made.url, extent);
    tenant = await Tenant.create(made);
  }, 300_000);
  afterAll(async () => {
    await tenant.close();
  });

  const take = async (variables: object = {}, actor = tenant.operator): Promise<Exported> =>
    await tenant.operate<Exported>(
      'ExportDeposits',
      { sort: 'CREATED_AT_DESC', reason: 'the books of March', ...variables },
      actor,
    );
  const lines = ({ csv }: Exported): string[][] =>
    csv
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(','));
  const noted = async (): Promise<Noted[]> => {
    const { nodes } = await tenant.operate<{ nodes: Noted[] }>('AuditLog', {
      filter: { action: ['exportDeposits'] },
    });
    return nodes;
  };

  it('contains the rows of the list, in its order, each once', async () => {
    const filter = { status: ['PENDING', 'EXPIRED'] };
    const exported = await take({ filter });
    const listed: string[] = [];
    for (let after: string | null = null; ;) {
      const page: { nodes: { orderNo: string }[]; pageInfo: { endCursor: string | null } } = await tenant.operate(
        'Deposits',
        { first: 200, after, filter, sort: 'CREATED_AT_DESC' },
      );
      listed.push(...page.nodes.map(({ orderNo }) => orderNo));
      if (page.nodes.length < 200) break;
      after = page.pageInfo.endCursor;
    }
    expect(listed.length).toBeGreaterThan(1_000);
    expect(lines(exported).map(([orderNo]) => orderNo)).toEqual(listed);
    expect(exported).toMatchObject({ rows: listed.length, cut: false });
    expect(new Set(lines(exported).map((fields) => fields.length))).toEqual(new Set([26]));
    expect(exported.fileName).toMatch(/^deposits-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
  });

  it('shows that it is cut', async () => {
    const exported = await take();
    expect(exported).toMatchObject({ rows: 10_000, cut: true });
    expect(lines(exported)).toHaveLength(10_000);
    expect(new Set(lines(exported).map(([orderNo]) => orderNo)).size).toBe(10_000);
  });

  it('continues after a cut, until it has each row once', async () => {
    const first = await take();
    const { endCursor } = first as Exported & { endCursor: string };
    const rest = await take({ after: endCursor, cursors: true });
    expect(rest).toMatchObject({ rows: 200, cut: false, zone: 'UTC' });
    // The continuation has no headings.
    const read = rest.csv.split('\r\n').slice(0, -1);
    expect(read).toHaveLength(200);
    const all = [...lines(first), ...read.map((line) => line.split(','))].map(([no]) => no);
    expect(new Set(all).size).toBe(10_200);
    // Continues from the cursor of a row, as after an interrupted line.
    const cursor = read[99]?.split(',').at(-1) ?? '';
    const last = await take({ after: cursor });
    expect(last.csv.split('\r\n')[0]?.split(',')[0]).toBe(read[100]?.split(',')[0]);
    await expect(take({ after: cursor, sort: 'AMOUNT_ASC' })).rejects.toThrow('cursor');
  });

  it.each([
    ['deposits', 10_200, 26],
    ['withdrawals', 0, 27],
    ['ledger-entries', 1, 12],
    ['bank-transfers', 1, 14],
  ])('streams whole lists: %s', async (name, least, columns) => {
    const app = await buildGraphServer(tenant.graph, pino({ level: 'silent' }));
    try {
      const base = await app.listen({ port: 0, host: '127.0.0.1' });
      const post = async (path: string, body: object, token = ''): Promise<Response> =>
        await fetch(`${base}/graphql${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify(body),
        });
      const query = `mutation { login(login: "admin", password: "a password of the tests") { token } }`;
      const login = (await (await post('', { query })).json()) as {
        data: { login: { token: string } };
      };
      const { token } = login.data.login;
      expect((await post(`/exports/${name}`, { reason: 'books' })).status).toBe(401);
      expect((await post(`/exports/${name}`, {}, token)).status).toBe(422);
      const answer = await post(`/exports/${name}`, { reason: 'books', cursors: false }, token);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const text = (await answer.text()).split('\r\n').slice(0, -1);
      expect(text[0]?.split(',')).toHaveLength(columns);
      expect(text[0]).toMatch(/,time_zone$/);
      expect(new Set(text).size).toBe(text.length);
      expect(text.length).toBeGreaterThan(least);
    } finally {
      await app.close();
    }
  });

  it('is recorded in the audit log with operator, filter and reason', async () => {
    const before = (await noted()).length;
    const { rows } = await take({ filter: { amount: { min: '100' }, currencyCode: ['THB'] } });
    const [newest, ...others] = await noted();
    expect(others).toHaveLength(before);
    expect(newest).toMatchObject({
      subject: 'deposits',
      reason: 'the books of March',
      outcome: 'OK',
      after: { sort: 'CREATED_AT_DESC', filter: { amount: { min: '100' } }, rows },
    });
    await expect(take({ reason: ' ' })).rejects.toThrow('reason');
    expect((await noted())[0]).toMatchObject({ outcome: 'INVALID_FIELD' });
  });

  it('contains only the operator’s merchants', async () => {
    const merchant = await tenant.merchant();
    await tenant.account();
    const { orderNo } = await tenant.deposit(merchant);
    const clerk = await tenant.person('clerk', ['support']);
    const actor = { ...clerk, operator: { ...clerk.operator, merchantIds: [merchant.id] } };
    await expect(take({}, tenant.operatorWith(['VIEW']))).rejects.toMatchObject({
      kind: 'AUTHORIZATION_ERROR',
    });
    expect(lines(await take({}, actor)).map(([no]) => no)).toEqual([orderNo]);
    const [row] = lines(await take({ filter: { merchantId: [merchant.id] } }));
    expect(row?.slice(0, 9)).toEqual([
      orderNo,
      ...[expect.any(String) as string, merchant.merchantCode, 'direct', 'pending', 'THB'],
      ...['100.0000', '100.0000', '0.0000'],
    ]);
  });

  it('of the ledger continues after a cut', async () => {
    const { sql } = tenant.database;
    const [since] = await sql<{ at: Date }[]>`
      select t.at from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      order by t.at desc offset 10100 limit 1`;
    const rows = await sql<{ line: string }[]>`
      select e.transfer_id || ',' || e.line as line from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      where t.at >= ${since?.at ?? null} order by e.transfer_id desc, e.line desc`;
    const expected = rows.map(({ line }) => line);
    await expectContinued(tenant, 'ExportLedgerEntries', { at: { from: since?.at } }, expected, 2);
  });

  it('of bank credits continues after a cut', async () => {
    const { sql } = tenant.database;
    // As many requests as needed.
    await sql`
      insert into bank_transfers
      select r.* from (select t, row_number() over () as n from bank_transfers t) o,
        jsonb_populate_record(o.t, jsonb_build_object('id', uuidv7(), 'dedupe_key', 'copy-' || n)) r
      where n <= 10100 - (select count(*) from bank_transfers)`;
    const rows = await sql<{ id: string }[]>`
      select id from bank_transfers order by received_at desc, id desc`;
    const expected = rows.map(({ id }) => id);
    await expectContinued(tenant, 'ExportBankTransfers', {}, expected);
  });
});
