import type { Actor } from '../../steps/access/actor';
import { countsOf as counts, StatementFiles } from '../support/statement-files';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

/** One payment that an agent and statements tell of, in their own words. */
describe('a payment that is reported twice', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let files: StatementFiles;
  let agent: Actor;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    files = await StatementFiles.create(tenant);
  });
  beforeEach(async () => {
    accountId = await tenant.account();
    const { key } = await tenant.operate<{ key: { id: string } }>('CreateAgentKey', {
      reason: 'test',
      input: { label: 'agent', accountIds: [accountId] },
    });
    agent = {
      kind: 'agent',
      key: {
        id: key.id,
        label: 'agent',
        accountIds: [accountId],
        maxTransferAmount: null,
        maxDailyAmount: null,
        worksSince: new Date(),
      },
    } as unknown as Actor;
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
  const statusOf = async ({ orderNo }: TestDeposit): Promise<string> => {
    const [row] = await tenant.database.sql<{ status: string }[]>`
      select status from deposit_orders where order_no = ${orderNo}`;
    return row?.status ?? '';
  };
  /** How many credits there are, and what our book has of them. */
  const booked = async (): Promise<string> => {
    const [row] = await tenant.database.sql<{ n: number; book: string }[]>`
      select (select count(*)::int from bank_transfers where account_id = ${accountId}) as n,
        (select coalesce(-sum(amount), 0)::numeric(20, 2)::text from ledger_entries
          where account = ${`bank:${accountId}`}) as book`;
    return `${row?.n ?? 0} of ${row?.book ?? ''}`;
  };
  const report = async (fields: Record<string, unknown>): Promise<string> => {
    const { transfer } = await tenant.notify({ accountId, memo: '', ...fields }, agent);
    return transfer.id;
  };
  const take = async (...rows: readonly string[]): Promise<Record<string, number>> =>
    counts(await files.take(accountId, rows));
  const mt940 = async (lines: readonly string[]): Promise<Record<string, number>> => {
    const [row] = await tenant.database.sql<{ no: string }[]>`
      select account_no as no from bank_accounts where id = ${accountId}`;
    const input = { accountId, format: 'MT940', fileName: 'a.sta' };
    const { id } = await tenant.operate<{ id: string }>('BeginStatement', { input });
    const text = [':20:STMT1', `:25:${row?.no ?? ''}`, ...lines].join('\n');
    const content = Buffer.from(text).toString('base64');
    await tenant.operate('AddStatementPart', { id, part: 0, content });
    await files.read(id);
    return counts(await files.importIt(id));
  };
  const swiftDay = (): string => tenant.now().toISOString().slice(2, 10).replaceAll('-', '');

  it.each(['000000000000', '-', 'N/A', '4.12346E+11', 'NONREF'])(
    'is one credit where the statement has the placeholder %s',
    async (placeholder) => {
      const deposit = await orderHere('812.00');
      const { expectedRemark: remark } = deposit;
      await report({ amount: '812.00', memo: remark, bankReference: `T-${remark}` });
      expect(await take(`${files.at(0)},812.00,UPI/${remark}/x,${placeholder},`)).toEqual({
        PAIRED: 1,
      });
      expect([await booked(), await statusOf(deposit)]).toEqual(['1 of 812.00', 'MATCHED']);
    },
  );

  it('is one credit where the statement has the marker of a field', async () => {
    const deposit = await orderHere('125.00');
    const { expectedRemark: remark } = deposit;
    await report({ amount: '125.00', memo: remark, bankReference: `T-${remark}` });
    const day = swiftDay();
    expect(
      await mt940([
        ...[`:60F:C${day}THB0,00`, `:61:${day}${day.slice(2)}C125,00NTRFEREF`],
        ...[`:86:/EREF/NOTPROVIDED//REMI/USTD//${remark}/`, `:62F:C${day}THB125,00`],
      ]),
    ).toEqual({ PAIRED: 1 });
    expect(await booked()).toBe('1 of 125.00');
  });

  it('is one credit where agents report without a reference, in whatever words', async () => {
    const [first, second] = [await orderHere('33.00'), await orderHere('33.00')];
    // Each is another credit: the placeholder does not make them one.
    await report({ amount: '33.00', memo: first.expectedRemark, bankReference: '0' });
    await report({ amount: '33.00', memo: second.expectedRemark, bankReference: '0' });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['MATCHED', 'MATCHED']);
  });

  it('is one credit where the bank changes its text', async () => {
    const deposit = await orderHere('71.00');
    const { expectedRemark: remark } = deposit;
    const at = files.at(0);
    expect(await take(`${at},71.00,PENDING ${remark},RX71,`)).toEqual({ RECORDED: 1 });
    // The bank has another one under the same reference by now.
    const twins = [`${at},71.00,UPI ${remark} SHOP,RX71,`, `${at},71.00,another,RX71,`];
    expect(await take(...twins)).toEqual({ KNOWN: 1, RECORDED: 1 });
    expect(await take(...twins)).toEqual({ KNOWN: 2 });
    expect([await booked(), await statusOf(deposit)]).toEqual(['2 of 142.00', 'MATCHED']);
  });

  it('is not the payment of another order, even under the same reference', async () => {
    const [one, other] = [await orderHere('72.00'), await orderHere('72.00')];
    const at = files.at(0);
    await take(`${at},72.00,${one.expectedRemark},BRANCH7,`);
    expect(await take(`${at},72.00,${other.expectedRemark},BRANCH7,`)).toEqual({ RECORDED: 1 });
    await report({ amount: '73.00', memo: one.expectedRemark, bankReference: 'T73' });
    expect(await take(`${at},73.00,${other.expectedRemark},,`)).toEqual({ RECORDED: 1 });
    expect(await statusOf(other)).toBe('MATCHED');
  });

  it('of two equal lines is two credits, with and without references', async () => {
    const at = files.at(0);
    expect(await take(`${at},9.00,same,P1,`, `${at},9.00,same,P2,`)).toEqual({ RECORDED: 2 });
    expect(await take(`${at},8.00,same,,`, `${at},8.00,same,,`)).toEqual({ RECORDED: 2 });
    expect(await booked()).toBe('4 of 34.00');
  });

  it('waits for a person, and is in no book, where only its reference is another one', async () => {
    const deposit = await orderHere('74.00');
    const { expectedRemark: remark } = deposit;
    const bankTime = new Date(tenant.now().getTime() + 1_000).toISOString();
    await report({ amount: '74.00', memo: remark, bankReference: 'E2E-1', bankTime });
    const real = tenant.now;
    tenant.now = () => new Date(Date.now() + 20 * 60_000);
    try {
      const id = await files.upload(accountId, [`${files.at(0)},74.00,/REMI/${remark},ASR-1,`]);
      expect(counts(await files.read(id))).toEqual({ BAD: 1 });
      const [line] = await files.lines(id);
      expect(line?.problem).toContain('which has its amount and remark, and another reference');
      expect(counts(await files.importIt(id))).toEqual({ BAD: 1 });
      expect(await booked()).toBe('1 of 74.00');
      // The payer has paid twice: the bank lists both, and an operator enters the second one.
      const both = [`${files.at(0)},74.00,${remark},E2E-1,`, `${files.at(0)},74.00,${remark},ASR-2,`];
      expect(await take(...both)).toEqual({ PAIRED: 1, RECORDED: 1 });
      expect(await booked()).toBe('2 of 148.00');
      // An agent of another source is not sure either, however much later.
      const other = await tenant.notify({
        accountId,
        amount: '74.00',
        memo: `x ${remark}`,
        bankReference: 'SMS-1',
        bankTime: tenant.now().toISOString(),
      });
      expect(other.transfer.unmatchedReason).toBe('NEAR_DUPLICATE');
    } finally {
      tenant.now = real;
    }
  });
});
