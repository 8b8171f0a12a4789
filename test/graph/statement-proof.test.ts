import type { Actor } from '../../steps/access/actor';
import { countsOf as counts, StatementFiles } from '../support/statement-files';
import { type OperatorActor, Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';
import { fundedMerchant, transferUnderWay } from '../support/withdrawals';

interface Shown {
  id: string;
  status: string;
  problem: string | null;
  contradiction: string | null;
  difference: string | null;
  gap: string | null;
  closingBalance: string | null;
  confirmedBy: { label: string } | null;
  totals: { state: string; direction: string | null; lines: number; amount: string }[];
}
interface Change {
  id: string;
  kind: string;
  status: string;
}

const REASON = 'the bank says that it lost a page';

describe('a statement', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let accountNo: string;
  let files: StatementFiles;
  let rita: OperatorActor;
  let tess: OperatorActor;
  let ann: OperatorActor;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    files = await StatementFiles.create(tenant);
    [rita, tess, ann] = await Promise.all([
      tenant.person('rita', ['reconcile']),
      tenant.person('tess', ['treasurer']),
      tenant.person('ann', ['approve']),
    ]);
  });
  beforeEach(async () => {
    accountId = await tenant.account();
    const { sql } = tenant.database;
    const [row] = await sql<{ no: string }[]>`
      select account_no as no from bank_accounts where id = ${accountId}`;
    accountNo = row?.no ?? '';
  });
  afterEach(() => {
    tenant.changes.onePerson = true;
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  const orderHere = async (amount: string): Promise<TestDeposit> => {
    const deposit = await tenant.deposit(merchant, { amount });
    await tenant.database.sql`
      update deposit_orders set account_id = ${accountId} where order_no = ${deposit.orderNo}`;
    return deposit;
  };
  const statusOf = async (orderNo: string): Promise<string> => {
    const [row] = await tenant.database.sql<{ status: string }[]>`
      select status from deposit_orders where order_no = ${orderNo}`;
    return row?.status ?? '';
  };
  const credits = async (): Promise<number> => {
    const [row] = await tenant.database.sql<{ n: number }[]>`
      select count(*)::int as n from bank_transfers where account_id = ${accountId}`;
    return row?.n ?? 0;
  };
  const today = (): string => new Date(tenant.now().getTime()).toISOString().slice(2, 10).replaceAll('-', '');
  /** An MT940 file of a page; lines such as `C10,00 text`. */
  const mt940 = (opening: string, lines: readonly string[], closing: string): string =>
    [
      ...[':20:STMT1', `:25:${accountNo}`, ':28C:1/1', `:60F:C${today()}THB${opening}`],
      ...lines.flatMap((line, at) => {
        const [amount = '', memo = ''] = line.split(' ');
        return [`:61:${today()}${today().slice(2)}${amount}NTRFNONREF//N${at}${accountNo}`, `:86:${memo}`];
      }),
      ...[`:62F:C${today()}THB${closing}`, '-'],
    ].join('\n');
  const uploadText = async (text: string, by?: Actor): Promise<string> => {
    const input = { accountId, format: 'MT940', fileName: 'a.sta' };
    const { id } = await tenant.operate<{ id: string }>('BeginStatement', { input }, by);
    const content = Buffer.from(text).toString('base64');
    await tenant.operate('AddStatementPart', { id, part: 0, content }, by);
    return id;
  };
  const upload = async (rows: readonly string[], by?: Actor): Promise<string> =>
    await files.upload(accountId, rows, by);
  const read = async (id: string, by?: Actor): Promise<Shown> => (await files.read(id, by)) as unknown as Shown;
  const explain = async (id: string, by?: Actor): Promise<{ change: Change; statement: Shown }> =>
    await tenant.operate('ExplainStatement', { id, reason: REASON }, by);
  const shown = async (id: string): Promise<Shown> => {
    const { id: same, ...row } = await tenant.operate<Shown>('BankStatement', { id });
    return { id: same, ...row };
  };

  describe('that does not add up', () => {
    it.each([
      ['its closing balance', '5002.0000', (remark: string) => mt940('100,00', [`C5003,00 ${remark}`], '101,00')],
      [
        'a balance beside a line',
        '5003.0000',
        (remark: string) => [`${files.at(0)},1.00,x,R8,101.00`, `${files.at(0)},5004.00,${remark},R9,102.00`],
      ],
    ])('records nothing before somebody says why: %s', async (_what, difference, make) => {
      const deposit = await orderHere(difference.startsWith('5002') ? '5003.00' : '5004.00');
      const made = make(deposit.expectedRemark);
      const id = typeof made === 'string' ? await uploadText(made) : await upload(made);
      const found = await read(id);
      expect(found).toMatchObject({ status: 'READ', difference });
      expect(found.contradiction).toContain(difference);
      expect(found.problem).toBe(found.contradiction);
      await expect(files.importIt(id)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
      expect([await credits(), await statusOf(deposit.orderNo)]).toEqual([0, 'PENDING']);
      // One person decides here, but not silently.
      const { change, statement } = await explain(id);
      expect(change).toMatchObject({ kind: 'EXPLAIN_STATEMENT', status: 'APPLIED' });
      expect(statement).toMatchObject({ contradiction: null, problem: null, difference });
      await files.importIt(id);
      expect(await statusOf(deposit.orderNo)).toBe('MATCHED');
      await expect(explain(id)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    });

    it('is not refused permanently where a payer’s text looks like a closing balance', async () => {
      const deposit = await orderHere('5005.00');
      const balance = `:62F:C${today()}THB1,00`;
      const lines = [`C1,00 hi\n${balance}`, `C5005,00 ${deposit.expectedRemark}`];
      const id = await uploadText(mt940('0,00', lines, '5006,00'));
      const found = await read(id);
      expect(found).toMatchObject({ status: 'READ', difference: '0.0000' });
      expect(found.contradiction).toContain('an entry follows its closing balance');
      await expect(files.importIt(id)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
      await explain(id);
      await files.importIt(id);
      expect([await credits(), await statusOf(deposit.orderNo)]).toEqual([2, 'MATCHED']);
    });

    it('takes two people where two decide, and is explained as it was shown', async () => {
      tenant.changes.onePerson = false;
      const id = await uploadText(mt940('0,00', ['C10,00 a', 'C90000,00 b'], '10,00'), rita);
      await read(id, rita);
      const { change } = await explain(id, rita);
      expect(change.status).toBe('PROPOSED');
      const approve = async (by: Actor): Promise<Change> =>
        await tenant.operate('ApproveChange', { id: change.id, reason: 'asked the bank' }, by);
      await expect(approve(rita)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
      await expect(files.importIt(id, rita)).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
      expect(await approve(ann)).toMatchObject({ status: 'APPLIED' });
      expect(counts((await files.importIt(id, rita)) as never)).toEqual({ RECORDED: 2 });
    });

    it('is not explained once it is dropped', async () => {
      tenant.changes.onePerson = false;
      const id = await uploadText(mt940('0,00', ['C10,00 a'], '11,00'), rita);
      await read(id, rita);
      const { change } = await explain(id, tess);
      await tenant.operate('DropStatement', { id, reason: 'wrong file' }, rita);
      await expect(tenant.operate('ApproveChange', { id: change.id, reason: 'late' }, ann)).rejects.toMatchObject({
        kind: 'CONFLICT',
      });
    });
  });

  it('with movements that a payer may have written leaves them to a person', async () => {
    const { sql } = tenant.database;
    const payer = await fundedMerchant(tenant, '10000');
    const { orderNo } = await transferUnderWay(tenant, payer, accountId, { amount: '77' });
    const rule = { name: 'fees', action: 'BANK_CHARGE', direction: 'DEBIT', memoPattern: 'fee' };
    const limits = { currencyCode: 'THB', maxAmount: '100', maxDayAmount: '100' };
    const input = { ...rule, ...limits, accountId };
    await tenant.operate('PutStatementRule', { input, reason: 'agreed' });
    const bankTime = tenant.now().toISOString();
    const entered = { accountId, amount: '78', currencyCode: 'THB', memo: '', bankTime };
    await tenant.operate('RecordBankNotification', { input: entered });
    const lines = ['C1,00 hi', `D77,00 ${orderNo}-1`, 'C77,00 x', 'C2,00 1\n2\n3\n4\n5\n6'];
    const id = await uploadText(mt940('0,00', [...lines, 'C3,00 hi', 'D78,00 fee', 'C78,00 y'], '6,00'));
    expect(await read(id)).toMatchObject({ contradiction: null, problem: null });
    expect(counts((await files.importIt(id)) as never)).toEqual({ PAIRED: 1, RECORDED: 6 });
    const debits = await sql`
      select 1 from bank_debits where account_id = ${accountId} and explained_at is not null`;
    const confirmed = await sql`
      select 1 from bank_transfers where account_id = ${accountId} and confirmed_at is not null`;
    expect([debits.length, confirmed.length]).toEqual([0, 0]);
    expect((await files.lines(id)).filter((line) => line.rule !== null)).toEqual([]);
  });

  it('that adds up is imported as before, in whatever order its lines are', async () => {
    const id = await uploadText(mt940('0,00', ['C500,00 a', 'D0,50 b'], '499,50'));
    expect(await read(id)).toMatchObject({ difference: null, contradiction: null, problem: null });
    expect(counts((await files.importIt(id)) as never)).toEqual({ RECORDED: 2 });
    const newest = await upload([`${files.at(1)},-5.00,c,Q3,514.50`, `${files.at(2)},20.00,d,Q4,519.50`]);
    expect(await read(newest)).toMatchObject({ difference: null, closingBalance: '514.5000' });
    await files.importIt(newest);
  });

  it('names what lies between it and the statement before, and is imported anyway', async () => {
    const take = async (rows: readonly string[]): Promise<Shown> => {
      const id = await upload(rows);
      const found = await read(id);
      await files.importIt(id);
      return found;
    };
    const day = 24 * 60;
    const first = [`${files.at(5 * day)},10.00,a,G1,110.00`];
    const next = [`${files.at(4 * day)},5.00,b,G2,115.00`];
    expect((await take(first)).gap).toBeNull();
    expect((await take(next)).gap).toBeNull();
    const { gap } = await take([`${files.at(2 * day)},1.00,c,G3,201.00`]);
    expect(gap).toContain('with 115.0000, and this one begins with 200.0000');
    // Days that are in both files, and a file of days before.
    expect((await take([...first, ...next])).gap).toBeNull();
    expect((await take([`${files.at(9 * day)},7.00,d,G4,77.00`])).gap).toBeNull();
  });

  it('has no total as a credit', async () => {
    const id = await upload([`${files.at(3)},71.00,a,F1,171.00`, `${files.at(3)},171.00,Closing balance / Total,,`]);
    const found = await read(id);
    expect(counts(found as never)).toEqual({ NEW: 1, BAD: 1 });
    expect(found).toMatchObject({ difference: null, closingBalance: '171.0000' });
    expect(counts((await files.importIt(id)) as never)).toEqual({ RECORDED: 1, BAD: 1 });
    expect(await credits()).toBe(1);
    expect(await shown(id)).toMatchObject({ confirmedBy: { label: 'admin' } });
  });
});
