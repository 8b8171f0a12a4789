import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

interface Statement {
  id: string;
  status: string;
  problem: string | null;
}
interface Line {
  line: number;
  state: string;
  problem: string | null;
  amount: string | null;
}

describe('a file of a bank', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let account: { id: string; accountNo: string };
  let next = 100;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    await tenant.account();
    const [row] = await tenant.database.sql<{ id: string; accountNo: string }[]>`
      select id, account_no from bank_accounts`;
    if (!row) throw new Error('there is no account');
    account = row;
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  /** Deposits of amounts that no other test has. */
  const deposits = async (...amounts: string[]): Promise<TestDeposit[]> => {
    const made: TestDeposit[] = [];
    for (const amount of amounts) made.push(await tenant.deposit(merchant, { amount }));
    return made;
  };
  const statusOf = async ({ orderNo }: TestDeposit): Promise<string> => {
    const [row] = await tenant.database.sql<{ status: string }[]>`
      select status from deposit_orders where order_no = ${orderNo}`;
    return row?.status ?? '';
  };
  const today = (): string => tenant.now().toISOString().slice(0, 10);

  /** Uploads, reads and imports a file. A file that is refused is not imported. */
  const take = async (
    format: string,
    text: string | Buffer,
    columns?: Readonly<Record<string, string>>,
    more: object = {},
  ): Promise<{ problem: string | null; lines: readonly Line[] }> => {
    const mapping = columns && {
      name: `mapping ${next++}`,
      dateFormat: 'YYYY-MM-DD',
      ...more,
      columns: Object.entries(columns).map(([holds, heading]) => ({ holds, headings: [heading] })),
    };
    const saved =
      mapping &&
      (await tenant.operate<{ id: string }>('PutStatementMapping', {
        input: mapping,
        reason: 'x',
      }));
    const input = { accountId: account.id, format, fileName: 'a', mappingId: saved?.id };
    const { id } = await tenant.operate<Statement>('BeginStatement', { input });
    const content = Buffer.from(text as string).toString('base64');
    await tenant.operate('AddStatementPart', { id, part: 0, content });
    let statement: Statement;
    do statement = await tenant.operate<Statement>('ReadStatement', { id });
    while (statement.status !== 'READ');
    if (statement.problem === null)
      do statement = await tenant.operate<Statement>('ImportStatement', { id, reason: 'x' });
      while (statement.status !== 'IMPORTED');
    const lines = await tenant.database.sql<Line[]>`
      select line, state, problem, amount from statement_lines where statement_id = ${id} order by line`;
    return { problem: statement.problem, lines };
  };

  const camtOf = (entries: string): string =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>${account.accountNo}</Id></Othr></Id><Ccy>THB</Ccy></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
  const entryOf = (amount: string, details: string): string =>
    `<Ntry><Amt Ccy="THB">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${today()}</Dt></BookgDt><NtryDtls>${details}</NtryDtls></Ntry>`;
  const detailOf = (memo: string, amount?: string): string =>
    `<TxDtls>${amount === undefined ? '' : `<Amt Ccy="THB">${amount}</Amt>`}<RmtInf><Ustrd>${memo}</Ustrd></RmtInf></TxDtls>`;

  it('camt.053 in one line credits each of its entries', async () => {
    const orders = await deposits('71.00', '72.00', '73.00');
    const entries = orders.map(({ amount, expectedRemark }) => entryOf(amount, detailOf(expectedRemark)));
    const { lines } = await take('CAMT053', camtOf(entries.join('')));
    expect(lines.map(({ line, state }) => [line, state])).toEqual([
      [1, 'RECORDED'],
      [2, 'RECORDED'],
      [3, 'RECORDED'],
    ]);
    for (const order of orders) expect(await statusOf(order)).toBe('MATCHED');
  });

  it('a collective booking pays the orders of its details, and none by its whole sum', async () => {
    const [whole, first, second] = await deposits('50.00', '31.00', '32.00');
    if (!whole || !first || !second) throw new Error('there are no orders');
    await take(
      'CAMT053',
      camtOf(
        [
          // A detail of 1.00 has the remark of an order of 50.00.
          entryOf('50.00', detailOf('other', '49.00') + detailOf(whole.expectedRemark, '1.00')),
          entryOf('50.00', detailOf('other', '48.00') + detailOf(whole.expectedRemark, '1.00')),
          entryOf('50.00', detailOf('other') + detailOf(whole.expectedRemark)),
          entryOf('50.00', detailOf(whole.expectedRemark, '1.00')),
          entryOf('63.00', detailOf(first.expectedRemark, '31.00') + detailOf(second.expectedRemark, '32.00')),
        ].join(''),
      ),
    );
    expect(await statusOf(whole)).toBe('PENDING');
    expect(await statusOf(first)).toBe('MATCHED');
    expect(await statusOf(second)).toBe('MATCHED');
    const waiting = await tenant.database.sql<{ amount: string; reason: string }[]>`
      select amount, unmatched_reason as reason from bank_transfers
      where unmatched_reason is not null order by amount, unmatched_reason`;
    expect(waiting.map(({ amount, reason }) => `${amount} ${reason}`)).toEqual([
      '1.0000 AMOUNT_DIFFERS',
      '49.0000 NO_REMARK',
      ...Array<string>(3).fill('50.0000 SEVERAL_REMARKS'),
    ]);
  });

  it('camt.053 that is cut off is not imported, whatever entries it has', async () => {
    const [order] = await deposits('74.00');
    if (!order) throw new Error('there is no order');
    const text = camtOf(entryOf('74.00', detailOf(order.expectedRemark))).slice(0, -20);
    expect((await take('CAMT053', text)).problem).toMatch(/^the file is not well-formed XML/);
    expect(await statusOf(order)).toBe('PENDING');
  });

  it.each([
    [
      'its text behind a form, in slashes, wrapped',
      'NTRFEREF//00000000001234\r\n/TRCD/00100/',
      '/EREF/NOTPROVIDED//CNTP/NL99TEST0123456789/TESTNL2A/J TESTER///REMI/USTD//\r\n{REMARK}/',
    ],
    [
      'a line of its text that looks like a field',
      'N166NONREF//W1',
      '166?00GUTSCHRIFT?20EREF+1 2026-11-28T16\r\n:26:37 ?21SVWZ+{REMARK}?32A TEST',
    ],
  ])('MT940 with %s pays the order of its remark', async (_what, type, details) => {
    const [order] = await deposits(`${next++}.00`);
    if (!order) throw new Error('there is no order');
    const [day, amount] = [today().slice(2).replaceAll('-', ''), order.amount.split('.')[0]];
    const text = [
      ...[':20:STMT1', `:25:${account.accountNo}`, ':28C:1/1', `:60F:C${day}THB0,00`],
      ...[`:61:${day}C${amount},00${type}`, `:86:${details.replace('{REMARK}', order.expectedRemark)}`],
      ...[`:62F:C${day}THB${amount},00`, '-'],
    ].join('\r\n');
    expect((await take('MT940', text)).problem).toBeNull();
    expect(await statusOf(order)).toBe('MATCHED');
  });

  it('MT940 with a credit and a debit within a payer’s text pays no order', async () => {
    const [order] = await deposits(`${next++}.00`);
    if (!order) throw new Error('there is no order');
    const [day, amount] = [today().slice(2).replaceAll('-', ''), order.amount.split('.')[0]];
    const text = [
      ...[':20:STMT1', `:25:${account.accountNo}`, ':28C:1/1', `:60F:C${day}THB0,00`],
      ...[`:61:${day}C1,37NTRFX0`, ':86:hi', `:61:${day}D${amount},00NTRFX8`],
      ...[`:61:${day}C${amount},00NTRFX9`, order.expectedRemark, `:62F:C${day}THB1,37`, '-'],
    ].join('\r\n');
    const { problem, lines } = await take('MT940', text);
    expect(problem).toBeNull();
    expect(lines.map(({ state }) => state)).toEqual(Array<string>(3).fill('RECORDED'));
    expect(await statusOf(order)).toBe('PENDING');
    const waiting = await tenant.database.sql<{ reason: string }[]>`
      select unmatched_reason as reason from bank_transfers where amount = ${order.amount}`;
    expect(waiting).toEqual([{ reason: 'SEVERAL_REMARKS' }]);
  });

  it('CSV with the other decimal sign credits no hundredfold', async () => {
    const [order] = await deposits('1250.00');
    if (!order) throw new Error('there is no order');
    const { lines } = await take('CSV', `Date,Amount,Text,Ref\n${today()},"12,50",${order.expectedRemark},X3`, {
      date: 'Date',
      amount: 'Amount',
      memo: 'Text',
      reference: 'Ref',
    });
    expect(lines).toMatchObject([{ line: 2, state: 'BAD', problem: 'the amount "12,50" is not a number' }]);
    expect(await statusOf(order)).toBe('PENDING');
  });

  it('CSV with a status credits what is booked, and only by a mapping that reads it', async () => {
    const [order] = await deposits('211.00');
    if (!order) throw new Error('there is no order');
    const rowOf = (status: string): string =>
      `Date,Amount,Status,Text,Ref\n${today()},211.00,${status},${order.expectedRemark},X1`;
    const columns = { date: 'Date', amount: 'Amount', memo: 'Text', reference: 'Ref' };
    expect((await take('CSV', rowOf('Success'), columns)).problem).toContain('"Status"');
    const { lines } = await take('CSV', rowOf('Failed'), { ...columns, status: 'Status' });
    expect(lines).toMatchObject([{ state: 'BAD', problem: 'it is not booked: its status is "Failed"' }]);
    expect(await statusOf(order)).toBe('PENDING');
    const own = { bookedWords: ['Paid out'] };
    await take('CSV', rowOf('paid out'), { ...columns, status: 'Status' }, own);
    expect(await statusOf(order)).toBe('MATCHED');
  });
});
