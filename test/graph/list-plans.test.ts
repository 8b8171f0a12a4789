import {
  getNamedType,
  type GraphQLObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  parse,
} from 'graphql';
import pino from 'pino';
import { seeded } from '../../bench/harness';
import { type PageKind, PAGES, type Pick, pickFrom } from '../../bench/list-pages';
import { loadOrders } from '../../bench/many-orders';
import { loadOthers } from '../../bench/many-others';
import { loadWithdrawals } from '../../bench/many-withdrawals';
import { OTHER_PAGES } from '../../bench/other-pages';
import type { Loaded } from '../../bench/past';
import { isBackground, onlyReads, planOf, type Sent, smallTables } from '../../bench/plans';
import { WITHDRAWAL_PAGES } from '../../bench/withdrawal-pages';
import type { Database } from '../../db/client';
import { verifyLedger } from '../../db/ledger/ledger';
import type { Graph } from '../../graph';
import { createTestChannel } from '../support/channel-tenant';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { operatorDocument, Tenant } from '../support/tenant';

const silent = pino({ level: 'silent' });

/** 20,000 orders with all related rows: enough that a plan without an index costs more. */
describe('over 20,000 orders', () => {
  const now = new Date();
  const sent: Sent[] = [];
  let test: TestDatabase;
  let tenant: Tenant;
  let database: Database;
  let graph: Graph;
  let loaded: Loaded;
  let pick: Pick;
  let small: ReadonlySet<string>;

  beforeAll(async () => {
    test = await createTestDatabase();
    const extent = { orders: 20_000, merchants: 500, accounts: 60, days: 90, now };
    loaded = await loadOrders(test.url, extent);
    pick = pickFrom(loaded, now, 90, seeded(3));
    tenant = await Tenant.create(test, {
      watch: (statement, parameters) => {
        if (!statement.startsWith('explain') && !isBackground(statement)) sent.push({ statement, parameters });
      },
    });
    tenant.now = () => now;
    ({ database, graph } = tenant);
    small = await smallTables(database.sql);
  }, 300_000);
  afterAll(async () => {
    await tenant.close();
  });

  const run = async (
    document: ReturnType<typeof operatorDocument>,
    variables: Record<string, unknown>,
  ): Promise<Record<string, unknown>> => {
    sent.length = 0;
    const data: unknown = await graph.execute(document, variables, tenant.operator, silent);
    return data as Record<string, unknown>;
  };

  it('the loaded rows are consistent: the ledger adds up', async () => {
    expect(await verifyLedger(database)).toEqual([]);
  });

  it('the tables that grow with the orders are large', () => {
    for (const table of [
      'deposit_orders',
      'merchant_order_numbers',
      'order_events',
      'bank_transfers',
      'bank_debits',
      'ledger_entries',
      'ledger_transfers',
      'notification_logs',
    ])
      expect(small).not.toContain(table);
  });

  /** Opens pages of a kind. @returns the statements that scan a large table */
  async function scansOf({ operation, variables, deep }: PageKind): Promise<unknown[]> {
    const scans: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      let asked = variables(pick);
      if (deep) {
        const { pageInfo } = Object.values(await run(operatorDocument(operation), { ...asked, first: 100 }))[0] as {
          pageInfo: { endCursor: string | null };
        };
        asked = { ...asked, after: pageInfo.endCursor };
      }
      await run(operatorDocument(operation), asked);
      expect(sent.length).toBeGreaterThan(0);
      for (const one of sent.filter(onlyReads)) {
        const plan = await planOf(database.read, one);
        const sequential = plan.sequential.filter((table) => !small.has(table));
        if (sequential.length > 0) scans.push({ sequential, ...one });
      }
    }
    return scans;
  }

  it.each(PAGES.map((kind) => [kind.name, kind] as const))(
    'no statement scans a table sequentially: %s',
    async (_name, kind) => {
      expect(await scansOf(kind)).toEqual([]);
    },
  );

  interface ListPage {
    nodes: object[];
    pageInfo: { hasNextPage: boolean; startCursor: string | null; endCursor: string | null };
  }
  const pageOf = async (operation: string, variables: Record<string, unknown>): Promise<ListPage> =>
    Object.values(await run(operatorDocument(operation), variables))[0] as ListPage;
  const LISTS = PAGES.filter(({ operation }) => !['Search', 'CountDeposits'].includes(operation));

  it.each(LISTS.map((kind) => [kind.name, kind] as const))(
    'pages that are read forward, and back, make up the list: %s',
    async (_name, { operation, variables }) => {
      const { first: _first, last: _last, ...asked } = variables(pick);
      const { nodes: whole } = await pageOf(operation, { ...asked, first: 90 });
      const on: object[] = [];
      let after: string | null = null;
      for (let n = 0; n < 3; n++) {
        const page: ListPage = await pageOf(operation, { ...asked, first: 30, after });
        on.push(...page.nodes);
        after = page.pageInfo.endCursor ?? after;
      }
      expect(on).toEqual(whole);
      const last = await pageOf(operation, { ...asked, first: 90 });
      const back = await pageOf(operation, {
        ...asked,
        last: 90,
        before: last.pageInfo.endCursor,
      });
      expect(back.nodes).toEqual(whole.slice(0, -1));
    },
  );

  it.each<[string, string, Record<string, unknown>, string]>([
    [
      'transfers of an amount',
      'BankTransfers',
      { amount: { min: '100', max: '100' }, currencyCode: 'INR' },
      "bank_transfers where amount = 100 and currency_code = 'INR'",
    ],
    [
      'transfers that wait',
      'UnmatchedTransfers',
      { unmatchedReason: ['ORDER_NOT_PENDING'] },
      "bank_transfers where unmatched_reason = 'ORDER_NOT_PENDING'",
    ],
    [
      'transfers that do not wait',
      'BankTransfers',
      { unmatched: false, amount: { min: '49000' } },
      'bank_transfers where unmatched_reason is null and amount >= 49000',
    ],
    [
      'debits that wait',
      'BankDebits',
      { explained: false, amount: { max: '1000' } },
      'bank_debits where explained_at is null and amount <= 1000',
    ],
    [
      'callbacks that failed',
      'Callbacks',
      { status: ['FAILED', 'SENDING'] },
      "notification_logs where status = 'FAILED'",
    ],
    ['disabled merchants', 'Merchants', { enabled: false }, 'merchants where not enabled'],
    [
      'merchants by how their name begins',
      'Merchants',
      { namePrefix: 'jade 1' },
      "merchants where name like 'Jade 1%'",
    ],
    [
      'merchants by how their code begins',
      'Merchants',
      { merchantCodePrefix: 'MERCHANT-004' },
      "merchants where merchant_code like 'MERCHANT-004%'",
    ],
    [
      'accounts of a bank',
      'BankAccounts',
      { bankCode: 'SCB', status: ['ACTIVE'] },
      "bank_accounts where bank_code = 'SCB' and status = 'ACTIVE'",
    ],
    [
      'accounts by how their number begins',
      'BankAccounts',
      { accountNoPrefix: '4012100001' },
      "bank_accounts where account_no like '4012100001%'",
    ],
    [
      'deposits with a callback that failed',
      'Deposits',
      { callbackStatus: 'FAILED', currencyCode: 'INR' },
      "deposit_orders d join notification_logs n on n.order_id = d.id where n.status = 'FAILED' and d.currency_code = 'INR'",
    ],
    [
      'deposits in a currency by amount',
      'Deposits',
      { currencyCode: 'INR', amount: { min: '30000' } },
      "deposit_orders where currency_code = 'INR' and amount >= 30000",
    ],
  ])('a list shows the requested fields: %s', async (_what, operation, filter, rows) => {
    const { nodes, pageInfo } = await pageOf(operation, { filter, first: 200 });
    const [row] = await database.sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${rows}`);
    expect(row?.count).toBeGreaterThan(0);
    expect(nodes).toHaveLength(Math.min(200, row?.count ?? 0));
    expect(pageInfo.hasNextPage).toBe((row?.count ?? 0) > 200);
  });

  it('the refunds of a merchant are read by their own index', async () => {
    const { sql } = database;
    await tenant.operate('TopUpBalance', {
      merchantId: loaded.merchantIds[0],
      currencyCode: 'INR',
      amount: '1',
      reason: 'test',
      evidence: { text: 'seen' },
    });
    await sql`
      insert into payer_returns (id, status, deposit_id, merchant_id, currency_code, amount, payee_name, payee_account,
        change_id, reason, created_at)
      select gen_random_uuid(), 'OPEN', d.id, d.merchant_id, d.currency_code, 1, 'Ann', '1', c.id, 'test', d.created_at
      from deposit_orders d cross join (select id from change_requests limit 1) c where d.status = 'COMPLETED'`;
    await sql`analyze payer_returns`;
    const filter = { merchantId: [loaded.merchantIds[7]] };
    await run(operatorDocument('PayerReturns'), { filter, first: 50 });
    const [read] = sent.filter(({ statement }) => statement.includes('from payer_returns'));
    if (!read) throw new Error('nothing was read');
    expect(await planOf(database.read, read)).toEqual({
      sequential: [],
      indexes: ['payer_returns_of_merchant'],
    });
  });

  it("a list of the ledger reads a merchant's lines of a period", async () => {
    const [merchantId] = loaded.merchantIds;
    const at = { from: new Date(now.getTime() - 20 * 86_400_000), to: now };
    const { nodes } = await pageOf('LedgerEntries', {
      filter: { merchantId, currencyCode: 'INR', at },
      first: 200,
    });
    const account = `merchant:${merchantId ?? ''}:available`;
    const rows = await database.sql`
      select e.amount from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      where e.account = ${account} and e.currency_code = 'INR' and t.at >= ${at.from} and t.at < ${at.to}`;
    expect(rows.length).toBeGreaterThan(0);
    expect(nodes).toHaveLength(Math.min(200, rows.length));
    expect(new Set(nodes.map((node) => (node as { account: string }).account))).toEqual(new Set([account]));
  });

  /** Every field of a type that needs no argument; in nested objects only the scalar ones. */
  const selection = (type: GraphQLObjectType, depth: number): string =>
    Object.values(type.getFields())
      .flatMap((field) => {
        if (field.args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)) return [];
        const of = getNamedType(field.type);
        if (isLeafType(of)) return [field.name];
        if (!isObjectType(of) || depth === 0) return [];
        return [`${field.name} { ${selection(of, depth - 1)} }`];
      })
      .join(' ');

  const nodeOf = ({ type }: GraphQLField<unknown, unknown>): GraphQLObjectType | undefined => {
    const of = getNamedType(type);
    const nodes = isObjectType(of) ? of.getFields()['nodes'] : undefined;
    const node = nodes && getNamedType(nodes.type);
    return isObjectType(node) ? node : undefined;
  };

  /** The newest deposits are at channels, which received late money for them. */
  async function giveChannels(): Promise<void> {
    const channels = await Promise.all(
      Array.from({ length: 12 }, async () => await createTestChannel(tenant, { kind: 'MOCK' })),
    );
    await database.sql`
      with newest as (
        select id, order_no, row_number() over (order by created_at desc, id desc) as n from deposit_orders
        order by created_at desc, id desc limit 60
      ), taken as (
        update deposit_orders d
        set channel_id = (${channels.map(({ id }) => id)}::uuid[])[1 + n.n % 12], channel_order_no = 'C-' || n.n,
          estimated_channel_cost = 1
        from newest n where d.id = n.id returning d.id, d.merchant_id, d.channel_id, d.order_no
      ), tried as (
        insert into deposit_attempts (id, deposit_id, number, channel_id, reference, status, sent_at, created_at, updated_at)
        select uuidv7(), id, 1, channel_id, order_no || '-1', 'FAILED', ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
        from taken returning id, deposit_id
      )
      insert into late_receipts (attempt_id, merchant_id, amount, cost, at)
      select a.id, d.merchant_id, 100, 1, ${now}::timestamptz from tried a join taken d on d.id = a.deposit_id`;
  }

  it('a page of 50 rows takes as many statements as one of 5, for any fields', async () => {
    await giveChannels();
    const lists = Object.values(graph.schema.getQueryType()?.getFields() ?? {}).filter(nodeOf);
    // Some fields are read only for some rows: the first rows must have them too.
    const [newest] = await database.sql<{ accountId: string; currencyCode: string }[]>`
      select account_id, currency_code from deposit_orders order by created_at desc, id desc limit 1`;
    const { transfer } = await tenant.notify({ ...newest, amount: '7.77', memo: 'no order' });
    expect(transfer.unmatchedReason).not.toBeNull();
    const counts: Record<string, number[]> = {};
    let deposits: {
      readonly nodes: readonly {
        readonly channel: { readonly channelCode: string } | null;
        readonly lateReceipts: readonly { readonly channelName: string }[];
      }[];
    } = { nodes: [] };
    for (const list of lists) {
      const node = nodeOf(list);
      if (!node) throw new Error(`${list.name} has no nodes`);
      const document = parse(`query($first: Int!) { ${list.name}(first: $first) { nodes { ${selection(node, 2)} } } }`);
      const counted: number[] = [];
      for (const first of [5, 50]) {
        const page = await run(document, { first });
        counted.push(sent.length);
        if (list.name === 'deposits') deposits = page[list.name] as typeof deposits;
      }
      counts[list.name] = counted;
    }
    // The statements for 50 deposits cover 50 channels' deposits too.
    const atChannels = deposits.nodes.filter(
      ({ channel, lateReceipts }) => channel?.channelCode && lateReceipts[0]?.channelName,
    );
    expect(atChannels).toHaveLength(50);
    expect(Object.keys(counts)).toEqual(
      expect.arrayContaining([
        'deposits',
        'bankTransfers',
        'unmatchedTransfers',
        'callbacks',
        'merchants',
        'bankAccounts',
        'ledgerEntries',
        'lateReceipts',
      ]),
    );
    for (const [name, [few, many]] of Object.entries(counts))
      expect({ name, statements: many }).toEqual({ name, statements: few });
  });

  it('a search takes as many statements for 50 rows as for 5', async () => {
    const document = operatorDocument('Search');
    const counted: number[] = [];
    for (const first of [3, 50]) {
      const { search } = await run(document, { text: 'ORD', first });
      expect(search).toHaveLength(first);
      counted.push(sent.length);
    }
    expect(counted[1]).toBe(counted[0]);
  });

  // Last: these rows have no postings in the ledger.
  describe('and withdrawals, sessions, changes, the log of operators, and days', () => {
    beforeAll(async () => {
      await loadWithdrawals(test.url, { orders: 20_000, days: 90, now });
      await loadOthers(test.url, { days: 90, now });
      small = await smallTables(database.sql);
    }, 300_000);

    it('the tables that grow with them are large', () => {
      for (const table of ['withdrawal_orders', 'cashier_sessions', 'commissions', 'settlement_runs'])
        expect(small).not.toContain(table);
    });

    it.each([...WITHDRAWAL_PAGES, ...OTHER_PAGES].map((kind) => [kind.name, kind] as const))(
      'no statement scans a table sequentially: %s',
      async (_name, kind) => {
        expect(await scansOf(kind)).toEqual([]);
      },
    );
  });
});
