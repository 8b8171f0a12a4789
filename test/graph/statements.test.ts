import type { Actor } from '../../graph/access/actor';
import { uuidv7 } from 'uuidv7';
import { Tenant, type TestDeposit, type TestMerchant } from '../support/tenant';
import { expectWholeLedger } from '../support/whole-ledger';

interface Total {
  state: string;
  direction: string | null;
  lines: number;
  amount: string;
}
interface Statement {
  id: string;
  status: string;
  problem: string | null;
  totals: Total[];
}
interface Line {
  line: number;
  state: string;
  problem: string | null;
  transfer: { id: string; orderNo: string | null } | null;
}

/** More of them are for a person to measure: STATEMENT_LINES=50000. */
const LINES = Number(process.env['STATEMENT_LINES'] ?? 500);
const HEAD = 'Date,Amount,Details,Ref,Balance';

describe('statements', () => {
  let tenant: Tenant;
  let merchant: TestMerchant;
  let accountId: string;
  let mappingId: string;

  beforeAll(async () => {
    tenant = await Tenant.create();
    merchant = await tenant.merchant();
    const input = {
      ...{ name: 'plain', dateFormat: 'YYYY-MM-DD HH:mm:ss' },
      columns: [
        ...[
          { holds: 'date', headings: ['date'] },
          { holds: 'amount', headings: ['Amount'] },
        ],
        ...[
          { holds: 'memo', headings: ['Details'] },
          { holds: 'reference', headings: ['Ref'] },
        ],
        { holds: 'balance', headings: ['Balance'] },
      ],
    };
    mappingId = (
      await tenant.operate<{ id: string }>('PutStatementMapping', { input, reason: 'x' })
    ).id;
  });
  beforeEach(async () => {
    accountId = await tenant.account();
  });
  afterAll(async () => {
    await expectWholeLedger(tenant);
    await tenant.close();
  });

  const upload = async (rows: readonly string[], actor?: Actor): Promise<string> => {
    const input = { accountId, format: 'CSV', fileName: 'a.csv', mappingId };
    const { id } = await tenant.operate<Statement>('BeginStatement', { input }, actor);
    const file = Buffer.from([HEAD, ...rows].join('\n'));
    const half = Math.ceil(file.length / 2);
    for (const [part, bytes] of [file.subarray(0, half), file.subarray(half)].entries())
      await tenant.operate(
        'AddStatementPart',
        { id, part, content: bytes.toString('base64') },
        actor,
      );
    return id;
  };
  const until = async (status: string, step: () => Promise<Statement>): Promise<Statement> => {
    for (;;) {
      const statement = await step();
      if (statement.status === status) return statement;
    }
  };
  const read = async (id: string, actor?: Actor): Promise<Statement> =>
    await until('READ', async () => await tenant.operate('ReadStatement', { id }, actor));
  const importIt = async (id: string, actor?: Actor): Promise<Statement> =>
    await until(
      'IMPORTED',
      async () => await tenant.operate('ImportStatement', { id, reason: 'daily' }, actor),
    );
  const linesOf = async (id: string): Promise<Line[]> =>
    (await tenant.operate<{ lines: Line[] }>('BankStatement', { id })).lines;
  const counts = ({ totals }: Statement): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const { state, lines } of totals) sums[state] = (sums[state] ?? 0) + lines;
    return sums;
  };
  const at = (minutesAgo: number): string =>
    new Date(tenant.now().getTime() - minutesAgo * 60_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
  const booked = async (): Promise<{ credits: number; debits: number; book: string }> => {
    const [row] = await tenant.database.sql<{ credits: number; debits: number; book: string }[]>`
      select (select count(*)::int from bank_transfers where account_id = ${accountId}) as credits,
        (select count(*)::int from bank_debits where account_id = ${accountId}) as debits,
        (select coalesce(-sum(amount), 0)::text from ledger_entries where account = ${`bank:${accountId}`}) as book`;
    return row ?? { credits: 0, debits: 0, book: '' };
  };
  /** A deposit; from now on statements are those of its account. */
  const depositHere = async (): Promise<TestDeposit> => {
    const deposit = await tenant.deposit(merchant);
    const [row] = await tenant.database.sql<{ accountId: string }[]>`
      select account_id from deposit_orders where order_no = ${deposit.orderNo}`;
    accountId = row?.accountId ?? '';
    return deposit;
  };
  const report = async (fields: Record<string, unknown>, actor?: Actor): Promise<string> => {
    const input = {
      ...{ accountId, amount: '10', currencyCode: 'THB', memo: '' },
      ...{ bankTime: tenant.now().toISOString(), ...fields },
    };
    const { transfer } = await tenant.operate<{ transfer: { id: string } }>(
      'RecordBankNotification',
      { input },
      actor,
    );
    return transfer.id;
  };

  it('say what an import would do, and record nothing before it', async () => {
    await report({ bankReference: 'AGENT 1', amount: '10' });
    const id = await upload([
      `${at(5)},10.00,known to us,agent1,`,
      `${at(4)},20.00,new,NEW1,`,
      `${at(3)},-5.00,charge,NEW2,`,
      `${at(3)},five,broken,NEW3,`,
    ]);
    const before = await booked();
    expect(counts(await read(id))).toEqual({ PAIRED: 1, NEW: 2, BAD: 1 });
    expect(await booked()).toEqual(before);
    expect(counts(await importIt(id))).toEqual({ PAIRED: 1, RECORDED: 2, BAD: 1 });
    expect(await booked()).toEqual({ credits: 2, debits: 1, book: '30.0000' });
    const bad = (await linesOf(id)).find(({ state }) => state === 'BAD');
    expect(bad).toMatchObject({ line: 5, problem: 'the amount "five" is no number' });
  });

  it(
    `of ${LINES} lines, imported twice, post nothing the second time`,
    async () => {
      const rows = Array.from(
        { length: LINES },
        (_, n) =>
          `${at(LINES + 100 - n)},${n % 9 === 0 ? '-' : ''}${(n % 7) + 1}.00,payment ${n % 50},,`,
      );
      const first = await upload(rows);
      await read(first);
      expect(counts(await importIt(first))).toEqual({ RECORDED: LINES });
      const after = await booked();
      expect(after.credits + after.debits).toBe(LINES);
      const second = await upload(rows);
      expect(counts(await read(second))).toEqual({ KNOWN: LINES });
      expect(counts(await importIt(second))).toEqual({ KNOWN: LINES });
      // Another file of the same days, whose end is new.
      const third = await upload([...rows.slice(LINES / 2), `${at(0)},1.00,the newest,,`]);
      await read(third);
      expect(counts(await importIt(third))).toEqual({ KNOWN: LINES / 2, RECORDED: 1 });
      expect((await booked()).credits).toBe(after.credits + 1);
    },
    60_000 + LINES * 20,
  );

  it('pair equal lines with equal reports one to one, within some days', async () => {
    for (const memo of ['a', 'b']) await report({ amount: '77', memo });
    const day = 24 * 60;
    const id = await upload([
      ...[`${at(day)},77.00,,,`, `${at(day)},77.00,,,`, `${at(day)},77.00,,,`],
      `${at(9 * day)},77.00,long before,,`,
    ]);
    await read(id);
    expect(counts(await importIt(id))).toEqual({ PAIRED: 2, RECORDED: 2 });
    expect((await booked()).credits).toBe(4);
  });

  it('of the same reference after a month are other movements', async () => {
    const day = 24 * 60;
    await report({
      ...{ amount: '55', bankReference: 'RENT' },
      bankTime: new Date(tenant.now().getTime() - 40 * day * 60_000).toISOString(),
    });
    const id = await upload([`${at(1)},55.00,,RENT,`]);
    await read(id);
    expect(counts(await importIt(id))).toEqual({ RECORDED: 1 });
    expect((await booked()).credits).toBe(2);
  });

  it('pay the deposits that they name', async () => {
    const deposit = await depositHere();
    const id = await upload([`${at(0)},${deposit.amount},${deposit.expectedRemark},R9,`]);
    await read(id);
    await importIt(id);
    expect((await linesOf(id))[0]?.transfer?.orderNo).toBe(deposit.orderNo);
  });

  it('of another account, and those that were not read, are not imported', async () => {
    const input = { accountId, format: 'MT940', fileName: 'a.sta' };
    const { id } = await tenant.operate<Statement>('BeginStatement', { input });
    const content = Buffer.from(':25:9999999999\n:61:2601310131C10,NTRFX\n').toString('base64');
    await tenant.operate('AddStatementPart', { id, part: 0, content });
    const begin = async () => await tenant.operate('ImportStatement', { id, reason: 'x' });
    await expect(begin()).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    expect((await read(id)).problem).toBe('it is of the account 9999999999');
    await expect(begin()).rejects.toMatchObject({ kind: 'BUSINESS_ERROR' });
    expect(await booked()).toEqual({ credits: 0, debits: 0, book: '0' });
  });

  it('confirm what somebody else has entered, where two people are needed', async () => {
    const [ann, bob] = [
      await tenant.person(`ann-${uuidv7()}`, ['reconcile']),
      await tenant.person(`bob-${uuidv7()}`, ['reconcile']),
    ];
    tenant.changes.onePerson = false;
    try {
      const entered = await report({ amount: '31', bankReference: 'E1' }, ann);
      const confirmed = async (): Promise<boolean> => {
        const [row] = await tenant.database.sql<{ confirmed: boolean }[]>`
          select confirmed_at is not null as confirmed from bank_transfers where id = ${entered}`;
        return row?.confirmed === true;
      };
      // The same line in both files: its time is not that of a second upload.
      const line = `${at(1)},31.00,,E1,`;
      for (const [who, expected] of [
        [ann, false],
        [bob, true],
      ] as const) {
        const id = await upload([line], who);
        await read(id, who);
        await importIt(id, who);
        expect(await confirmed()).toBe(expected);
      }
      // What a statement alone tells of is as provisional as what its importer enters.
      const deposit = await depositHere();
      const id = await upload([`${at(0)},${deposit.amount},${deposit.expectedRemark},R10,`], bob);
      await read(id, bob);
      await importIt(id, bob);
      expect((await linesOf(id))[0]?.transfer?.orderNo).toBeNull();
    } finally {
      tenant.changes.onePerson = true;
    }
  });
});
