import type { CsvMapping, StatementItem } from '../../domain/statement';
import { formatMoney } from '../../domain/money';
import { readStatement, type Reading } from '../../statements/read';

const MAPPING: CsvMapping = {
  delimiter: ',',
  encoding: 'utf-8',
  skipLines: 0,
  dateFormat: 'DD/MM/YYYY',
  decimalSign: '.',
  yearsAhead: 0,
  debitWords: ['DR'],
  columns: {
    date: ['Date'],
    credit: ['In'],
    debit: ['Out'],
    memo: ['Details', 'Note'],
    reference: ['Ref'],
    balance: ['Balance'],
  },
};

/** The items of a file that comes in chunks of this many bytes. */
async function itemsOf(
  text: string | Buffer,
  reading: Reading,
  size = 7,
  currency = { code: 'THB', decimals: 2 },
): Promise<StatementItem[]> {
  const bytes = Buffer.from(text as string);
  async function* parts(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) {
      await Promise.resolve();
      yield bytes.subarray(at, at + size);
    }
  }
  const items: StatementItem[] = [];
  for await (const item of readStatement(parts(), reading, currency)) items.push(item);
  return items;
}

/** Items as a person would write them down. */
const words = (items: readonly StatementItem[]): string[] =>
  items.map((item) => {
    switch (item.kind) {
      case 'bad':
        return `bad ${item.line}: ${item.problem}`;
      case 'doubt':
        return `doubt: ${item.problem}`;
      case 'account':
        return `account ${item.number}`;
      case 'currency':
        return item.code;
      case 'opening':
      case 'closing':
        return `${item.kind} ${formatMoney(item.balance)} ${item.day}`;
      case 'line': {
        const { line, direction, amount, day, time, reference, memo, partyName } = item.line;
        const { balanceAfter } = item.line;
        const said = [line, direction, formatMoney(amount), day, time, reference, memo, partyName];
        return [...said, balanceAfter && formatMoney(balanceAfter)].join('|');
      }
    }
  });

describe('a CSV statement', () => {
  const csv = async (text: string, mapping: Partial<CsvMapping> = {}): Promise<string[]> =>
    words(await itemsOf(text, { format: 'CSV', mapping: { ...MAPPING, ...mapping } }));

  it('is read by its mapping, with its columns in any order', async () => {
    const text = [
      'Ref,Date,In,Out,Balance,Details,Note',
      'A1,31/01/2026,"1,500.00",,"2,500.00",salary,"January, all"',
      '',
      'A2,01/02/2026,,15.50,"2,484.50",fee,',
    ].join('\r\n');
    expect(await csv(text)).toEqual([
      '2|CREDIT|1500.0000|2026-01-31||A1|salary January, all||2500.0000',
      '4|DEBIT|15.5000|2026-02-01||A2|fee||2484.5000',
    ]);
  });

  it('reports each line that cannot be read, and loses no other', async () => {
    const text = [
      'Date,In,Out,Details,Note,Ref,Balance',
      '31/01/2026,10.00,,a,,R1,',
      '31/02/2026,10.00,,no such day,,R2,',
      '31/01/2026,ten,,no number,,R3,',
      '31/01/2026,,,no amount,,R4,',
      '31/01/2026,1.00,2.00,both,,R5,',
      '31/01/2026,1.005,,too exact,,R6,',
      '31/01/2026,10.00,,"never closed,,R7,',
      ...['31/01/2026,11.00,,b,,R8,', '31/01/2026,12.00,,c,,R9,', '31/01/2026,13.00,,d,,R10,'],
      ...['31/01/2026,14.00,,e,,R11,', '31/01/2026,15.00,,says "hi",,R12,'],
    ].join('\n');
    expect(await csv(text)).toEqual([
      '2|CREDIT|10.0000|2026-01-31||R1|a||',
      'bad 3: the date "31/02/2026" does not have the format DD/MM/YYYY',
      'bad 4: the amount "ten" is not a number',
      'bad 5: it has no amount',
      'bad 6: it has both a credit and a debit',
      'bad 7: the amount "1.005" has more than 2 decimal places',
      '8|CREDIT|10.0000|2026-01-31||R7|"never closed||',
      '9|CREDIT|11.0000|2026-01-31||R8|b||',
      '10|CREDIT|12.0000|2026-01-31||R9|c||',
      '11|CREDIT|13.0000|2026-01-31||R10|d||',
      '12|CREDIT|14.0000|2026-01-31||R11|e||',
      '13|CREDIT|15.0000|2026-01-31||R12|says "hi"||',
    ]);
  });

  it.each([
    ['a sign', '31.01.26;-1.234,50', { decimalSign: ',' }, 'DEBIT|1234.5000|2026-01-31'],
    ['a minus behind', '31.01.26;1.234,50-', { decimalSign: ',' }, 'DEBIT|1234.5000|2026-01-31'],
    ['Thai years', '31.01.69;10', { yearsAhead: 543 }, 'CREDIT|10.0000|2026-01-31'],
    ['brackets', '31.01.26;(10.00)', {}, 'DEBIT|10.0000|2026-01-31'],
    ['a time', '31.01.26;10', { dateFormat: 'DD.MM.YY' }, 'CREDIT|10.0000|2026-01-31'],
  ] as const)('of one signed column: %s', async (_what, row, change, expected) => {
    const columns = { date: ['D'], amount: ['A'] };
    const mapping = { delimiter: ';', dateFormat: 'DD.MM.YY', columns, ...change };
    const [line = ''] = await csv(`D;A\n${row}`, mapping);
    expect(line.split('|').slice(1, 4).join('|')).toBe(expected);
  });

  it('of the wrong decimal sign has bad lines, and no amount a hundredfold', async () => {
    const rows = ['31/01/2026,"12,50",,a,,R1,', '31/01/2026,-1.000,,a,,R2,'];
    expect(await csv(['Date,In,Out,Details,Note,Ref,Balance', ...rows].join('\n'))).toEqual([
      'bad 2: the amount "12,50" is not a number',
      'bad 3: the amount "-1.000" has more than 2 decimal places',
    ]);
  });

  it('with marks beside its amounts is read, if they are of its currency', async () => {
    const rows = [
      ...['31/01/2026,,61.00,"1,061.00Cr",a,,B1', '31/01/2026,,฿ 62.00,THB 1000.00,a,,B2'],
      ...['31/01/2026,0.00,67.00,N/A,a,,B3', '31/01/2026,,68.00,soon,a,,B4'],
      ...['31/01/2026,,64.00 €,1000.00,a,,B5', '31/01/2026,,1’234.50,2000.00,a,,B6'],
    ];
    expect(await csv(['Date,Out,In,Balance,Details,Note,Ref', ...rows].join('\n'))).toEqual([
      '2|CREDIT|61.0000|2026-01-31||B1|a||1061.0000',
      '3|CREDIT|62.0000|2026-01-31||B2|a||1000.0000',
      '4|CREDIT|67.0000|2026-01-31||B3|a||',
      'bad 5: the amount "soon" is not a number',
      'bad 6: the amount "64.00 €" has a mark that is not of THB',
      '7|CREDIT|1234.5000|2026-01-31||B6|a||2000.0000',
    ]);
  });

  it('without the columns of its mapping names the missing ones', async () => {
    expect(await csv('Datum,In\n1,2')).toEqual([
      'bad 1: the header row lacks "Date", "Out", "Details", "Note", "Ref", "Balance"',
    ]);
  });

  it('of a Thai encoding', async () => {
    const thai = Buffer.from([0xa1, 0xa2]);
    const head = Buffer.from('D,A,M\n31/01/2026,10,');
    const items = await itemsOf(
      Buffer.concat([head, thai]),
      {
        format: 'CSV',
        mapping: {
          ...MAPPING,
          encoding: 'windows-874',
          columns: { date: ['D'], amount: ['A'], memo: ['M'] },
        },
      },
      1,
    );
    expect(words(items)).toEqual(['2|CREDIT|10.0000|2026-01-31|||กข||']);
  });
});

describe('MT940', () => {
  const TEXT = [
    '{1:F01BANKTHBKAXXX0000000000}{2:O940}{4:',
    ':20:STMT1',
    ':25:BKKBTHBK/1234567890',
    ':28C:1/1',
    ':60F:C260130THB1000,',
    ':61:2601310201CR1500,00NTRFD20260131ABC//BNK1',
    'supplementary',
    ':86:?20Payment?21 for order?31999888?32ALICE?33 SMITH',
    ':61:260131D15,5NCHGNONREF',
    ':61:260131RC20,NTRF//X',
    ':61:26013XC1,NTRFX',
    ':62F:C260131THB2464,50',
    '-}',
  ].join('\r\n');

  it('is read with details, balances and signs of reversals', async () => {
    expect(words(await itemsOf(TEXT, { format: 'MT940' }))).toEqual([
      'account BKKBTHBK/1234567890',
      'THB',
      'opening 1000.0000 2026-01-30',
      '6|CREDIT|1500.0000|2026-02-01||BNK1|Payment for order|ALICE SMITH|',
      '9|DEBIT|15.5000|2026-01-31|||||',
      '10|DEBIT|20.0000|2026-01-31||X|||',
      'bad 11: the entry does not have the format of field 61',
      'THB',
      'closing 2464.5000 2026-01-31',
    ]);
  });
});

describe('camt.053', () => {
  const entry = (amount: string, mark: string, more = ''): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><Dt>2026-01-31</Dt></BookgDt>${more}</Ntry>`;
  const of = (entries: string): string =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
${entries}
</Stmt></BkToCstmrStmt></Document>`;

  it('is read with parties, remittance and both balances', async () => {
    const details =
      '<AcctSvcrRef>BANK&amp;1</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>E2E</EndToEndId></Refs>' +
      '<RltdPties><Dbtr><Pty><Nm>Alice</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>order D1</Ustrd></RmtInf></TxDtls></NtryDtls>';
    const text = of(
      `${entry('110.00', 'CRDT', details)}\n${entry('5', 'DBIT')}\n${entry('x', 'DBIT')}\n${entry('-5', 'CRDT')}`,
    );
    expect(words(await itemsOf(text, { format: 'CAMT053' }))).toEqual([
      ...['EUR', 'account DE02120300000000202051'],
      ...['EUR', 'opening -100.0000 2026-01-31', 'EUR', 'closing 5.0000 2026-01-31'],
      ...['EUR', '1|CREDIT|110.0000|2026-01-31||BANK&1|order D1|Alice|'],
      ...['EUR', '2|DEBIT|5.0000|2026-01-31|||||'],
      ...['EUR', 'bad 3: the amount "x" is not a number'],
      ...['EUR', 'bad 4: its amount is negative'],
    ]);
  });

  it('that is cut off, or is not a statement, is refused with the reason', async () => {
    const cut = of(entry('1', 'CRDT')).slice(0, -40);
    expect(words(await itemsOf(cut, { format: 'CAMT053' })).at(-1)).toMatch(
      /^bad \d+: the file is not well-formed XML/,
    );
    expect(words(await itemsOf('<a/>', { format: 'CAMT053' }))).toEqual(['bad 1: the file is not a camt.053 message']);
    const bomb = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>';
    expect(words(await itemsOf(bomb, { format: 'CAMT053' }))[0]).toMatch(/not well-formed XML/);
  });
});
