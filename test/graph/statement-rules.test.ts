import { uuidv7 } from 'uuidv7';
import { StatementFiles } from '../support/statement-files';
import { type OperatorActor, Tenant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

interface Change {
  change: { id: string; status: string };
}

describe('rules for lines of statements', () => {
  let tenant: Tenant;
  let files: StatementFiles;
  let accountId: string;
  let otherId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    // One time for all tests: a line of a second file repeats the first file's line.
    const now = new Date();
    tenant.now = () => now;
    files = await StatementFiles.create(tenant);
  });
  beforeEach(async () => {
    [accountId, otherId] = [await tenant.account(), await tenant.account()];
  });
  afterEach(async () => {
    // Each rule belongs to the test that created it.
    await tenant.database.sql`update statement_rules set active = false`;
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  const RULE = {
    action: 'BANK_CHARGE',
    direction: 'DEBIT',
    memoPattern: 'fee|charge',
    currencyCode: 'THB',
    maxAmount: '50',
    maxDayAmount: '100',
  };
  const rule = async (fields: Record<string, unknown> = {}, who?: OperatorActor): Promise<Change> =>
    await tenant.operate<Change>(
      'PutStatementRule',
      { input: { name: uuidv7(), ...RULE, accountId, ...fields }, reason: 'agreed' },
      who,
    );
  const explained = async (id: string): Promise<string[]> =>
    (await files.lines(id)).map((line) => line.rule?.name ?? '–');
  const posted = async (): Promise<string[]> => {
    const rows = await tenant.database.sql<{ text: string }[]>`
      select p.kind || ' ' || trim_scale(p.amount) as text from operator_postings p
      left join bank_transfers t on t.id = p.bank_transfer_id
      where coalesce(p.account_id, t.account_id) in (${accountId}, ${otherId}) order by p.id`;
    return rows.map(({ text }) => text);
  };
  const expectRefused = async (fields: Record<string, unknown>, kind = 'INVALID_FIELD'): Promise<void> => {
    await expect(rule(fields)).rejects.toMatchObject({ kind });
  };

  it('show in the dry run the lines that they would explain, and post them with the import', async () => {
    await rule({ name: 'charges' });
    await rule({ name: 'interest', action: 'INTEREST', direction: 'CREDIT', memoPattern: '^INT' });
    const id = await files.upload(accountId, [
      `${files.at(9)},-5.00,Monthly FEE,,`,
      `${files.at(8)},0.75,INT 2026,,`,
      `${files.at(7)},-5.00,a payment,,`,
      `${files.at(6)},12.00,points,,`,
    ]);
    const dry = await files.read(id);
    expect(dry.explained).toMatchObject([
      { lines: 1, amount: '5.0000', rule: { name: 'charges', version: 1 } },
      { lines: 1, amount: '0.7500', rule: { name: 'interest', version: 1 } },
    ]);
    expect(await explained(id)).toEqual(['charges', 'interest', '–', '–']);
    expect(await posted()).toEqual([]);
    await files.importIt(id);
    expect(await explained(id)).toEqual(['charges', 'interest', '–', '–']);
    expect(await posted()).toEqual(['BANK_CHARGED 5', 'INTEREST_RECEIVED 0.75']);
    // The same days again.
    await files.take(accountId, [`${files.at(9)},-5.00,Monthly FEE,,`]);
    expect(await posted()).toHaveLength(2);
  });

  it('explain nothing above their limits per line and per day', async () => {
    await rule({ name: 'small' });
    const line = (minutes: number, amount: string): string => `${files.at(minutes)},-${amount},fee ${minutes},,`;
    await files.take(accountId, [line(9, '50.01'), line(8, '50'), line(7, '50'), line(6, '1')]);
    expect(await posted()).toEqual(['BANK_CHARGED 50', 'BANK_CHARGED 50']);
    // Another version shares the day's sum.
    await rule({ name: 'small', maxDayAmount: '101' });
    await files.take(accountId, [line(8, '50'), line(6, '1'), line(5, '1')]);
    expect(await posted()).toEqual(['BANK_CHARGED 50', 'BANK_CHARGED 50', 'BANK_CHARGED 1']);
  });

  it('show in a dry run over several batches the same result as the import', async () => {
    const { sql } = tenant.database;
    await rule({ name: 'charges of many lines' });
    await rule({
      name: 'sweeps of many lines',
      action: 'OWN_TRANSFER',
      direction: 'DEBIT',
      memoPattern: 'sweep',
      otherAccountId: otherId,
      maxAmount: '900',
      maxDayAmount: '2000',
    });
    // One arrived, and two left.
    await files.take(otherId, [`${files.at(300)},900.00,from us,,`]);
    const said: Readonly<Record<number, string>> = {
      1: '-50.00,fee',
      2: '-40.00,fee',
      3: '-900.00,sweep',
      506: '-30.00,fee',
      507: '-10.00,fee',
      508: '-900.00,sweep',
    };
    const rows = Array.from(
      { length: 510 },
      (_, n) => `${files.at(600 - n)},${said[n] ?? `1.00,payment ${String(n)}`},,`,
    );
    const id = await files.upload(accountId, rows);
    const explainedLines = async (): Promise<string[]> =>
      (await files.lines(id, { explained: true })).map(({ amount, memo }) => `${Number(amount)} ${memo ?? ''}`);
    const whole = ['50 fee', '40 fee', '900 sweep', '10 fee'];
    await files.read(id);
    expect(await explainedLines()).toEqual(whole);
    // A call that continues another one knows its results.
    await sql`
      update statement_lines set rule_id = null
      where statement_id = ${id} and line > (select line from statement_lines
        where statement_id = ${id} order by line offset 499 limit 1)`;
    await sql`
      update statements set status = 'UPLOADING', through_line = (select line from statement_lines
        where statement_id = ${id} order by line offset 499 limit 1) where id = ${id}`;
    await files.read(id);
    expect(await explainedLines()).toEqual(whole);
    await files.importIt(id);
    expect(await explainedLines()).toEqual(whole);
  });

  it('pair the two legs of an own transfer, in either order of the statements', async () => {
    await rule({
      name: 'sweep',
      action: 'OWN_TRANSFER',
      direction: 'DEBIT',
      memoPattern: 'sweep',
      otherAccountId: otherId,
      maxAmount: '900',
      maxDayAmount: '2000',
    });
    await files.take(accountId, [`${files.at(9)},-900.00,SWEEP 1,,`]);
    expect(await posted()).toEqual([]);
    const arrived = await files.take(otherId, [
      `${files.at(5)},900.00,from us,,`,
      `${files.at(4)},900.00,from somebody,,`,
    ]);
    expect(await posted()).toEqual(['OWN_TRANSFER_OUT 900', 'OWN_TRANSFER_IN 900']);
    expect(arrived.explained).toMatchObject([{ lines: 1, rule: { name: 'sweep' } }]);
    const [row] = await tenant.database.sql<{ paired: boolean; transit: string }[]>`
      select exists (select from operator_postings i join operator_postings o on o.id = i.pair_id
        where o.account_id = ${accountId}) as paired,
        (select sum(amount)::text from ledger_entries where account = 'in_transit') as transit`;
    expect(row).toEqual({ paired: true, transit: '0.0000' });
    // The reverse: the rest of the other account's money finds its debit.
    await files.take(accountId, [`${files.at(3)},-900.00,sweep 2,,`]);
    expect((await posted()).slice(2)).toEqual(['OWN_TRANSFER_OUT 900', 'OWN_TRANSFER_IN 900']);
  });

  it('explain the unused part of a debit, and no more', async () => {
    await rule({ name: 'rest' });
    const { debit } = await tenant.operate<{ debit: { id: string } }>('RecordBankDebit', {
      input: {
        accountId,
        amount: '5',
        currencyCode: 'THB',
        memo: '',
        bankReference: 'F1',
        bankTime: tenant.now().toISOString(),
      },
    });
    await tenant.operate('PostBankCharge', { debitId: debit.id, amount: '2', reason: 'a part' });
    await files.take(accountId, [`${files.at(0)},-5.00,fee,F1,`]);
    expect(await posted()).toEqual(['BANK_CHARGED 2', 'BANK_CHARGED 3']);
  });

  it('do not override people: an explanation or a reversal stays', async () => {
    const rows = [`${files.at(9)},-5.00,fee one,,`, `${files.at(8)},-6.00,fee two,,`];
    const { id } = await files.take(accountId, rows);
    const [first] = await files.lines(id);
    await tenant.operate('ExplainDebit', { id: first?.debit?.id, reason: 'the rent' });
    await rule({ name: 'later' });
    await files.take(accountId, rows);
    expect(await posted()).toEqual(['BANK_CHARGED 6']);
    const [made] = await tenant.database.sql<{ id: string }[]>`
      select id from operator_postings where account_id = ${accountId}`;
    await tenant.operate('ReversePosting', {
      id: made?.id,
      reason: 'it was none',
      evidence: { text: 'their letter' },
    });
    await files.take(accountId, rows);
    expect(await posted()).toEqual(['BANK_CHARGED 6']);
  });

  it('take no money that pays a deposit', async () => {
    const merchant = await tenant.merchant();
    const deposit = await tenant.deposit(merchant);
    const [order] = await tenant.database.sql<{ accountId: string }[]>`
      select account_id from deposit_orders where order_no = ${deposit.orderNo}`;
    accountId = order?.accountId ?? '';
    await rule({
      name: 'greedy',
      action: 'INTEREST',
      direction: 'CREDIT',
      memoPattern: '.',
      maxAmount: '100000',
      maxDayAmount: '100000',
    });
    const before = await posted();
    const { amount, expectedRemark: memo, orderNo } = deposit;
    // A bank writes no more decimals than the currency has.
    const taken = await files.take(accountId, [`${files.at(0)},${amount.slice(0, -2)},${memo},,`]);
    const [line] = await files.lines(taken.id);
    expect([line?.transfer?.orderNo, line?.rule]).toEqual([orderNo, null]);
    expect(await posted()).toEqual(before);
  });

  it('are checked: a pattern of RE2, accounts of one currency, an action with its direction', async () => {
    await expectRefused({ memoPattern: '(a)\\1' });
    await expectRefused({ memoPattern: '.*' });
    await expectRefused({ direction: 'CREDIT' });
    await expectRefused({ maxDayAmount: '49' });
    await expectRefused({ maxAmount: '0.001' });
    await expectRefused({ otherAccountId: otherId });
    await expectRefused({ action: 'OWN_TRANSFER' });
    await expectRefused({ action: 'OWN_TRANSFER', otherAccountId: accountId });
    await expectRefused({ currencyCode: 'VND' }, 'BUSINESS_ERROR');
    await expectRefused({ accountId: uuidv7() }, 'NOT_FOUND');
  });

  it('take two people, and explain no line that their proposer imports', async () => {
    const ann = await tenant.person(`ann-${uuidv7()}`, ['configure', 'reconcile']);
    const bob = await tenant.person(`bob-${uuidv7()}`, ['approve', 'reconcile']);
    const row = `${files.at(9)},-5.00,fee,,`;
    tenant.changes.onePerson = false;
    try {
      const { change } = await rule({ name: 'by two' }, ann);
      expect(change.status).toBe('PROPOSED');
      await files.take(accountId, [row], bob);
      expect(await posted()).toEqual([]);
      const approve = async (who: OperatorActor): Promise<unknown> =>
        await tenant.operate('ApproveChange', { id: change.id, reason: 'agreed' }, who);
      await expect(approve(ann)).rejects.toMatchObject({ kind: 'AUTHORIZATION_ERROR' });
      await approve(bob);
      await files.take(accountId, [row], ann);
      expect(await posted()).toEqual([]);
      await files.take(accountId, [row], bob);
      expect(await posted()).toEqual(['BANK_CHARGED 5']);
    } finally {
      tenant.changes.onePerson = true;
    }
  });
});
