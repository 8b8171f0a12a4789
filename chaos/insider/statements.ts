import type { House } from './house';
import { enter, REASON, type Theft } from './thefts';

/** A part of a file fits into a request. */
const FORMATS = { 'camt.xml': 'CAMT053', 'mt940.sta': 'MT940' } as const;

const today = (): string => new Date().toISOString().slice(0, 10);

interface Entry {
  readonly amount: string;
  readonly memo: string;
  readonly reference: string;
}

/** A statement that an insider wrote, with balances that the caller chooses. */
function camtOf(entries: readonly Entry[], opening: string, closing: string): string {
  const amount = (value: string): string => `<Amt Ccy="THB">${value}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
  const balance = (code: string, value: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value)}<Dt><Dt>${today()}</Dt></Dt></Bal>`;
  const lines = entries.map(
    (entry) =>
      `<Ntry>${amount(entry.amount)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${today()}</Dt></BookgDt><AcctSvcrRef>${entry.reference}</AcctSvcrRef>` +
      `<NtryDtls><TxDtls><RmtInf><Ustrd>${entry.memo}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
    '<GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id><Acct><Id><Othr><Id>900000001</Id></Othr></Id><Ccy>THB</Ccy></Acct>' +
    `${balance('OPBD', opening)}${balance('CLBD', closing)}${lines.join('')}</Stmt></BkToCstmrStmt></Document>`
  );
}

/** Uploads a file, has it read and imports it. @throws the platform's refusal */
async function upload(
  { as, accountId }: House,
  who: string,
  fileName: keyof typeof FORMATS,
  text: string,
): Promise<void> {
  const input = { accountId, format: FORMATS[fileName], fileName };
  const { id } = await as(who).run<{ id: string }>('BeginStatement', { input });
  const content = Buffer.from(text).toString('base64');
  await as(who).run('AddStatementPart', { id, part: 0, content });
  const reach = async (status: string, name: string, more: object): Promise<void> => {
    for (let tries = 0; tries < 50; tries++) {
      const now = await as(who).run<{ status: string; problem: string | null }>(name, {
        id,
        ...more,
      });
      if (now.problem !== null) throw new Error(now.problem);
      if (now.status === status) return;
    }
    throw new Error(`the statement is not ${status}`);
  };
  await reach('READ', 'ReadStatement', {});
  await reach('IMPORTED', 'ImportStatement', { reason: 'the day' });
}

const orderOf = async ({ create, evil }: House, amount: string): Promise<{ orderNo: string; memo: string }> => {
  const made = await create('deposit', evil.apiKey, { amount });
  return { orderNo: made.order_no, memo: made.remark ?? '' };
};

/** The credit that has this memo or amount; the newest. */
const transferOf = async ({ sql }: House, amount: string): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    select id from bank_transfers where amount = ${amount} order by received_at desc limit 1`;
  if (!row) throw new Error('nothing was recorded');
  return row.id;
};

const match = async ({ as }: House, who: string, transferId: string, orderNo: string): Promise<unknown> =>
  await as(who).run('MatchTransfer', { transferId, orderNo, reason: REASON });

/** Statements that insiders write themselves. */
export const STATEMENTS: readonly Theft[] = [
  {
    name: 'statements: one who reconciles enters money, another uploads a statement with it and matches',
    row: 'matchTransfer',
    play: async (house) => {
      const { orderNo, memo } = await orderOf(house, '901.00');
      const transferId = await enter(house, 'rita', '901.00');
      const entry = { amount: '901.00', memo, reference: 'FAKE-1' };
      await upload(house, 'ron', 'camt.xml', camtOf([entry], '0.00', '901.00'));
      return await match(house, 'ron', transferId, orderNo);
    },
  },
  {
    name: 'statements: the file comes first, then who uploaded it enters the money, and the other matches',
    row: 'matchTransfer',
    play: async (house) => {
      const { orderNo, memo } = await orderOf(house, '902.00');
      const entry = { amount: '902.00', memo, reference: 'FAKE-2' };
      await upload(house, 'ron', 'camt.xml', camtOf([entry], '901.00', '1803.00'));
      await enter(house, 'ron', '902.00').catch(() => null);
      return await match(house, 'rita', await transferOf(house, '902.00'), orderNo);
    },
  },
  {
    name: 'statements: a file that does not add up credits an order',
    row: 'importStatement',
    play: async (house) => {
      const { orderNo, memo } = await orderOf(house, '903.00');
      const entries = [
        { amount: '10.00', memo: 'true', reference: 'TRUE-3' },
        { amount: '903.00', memo, reference: 'FAKE-3' },
      ];
      await upload(house, 'rita', 'camt.xml', camtOf(entries, '0.00', '10.00'));
      return await match(house, 'ron', await transferOf(house, '903.00'), orderNo);
    },
  },
  {
    name: 'statements: a payer’s memo that looks like an entry',
    row: 'importStatement',
    play: async (house) => {
      const { orderNo, memo } = await orderOf(house, '904.00');
      const day = today().slice(2).replaceAll('-', '');
      const file = [
        ...[':20:S', ':25:900000001', ':28C:1/1', `:60F:C${day}THB0,00`],
        ...[`:61:${day}${day.slice(2)}C1,00NTRFNONREF//TRUE4`, ':86:thanks'],
        ...[`:61:${day}${day.slice(2)}C904,00NTRFNONREF//FAKE4`, `:86:${memo}`],
        ...[`:62F:C${day}THB1,00`, '-'],
      ].join('\r\n');
      await upload(house, 'rita', 'mt940.sta', file);
      return await match(house, 'ron', await transferOf(house, '904.00'), orderNo);
    },
  },
];
