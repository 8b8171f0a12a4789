import { itemsOf, mappingOf, said } from './reading';

const AMOUNT = { date: 'Date', amount: 'Amount', memo: 'Text', reference: 'Ref' };
const BOTH = {
  date: 'Date',
  credit: 'Credit',
  debit: 'Debit',
  balance: 'Balance',
  memo: 'Text',
  reference: 'Ref',
};
const DAY = '31/01/2026';
const read = async (columns: Readonly<Record<string, string>>, ...rows: string[]): Promise<string[]> =>
  said(await itemsOf(rows.join('\n').replaceAll('{D}', DAY), mappingOf(columns)));

describe('rows of CSV that are no money of the account', () => {
  it.each([
    'Status',
    'Transaction status',
    'STATUS ',
    'สถานะรายการ',
    'Trạng thái',
    'Txn State',
    'Payment result',
    'Currency',
    'Amount CCY',
    '币种',
    'State',
  ])('are not looked for in a file whose heading %s the mapping does not know', async (heading) => {
    const rows = [`Date,Amount,${heading},Text,Ref`, '{D},211.00,Failed,x,X1'];
    const [line = '', ...more] = await read(AMOUNT, ...rows);
    expect(line).toBe(
      `bad 1 file: the mapping neither reads nor ignores the column "${heading.trim()}": it may say which rows are money of this account`,
    );
    expect(more).toEqual([]);
    expect(await read({ ...AMOUNT, ignored: heading }, rows[0] ?? '', '{D},211.00,x,x,X1')).toEqual([
      '2|+211.0000|X1|x|',
    ]);
  });

  it('are those whose status is not booked', async () => {
    const columns = { ...AMOUNT, status: 'Status' };
    expect(
      await read(
        columns,
        ...['Date,Amount,Status,Text,Ref', '{D},1.00,Failed,x,X1', '{D},2.00,COMPLETED,x,X2'],
        ...['{D},3.00,,x,X3', '{D},4.00,Pending,x,X4', '{D},5.00, success ,x,X5', '{D},6.00,Not completed,x,X6'],
      ),
    ).toEqual([
      'bad 2: it is not booked: its status is "Failed"',
      '3|+2.0000|X2|x|',
      'bad 4: it is not booked: its status is ""',
      'bad 5: it is not booked: its status is "Pending"',
      '6|+5.0000|X5|x|',
      'bad 7: it is not booked: its status is "Not completed"',
    ]);
    const reading = mappingOf(columns);
    if (reading.format !== 'CSV') throw new Error('a mapping is of CSV');
    const own = { ...reading, mapping: { ...reading.mapping, bookedWords: ['Pending'] } };
    const items = await itemsOf(`Date,Amount,Status,Text,Ref\n${DAY},1.00,PENDING,x,X1\n${DAY},1.00,Success,x,X1`, own);
    expect(said(items)).toEqual(['2|+1.0000|X1|x|', 'bad 3: it is not booked: its status is "Success"']);
  });

  it('are those of another currency', async () => {
    expect(
      await read(
        { ...AMOUNT, currency: 'Currency' },
        ...[
          'Date,Amount,Currency,Text,Ref',
          '{D},1.00,JPY,x,X1',
          '{D},2.00,thb,x,X2',
          '{D},3.00,฿,x,X3',
          '{D},4.00,,x,X4',
        ],
      ),
    ).toEqual([
      'bad 2: it is not in THB: its currency is "JPY"',
      '3|+2.0000|X2|x|',
      '4|+3.0000|X3|x|',
      'bad 5: it is not in THB: its currency is ""',
    ]);
  });

  it('are those of which another column says that they failed', async () => {
    expect(
      await read(AMOUNT, 'Date,Amount,Result,Text,Ref', '{D},1.00,FAILED,x,X1', '{D},2.00,fine,failed,X2'),
    ).toEqual(['bad 2: it may not be booked: its "Result" is "FAILED"', '3|+2.0000|X2|failed|']);
  });

  it.each([
    ...['Unsuccessful payment', 'Fehlgeschlagen', 'Gagal', 'Vorgemerkt', 'FAILED TXN', 'Not completed'],
    ...['Nicht ausgeführt', 'Pending - bank', 'ไม่สำเร็จ (timeout)'],
  ])('are those of which a column of the bank says %s', async (text) => {
    const rows = (heading: string): string[] => [`Date,Amount,${heading},Text,Ref`, `{D},1.00,${text},x,X1`];
    expect(await read(AMOUNT, ...rows('Result'))).toEqual([
      `bad 2: it may not be booked: its "Result" is ${JSON.stringify(text)}`,
    ]);
    for (const heading of ['Payer note', 'Remarks 2', 'Verwendungszweck', 'Sender name'])
      expect(await read(AMOUNT, ...rows(heading))).toEqual(['2|+1.0000|X1|x|']);
  });

  it.each(['Processing fee', 'Failed payment charge', 'Not applicable', 'Transfer'])(
    'are not those of a type: %s',
    async (text) => {
      const rows = ['Date,Amount,Type,Text,Ref', `{D},1.00,${text},x,X1`];
      expect(await read(AMOUNT, ...rows)).toEqual(['2|+1.0000|X1|x|']);
    },
  );

  it('are totals', async () => {
    const head = 'Date,Debit,Credit,Balance,Text,Ref';
    expect(await read(BOTH, head, '{D},,71.00,171.00,a,F1', '{D},,171.00,,Closing balance / Total,')).toEqual([
      '2|+71.0000|F1|a|',
      'bad 3: it is a total, and no movement',
    ]);
    expect(await read(AMOUNT, 'Date,Amount,Text,Ref', '{D},1.00,a,F1', '{D},2.00,b,F2', '{D},3.00,Summe,')).toEqual([
      ...['2|+1.0000|F1|a|', '3|+2.0000|F2|b|', 'bad 4: it is a total, and no movement'],
    ]);
    // What a payer may write, where balances or references prove it.
    expect(
      await read(BOTH, head, '{D},,71.00,171.00,Total,', '{D},,1.00,,Total,R1', '{D},,2.00,,Totalenergies,'),
    ).toEqual(['2|+71.0000||Total|', '3|+1.0000|R1|Total|', '4|+2.0000||Totalenergies|']);
  });
});

describe('totals of CSV without balances', () => {
  const total = 'it is a total, and no movement';
  const lastOf = async (text: string, ...rows: string[]): Promise<string | undefined> => {
    const lines = await read(AMOUNT, 'Date,Amount,Text,Ref', ...rows, `{D},3.00,${text},`);
    return lines.at(-1);
  };

  it.each([
    ...['Gesamt', 'Gesamtsumme', 'Page total', 'Total amount', 'TOTAL (INR)', 'Total for Nov 2026'],
    ...['Summe Haben', 'Jumlah', 'Closing Bal.', 'Grand-total', 'c/f', 'Tổng cộng', 'รวมทั้งสิ้น', 'मोट कुल'],
    ...['', 'what a bank may write'],
  ])('are bad at the end: %s', async (text) => {
    expect(await lastOf(text, '{D},1.00,a,', '{D},2.00,b,')).toBe(`bad 4: ${total}`);
  });

  it('are distinguished from movements', async () => {
    // A word alone is no total, nor is the only other payment of an amount, nor what names an order or is followed.
    expect(await lastOf('Total', '{D},1.00,a,')).toBe('3|+3.0000||Total|');
    expect(await lastOf('from Ann', '{D},3.00,from Bob,')).toBe('3|+3.0000||from Ann|');
    expect(await lastOf('Closing balance', '{D},1.00,a,')).toBe(`bad 3: ${total}`);
    const rows = ['{D},1.00,a,', '{D},2.00,b,', '{D},3.00,c,', 'no row', '{D},4.00,d,'];
    expect(await read(AMOUNT, 'Date,Amount,Text,Ref', ...rows)).toEqual([
      ...['2|+1.0000||a|', '3|+2.0000||b|', '4|+3.0000||c|'],
      expect.stringMatching(/^bad 5/) as unknown,
      '6|+4.0000||d|',
    ]);
    const pages = ['{D},1.00,a,R1', '{D},1.00,Page total,', '{D},2.00,b,R2', '{D},2.00,Page total,'];
    expect(await read(AMOUNT, 'Date,Amount,Text,Ref', ...pages)).toEqual([
      ...['2|+1.0000|R1|a|', `bad 3: ${total}`, '4|+2.0000|R2|b|', `bad 5: ${total}`],
    ]);
  });

  it('take no time, however long a text of their words is', async () => {
    const texts = ['total ', 'balance ', 'of credits ', 'sub-', '(', '/', 'grand '].map((one) => one.repeat(400));
    const rows = texts.flatMap((text) => [`{D},1.00,${text}x,`, `{D},${text}1,${text}x,`]);
    const begins = Date.now();
    expect(await read(AMOUNT, 'Date,Amount,Text,Ref', ...rows)).toHaveLength(rows.length);
    expect(Date.now() - begins).toBeLessThan(2_000);
  });
});

describe('rows of CSV', () => {
  it('wider than their headings are bad', async () => {
    const columns = {
      date: 'Date',
      memo: 'Narration',
      reference: 'Ref',
      debit: 'Debit',
      credit: 'Credit',
      balance: 'Balance',
    };
    expect(
      await read(
        columns,
        'Date,Narration,Ref,Debit,Credit,Balance',
        '{D},UPI x,R1,,5001.00,9999.00,end,UTR1,,1.00,101.00',
        '{D},UPI x,R2,,1.00,101.00,,',
      ),
    ).toEqual(['bad 2: it has more fields than the header row', '3|+1.0000|R2|UPI x|']);
  });

  it('of a file with two headings of one name are not read', async () => {
    const head = 'Date,Amount,Currency,Amount,Currency,Text,Ref';
    const columns = { ...AMOUNT, ignored: 'Currency' };
    const problem = 'bad 1 file: the header row has more than one "Amount"';
    expect(await read(columns, head, '{D},100.00,THB,2.50,USD,aaa,R1')).toEqual([problem]);
    expect(await read(AMOUNT, 'Date,Amount,a mount ,Text,Ref', '{D},1.00,2.00,a,R1')).toEqual([problem]);
    // Names that no column of the mapping has.
    expect(await read(AMOUNT, 'Date,Amount,Text,Ref,,x,x,', '{D},1.00,a,R1,,,,')).toEqual(['2|+1.0000|R1|a|']);
  });

  it('after a quote that is not closed are read', async () => {
    expect(
      await read(
        AMOUNT,
        ...['Date,Amount,Text,Ref', '{D},1.00,"open,R1', '{D},"1,234.00",a,R2', '{D},="3.00",a,="R3"'],
        ...['{D},4.00,"two\nlines",R4', '{D},5.00,"a ""b"" c",R5', '{D},"6.00,x,R6'],
      ),
    ).toEqual([
      ...['2|+1.0000|R1|"open|', '3|+1234.0000|R2|a|', '4|+3.0000|R3|a|'],
      ...[
        '5|+4.0000|R4|two lines|',
        '7|+5.0000|R5|a "b" c|',
        'bad 8: the amount "\\"6.00" has a mark that is not of THB',
      ],
    ]);
  });

  it('have no placeholder as their reference', async () => {
    const placeholders = ['000000000000', '0', '-', 'N/A', '4.12346E+11', 'EREF', 'KREF+', 'NONREF'];
    const rows = placeholders.map((one) => `{D},1.00,a,${one}`);
    const lines = await read(AMOUNT, 'Date,Amount,Text,Ref', ...rows, '{D},1.00,a,4E12');
    expect(lines).toEqual([...rows.map((_row, at) => `${at + 2}|+1.0000||a|`), '10|+1.0000|4E12|a|']);
  });

  it('in windows-1252 under a mapping of UTF-8 have their names', async () => {
    const file = Buffer.from(`Date,Amount,Text,Ref\n${DAY},1.00,JÜRGEN,R1`, 'latin1');
    expect(said(await itemsOf(file, mappingOf(AMOUNT)))).toEqual(['2|+1.0000|R1|JÜRGEN|']);
  });
});
