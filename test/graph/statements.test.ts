import { createHash } from 'node:crypto';
import type { Actor } from '../../steps/access/actor';
import { uuidv7 } from 'uuidv7';
import { forgetPairs, pairLines } from '../../db/statements/statements';
import { rowsRead } from '../support/rows-read';
import { countsOf as counts, StatementFiles } from '../support/statement-files';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

/** A person measures larger ones with STATEMENT_LINES=50000. */
const LINES = Number(process.env['STATEMENT_LINES'] ?? 500);

describe('statements', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let files: StatementFiles;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    files = await StatementFiles.create(tenant);
  });
  beforeEach(async () => {
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  const upload = async (rows: readonly string[], actor?: Actor): Promise<string> =>
    await files.upload(accountId, rows, actor);
  /** Measured for a person: the time of a step, and the peak of memory. */
  const measured = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    if (LINES <= 500) return await work();
    let most = 0;
    const look = (): void => {
      most = Math.max(most, process.memoryUsage().rss);
    };
    const timer = setInterval(look, 100);
    const before = process.memoryUsage().rss;
    const begun = Date.now();
    try {
      return await work();
    } finally {
      clearInterval(timer);
      look();
      const [seconds, grown] = [(Date.now() - begun) / 1000, (most - before) / 2 ** 20];
      process.stdout.write(`${what} of ${LINES} lines: ${seconds.toFixed(1)} s, +${grown.toFixed(0)} MB\n`);
    }
  };
  const booked = async (): Promise<{ credits: number; debits: number; book: string }> => {
    const [row] = await tenant.database.sql<{ credits: number; debits: number; book: string }[]>`
      select (select count(*)::int from bank_transfers where account_id = ${accountId}) as credits,
        (select count(*)::int from bank_debits where account_id = ${accountId}) as debits,
        (select coalesce(-sum(amount), 0)::text from ledger_entries where account = ${`bank:${accountId}`}) as book`;
    return row ?? { credits: 0, debits: 0, book: '' };
  };
  /** A deposit; statements are those of its account from now on. */
  /** On any account: no other test reports this amount there. */
  const depositHere = async (): Promise<TestDeposit> => {
    const deposit = await tenant.deposit(merchant, { amount: '4321.09' });
    const [row] = await tenant.database.sql<{ accountId: string }[]>`
      select account_id from deposit_orders where order_no = ${deposit.orderNo}`;
    accountId = row?.accountId ?? '';
    return deposit;
  };
  const report = async (fields: Record<string, unknown>, actor?: Actor): Promise<string> => {
    const input = {
      accountId,
      amount: '10',
      currencyCode: 'THB',
      memo: '',
      bankTime: tenant.now().toISOString(),
      ...fields,
    };
    const { transfer } = await tenant.operate<{ transfer: { id: string } }>('RecordBankNotification', { input }, actor);
    return transfer.id;
  };

  it('show the result of an import, and record nothing before it', async () => {
    await report({ bankReference: 'AGENT 1', amount: '10' });
    const id = await upload([
      `${files.at(5)},10.00,known to us,agent1,`,
      `${files.at(4)},20.00,new,NEW1,`,
      `${files.at(3)},-5.00,charge,NEW2,`,
      `${files.at(3)},five,broken,NEW3,`,
    ]);
    const before = await booked();
    expect(counts(await files.read(id))).toEqual({ PAIRED: 1, NEW: 2, BAD: 1 });
    expect(await booked()).toEqual(before);
    expect(counts(await files.importIt(id))).toEqual({ PAIRED: 1, RECORDED: 2, BAD: 1 });
    expect(await booked()).toEqual({ credits: 2, debits: 1, book: '30.0000' });
    const bad = (await files.lines(id)).find(({ state }) => state === 'BAD');
    expect(bad).toMatchObject({ line: 5, problem: 'the amount "five" is not a number' });
  });

  it(
    `of ${LINES} lines, imported twice, post nothing the second time`,
    async () => {
      const rows = Array.from(
        { length: LINES },
        (_, n) => `${files.at(LINES + 100 - n)},${n % 9 === 0 ? '-' : ''}${(n % 7) + 1}.00,payment ${n % 50},,`,
      );
      const first = await upload(rows);
      await measured('first dry run', async () => await files.read(first));
      const imported = await measured('first import', async () => await files.importIt(first));
      expect(counts(imported)).toEqual({ RECORDED: LINES });
      const after = await booked();
      expect(after.credits + after.debits).toBe(LINES);
      const second = await upload(rows);
      const seen = await measured('second dry run', async () => await files.read(second));
      expect(counts(seen)).toEqual({ KNOWN: LINES });
      const again = await measured('second import', async () => await files.importIt(second));
      expect(counts(again)).toEqual({ KNOWN: LINES });
      expect(await booked()).toEqual(after);
      // Another file of the same days, with a new end.
      const third = await upload([...rows.slice(LINES / 2), `${files.at(0)},1.00,the newest,,`]);
      await files.read(third);
      expect(counts(await files.importIt(third))).toEqual({ KNOWN: LINES / 2, RECORDED: 1 });
      expect((await booked()).credits).toBe(after.credits + 1);
    },
    60_000 + LINES * 20,
  );

  it('pair equal lines with equal reports one to one, within some days', async () => {
    for (const memo of ['a', 'b']) await report({ amount: '77', memo });
    const day = 24 * 60;
    const id = await upload([
      ...[`${files.at(day)},77.00,,,`, `${files.at(day)},77.00,,,`, `${files.at(day)},77.00,,,`],
      `${files.at(9 * day)},77.00,long before,,`,
    ]);
    await files.read(id);
    expect(counts(await files.importIt(id))).toEqual({ PAIRED: 2, RECORDED: 2 });
    expect((await booked()).credits).toBe(4);
  });

  it.each([
    ['CREDIT', '88.00'],
    ['DEBIT', '-88.00'],
  ])('pair a %s with the report that names its party, among several', async (way, amount) => {
    const bankTime = tenant.now().toISOString();
    const reports: (string | undefined)[] = [];
    for (const name of ['Ann Lee', 'Bob Ray']) {
      const movement = { accountId, amount: '88', currencyCode: 'THB', memo: '', bankTime };
      const [mutation, party] =
        way === 'CREDIT' ? ['RecordBankNotification', { payerName: name }] : ['RecordBankDebit', { payeeName: name }];
      const recorded = await tenant.operate<{ transfer?: { id: string }; debit?: { id: string } }>(mutation, {
        input: { ...movement, ...party },
      });
      reports.push((recorded.transfer ?? recorded.debit)?.id);
    }
    const id = await upload([`${files.at(1)},${amount},,,`]);
    const paired = async () => {
      const [line] = await files.lines(id);
      return (line?.transfer ?? line?.debit)?.id;
    };
    await files.read(id);
    // Nothing tells them apart: the first.
    expect(await paired()).toBe(reports[0]);
    await tenant.database.sql`
      update statement_lines set party_name = 'Bob Ray' where statement_id = ${id}`;
    await files.importIt(id);
    expect(await paired()).toBe(reports[1]);
  });

  it('keep in clear nothing of whom they name, and are paired, recorded and shown as before', async () => {
    const named = await StatementFiles.create(tenant, true);
    const [, bob] = [
      await report({ amount: '88', payerName: 'Ann Lee' }),
      await report({ amount: '88', payerName: 'Bobbington Ray' }),
    ];
    const rows = [
      `${files.at(1)},88.00,for Bobbington,,,Bobbington Ray,12-3456`,
      `${files.at(1)},99.00,for Catherine,,,Catherine Poe,65-4321`,
      `${files.at(1)},-9.00,to Danielle,,,Danielle Kim,77-7777`,
      `${files.at(1)},five,broken,,,Evelynne Fox,88-8888`,
    ];
    const id = await named.upload(accountId, rows);
    await named.read(id);
    expect(counts(await named.importIt(id))).toEqual({ PAIRED: 1, RECORDED: 2, BAD: 1 });
    const lines = await named.lines(id);
    const [first, credit, debit, bad] = lines;
    expect(first).toMatchObject({
      memo: 'for Bobbington',
      partyName: 'Bobbington Ray',
      partyAccount: '12-3456',
      raw: null,
      transfer: { id: bob },
    });
    expect(bad).toMatchObject({ memo: null, partyName: null });
    expect(bad?.raw).toContain('Evelynne Fox');
    expect(await tenant.operate('BankTransfer', { id: credit?.transfer?.id })).toMatchObject({
      payerName: 'Catherine Poe',
      payerAccount: '65-4321',
      memo: 'for Catherine',
    });
    expect(await tenant.operate('BankDebit', { id: debit?.debit?.id })).toMatchObject({
      payeeName: 'Danielle Kim',
      payeeAccount: '77-7777',
      memo: 'to Danielle',
    });
    const { sql } = tenant.database;
    const [kept] = await sql<{ text: string }[]>`
      select (select string_agg(l::text, ' ') from statement_lines l where statement_id = ${id}) || ' ' ||
        (select string_agg(encode(content, 'escape'), ' ') from statement_parts where statement_id = ${id}) as text`;
    expect(kept?.text).toMatch(/v1[.]|v2[.]/);
    // Long names: three letters may stand in what is sealed, by chance.
    expect(kept?.text).not.toMatch(/Bobbington|Catherine|Danielle|Evelynne|12-3456|65-4321|77-7777|88-8888/);
    // The size and the hash are of what was uploaded.
    const file = ['Date,Amount,Details,Ref,Balance,Name,Number', ...rows].join('\n');
    expect(await sql`select bytes, sha256 from statements where id = ${id}`).toEqual([
      { bytes: file.length, sha256: createHash('sha256').update(file).digest('hex') },
    ]);
  });

  it('pair without reading other lines', async () => {
    const lines = 60;
    const amounts = Array.from({ length: lines }, (_, n) => `${n + 100}.00`);
    for (const amount of amounts) await report({ amount });
    const id = await upload(amounts.map((amount, n) => `${files.at(n)},${amount},a line,R${n},`));
    expect(counts(await files.read(id))).toEqual({ PAIRED: lines });
    // As autovacuum does: the plan fits the current tables.
    await tenant.database.sql`analyze statement_lines, bank_transfers`;
    const read = await tenant.database.transaction(
      async (tx) =>
        await rowsRead(tx, 'statement_lines', async () => {
          await forgetPairs(tx, id);
          await pairLines(tx, id, 0, lines);
        }),
    );
    expect(read).toBeGreaterThan(lines);
    expect(read / lines).toBeLessThan(25);
  });

  it('with a known reference after a month are other movements', async () => {
    const day = 24 * 60;
    await report({
      amount: '55',
      bankReference: 'RENT',
      bankTime: new Date(tenant.now().getTime() - 40 * day * 60_000).toISOString(),
    });
    const id = await upload([`${files.at(1)},55.00,,RENT,`]);
    await files.read(id);
    expect(counts(await files.importIt(id))).toEqual({ RECORDED: 1 });
    expect((await booked()).credits).toBe(2);
  });

  it('pay the deposits that they name', async () => {
    const deposit = await depositHere();
    const id = await upload([`${files.at(0)},4321.09,${deposit.expectedRemark},R9,`]);
    await files.read(id);
    await files.importIt(id);
    expect((await files.lines(id))[0]?.transfer?.orderNo).toBe(deposit.orderNo);
  });

  it('of another account, and unreadable ones, are not imported', async () => {
    const input = { accountId, format: 'MT940', fileName: 'a.sta' };
    const { id } = await tenant.operate<{ id: string }>('BeginStatement', { input });
    const content = Buffer.from(':25:9999999999\n:61:2601310131C10,NTRFX\n').toString('base64');
    await tenant.operate('AddStatementPart', { id, part: 0, content });
    const begin = async () => await tenant.operate('ImportStatement', { id, reason: 'x' });
    await expect(begin()).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    expect((await files.read(id)).problem).toBe('it is of the account 9999999999');
    await expect(begin()).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    expect(await booked()).toEqual({ credits: 0, debits: 0, book: '0' });
  });

  it('confirm another person’s entry under two-person rules', async () => {
    const [ann, bob] = [
      await tenant.person(`ann-${uuidv7()}`, ['reconcile']),
      await tenant.person(`bob-${uuidv7()}`, ['reconcile']),
    ];
    const tess = await tenant.person(`tess-${uuidv7()}`, ['treasurer']);
    tenant.changes.onePerson = false;
    try {
      const entered = await report({ amount: '31', bankReference: 'E1' }, ann);
      const confirmed = async (): Promise<boolean> => {
        const [row] = await tenant.database.sql<{ confirmed: boolean }[]>`
          select confirmed_at is not null as confirmed from bank_transfers where id = ${entered}`;
        return row?.confirmed === true;
      };
      // Both files contain the same line: its time is not the second upload's.
      const line = `${files.at(1)},31.00,,E1,`;
      let last = '';
      for (const who of [ann, bob]) {
        last = await upload([line], who);
        await files.read(last, who);
        await files.importIt(last, who);
        expect(await confirmed()).toBe(false);
      }
      // A file from a person's disk is not the bank's before somebody else says so.
      await tenant.operate('ConfirmStatement', { id: last, reason: 'compared' }, tess);
      expect(await confirmed()).toBe(true);
      // A movement from a statement alone is as provisional as an entry by its importer.
      const deposit = await depositHere();
      const id = await upload([`${files.at(0)},4321.09,${deposit.expectedRemark},R10,`], bob);
      await files.read(id, bob);
      await files.importIt(id, bob);
      expect((await files.lines(id))[0]?.transfer?.orderNo).toBeNull();
    } finally {
      tenant.changes.onePerson = true;
    }
  });
});
