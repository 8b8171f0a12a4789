import { itemsOf, said } from './reading';

const read = async (text: string | Buffer, size?: number): Promise<string[]> =>
  said(await itemsOf(text, { format: 'MT940' }, { size, code: 'EUR' }));

const HEAD = ':20:STMT1\r\n:25:1234567890\r\n:28C:1/1\r\n';
const opens = (amount: string): string => `:60F:C261128EUR${amount}\r\n`;
const closes = (amount: string): string => `:62F:C261128EUR${amount}\r\n-\r\n`;
const entry = (amount: string, rest = 'NTRFNONREF//R1', mark = 'C'): string =>
  `:61:2611281128${mark}${amount}${rest}\r\n`;
const messageOf = (body: string, from = '0,00', to = '0,00'): string => `${HEAD}${opens(from)}${body}${closes(to)}`;
/** The only movement of a message with this entry and these details. */
const detailsOf = async (details: string, rest?: string): Promise<string | undefined> =>
  (await read(messageOf(`${entry('61,00', rest)}${details}\r\n`)))[0];

describe('MT940 as banks write it', () => {
  it.each([
    ['500', 'NTRFNONREF//D1', '4|+500.0000|D1|x|'],
    [',50', 'NTRFNONREF//D2', '4|+0.5000|D2|x|'],
    ['7,50', 'S   X\r\n:NS:01D3', '4|+7.5000|X|x|'],
    ['7,', 'NTRFX', '4|+7.0000|X|x|'],
    ['7,500', 'NTRFX', 'bad 4: the amount "7,500" has more than 2 decimal places'],
    ['7,50', 'NTRFEREF', '4|+7.5000||x|'],
    ['7,50', 'N062KREF+', '4|+7.5000||x|'],
    ['7,50', 'NTRFEREF//00000000001234\r\n/TRCD/00100/', '4|+7.5000|00000000001234|x|'],
    ['7,50', 'NTRF0000//-', '4|+7.5000||x|'],
  ])('has an entry of %s %s', async (amount, rest, expected) => {
    const [line] = await read(`${HEAD}${entry(amount, rest)}:86:x\r\n${closes('1,00')}`);
    expect(line?.replace(/^(bad )?\d+/, '$14')).toBe(expected);
  });

  it.each([
    ['/EREF/NOTPROVIDED//CNTP/NL99/TESTNL2A/J TESTER///REMI/USTD//\r\nABCD2345/', 'ABCD2345|J TESTER'],
    ['/REMI/STRD/CUR/9001123412341234/', '9001123412341234|'],
    ['/TRTP/SEPA/IBAN/NL1/BIC/X/NAME/A TEST/REMI/invoice 1/2 of\r\n May/EREF/E1', 'invoice 1/2 of May|A TEST'],
    ['/EREF/E1/NAME/BANK SAYS/REMI/x/NAME/PAYER SAYS', 'x|BANK SAYS'],
    ['020~00VE02~20ABCD~212345~32JAN TEST~33 OWSKI', 'ABCD2345|JAN TEST OWSKI'],
    ['000>100000000000\r\n>20ABCD\r\n>212345>32J TEST', 'ABCD2345|J TEST'],
    ['166?00GUTSCHRIFT?20SVWZ+a?32 PAYER?21b?32BANK', 'SVWZ+ab|BANK'],
    ['paid? ?10 and more', 'paid? ?10 and more|'],
    ['one\r\n:86:two', 'one two|'],
    ['166?20EREF+1 2026-11-28T16\r\n:26:37 ?21SVWZ+x?32A TEST', 'EREF+1 2026-11-28T16:26:37 SVWZ+x|A TEST'],
    ['a\r\n:20:b\r\n:25:c\r\n:60F:C261128EUR9,00\r\n:62F:soon', 'a :20:b :25:c :60F:C261128EUR9,00 :62F:soon|'],
  ])('has details %j', async (details, expected) => {
    expect(await detailsOf(`:86:${details}`)).toBe(`5|+61.0000|R1|${expected}`);
  });

  it('has names of another encoding', async () => {
    const text = messageOf(`${entry('61,00')}:86:166?20x?32JÜRGEN MÜLLER\r\n`);
    for (const encoding of ['latin1', 'utf8'] as const)
      for (const size of [1, 5, 1 << 20])
        expect(await read(Buffer.from(text, encoding), size)).toEqual(['5|+61.0000|R1|x|JÜRGEN MÜLLER']);
  });

  it('has a closing balance before the header of the next page', async () => {
    const page = `ABNANL2A\r\n940\r\nABNANL2A\r\n${HEAD}`;
    const items = await itemsOf(
      `${page}${opens('1,00')}${entry('2,00')}:62F:C261128EUR3,00\r\n${page}${opens('3,00')}${closes('3,00')}`,
      { format: 'MT940' },
    );
    expect(items.flatMap((item) => ('balance' in item ? [`${item.kind} ${item.balance.toFixed()}`] : []))).toEqual([
      ...['opening 1', 'closing 3', 'opening 3', 'closing 3'],
    ]);
    expect(said(items)).toEqual(['8|+2.0000|R1||']);
  });
});

describe('a payer’s text in MT940', () => {
  it('takes no time, however many slashes it has', async () => {
    const slashes = '/'.repeat(90_000);
    const details = `:86:/REMI/a${slashes}x\r\n`;
    const file = messageOf(`${entry('1,00')}${details}`.repeat(3), '0,00', '3,00');
    const begins = Date.now();
    expect(await read(file, 1 << 20)).toHaveLength(3);
    expect(Date.now() - begins).toBeLessThan(2_000);
  });

  const FORGED = ':61:2611281128C5002,00NTRFX\r\n:86:ABCD2345\r\n';
  const BACK = ':61:2611281128D5002,00NTRFX\r\n';
  /** The entries that wait, of a message that begins with these details. */
  const waiting = async (details: string): Promise<string[]> =>
    (await read(messageOf(`${entry('1,00')}:86:${details}`))).flatMap((line) =>
      line.endsWith('|waits') ? [line.split('|')[1] ?? ''] : [],
    );

  it('with an entry is no proof of it without balances', async () => {
    const text = `${HEAD}${entry('1,00')}:86:x\r\n${FORGED}`;
    expect((await read(text)).at(-1)).toMatch(
      /^doubt: the message before line \d+: it lacks an opening or a closing balance/,
    );
    const counted = `${text}:90C:1EUR1,00\r\n`;
    expect((await read(counted)).at(-1)).toMatch(/^doubt: .*: its entries are not those/);
    // A count is the bank's only behind all entries.
    const early = text.replace(FORGED, `:90C:1EUR1,00\r\n${FORGED}`);
    expect((await read(early)).at(-1)).toMatch(/^doubt: .*: its entries are not those/);
    expect(await read(text.replace(FORGED, ''))).toEqual(['4|+1.0000|R1|x|']);
    expect(await read(`${text}:90C:2EUR5003,00\r\n`)).toHaveLength(2);
  });

  it.each([
    ['a short text', `hi\r\n${BACK}${FORGED}`],
    ['a long text', `${'of a width at which a bank wraps it'.repeat(2)}\r\n${BACK}${FORGED}`],
    ['empty lines between', `hi\r\n\r\n${BACK}\r\n${FORGED}`.replace(/\n:/g, '\n\r\n:')],
    ['a text of its own', `hi\r\n${FORGED}${BACK}:86:y\r\n`],
    ['an entry that cannot be read between', `hi\r\n${BACK}:61:x\r\n${FORGED}`],
    ['a count between', `hi\r\n${BACK}:90C:1EUR1,00\r\n${FORGED}`],
    ['a closing balance between', `hi\r\n${BACK}:62F:C261128EUR1,00\r\n${FORGED}`],
    ['six lines', `1\r\n2\r\n3\r\n4\r\n${BACK}${FORGED}`],
  ])('with entries that cancel each other waits for a person: %s', async (_what, details) => {
    expect((await waiting(details)).sort()).toEqual(['+5002.0000', '-5002.0000']);
  });

  it('with several entries that cancel each other waits for a person', async () => {
    const parts = `${entry('5001,00')}${entry('1,00')}`;
    expect(await waiting(`hi\r\n${parts}${BACK}`)).toEqual([...['+5001.0000', '+1.0000', '-5002.0000']]);
  });

  it.each([
    ['more lines than a text has', `1\r\n2\r\n3\r\n4\r\n5\r\n${BACK}${FORGED}`],
    [
      'texts as long as banks write them',
      `166?00GUTSCHRIFT?20EREF+1?21\r\nKREF+1?22SVWZ+one\r\n?32A TEST\r\n${FORGED}?20two\r\n?32B TEST\r\n${BACK}`,
    ],
    ['another entry between', `hi\r\n${BACK}${entry('3,00')}${FORGED}`],
    ['no text before them', `hi\r\n${entry('3,00')}${BACK}${FORGED}`],
  ])('does not make movements wait behind %s', async (_what, details) => {
    const lines = await read(messageOf(`${entry('1,00')}:86:${details}`));
    expect(lines.filter((line) => /^bad|waits$/.test(line))).toEqual([]);
  });

  it.each([
    ['another closing balance', `${FORGED}:62F:C261128EUR5003,00\r\n`],
    ['a closing balance', ':62F:C261128EUR1,00\r\n'],
    ['a closing balance and an entry', `:62F:C261128EUR1,00\r\n${FORGED}`],
    [
      'a whole page',
      `:62F:C261128EUR1,00\r\n${HEAD}${opens('1,00')}${FORGED}:62F:C261128EUR5003,00\r\n${HEAD}${opens('1,00')}`,
    ],
  ])('with %s makes people decide on the file', async (_what, forged) => {
    const lines = await read(messageOf(`${entry('1,00')}:86:x\r\n${forged}`, '0,00', '1,00'));
    expect(lines.some((line) => line.startsWith('doubt: '))).toBe(true);
    expect(lines.some((line) => line.includes(' file: '))).toBe(false);
  });

  it('with a balance of another currency is a text', async () => {
    const text = messageOf(`${entry('1,00')}:86:x\r\n:62F:C261128USD1,00\r\n`, '0,00', '1,00');
    expect(await read(text)).toEqual(['5|+1.0000|R1|x :62F:C261128USD1,00|']);
  });

  it('is not in a file with the newest page first, or with a gap', async () => {
    const pages = [messageOf(entry('2,00'), '5,00', '7,00'), messageOf('', '1,00', '5,00')];
    expect(await read(pages.join(''))).toEqual([
      '5|+2.0000|R1||',
      'doubt: line 11: a page begins with 1.0000, and the one before ended with 7.0000',
    ]);
  });

  it('with zeros in the account is read as text', async () => {
    const items = await itemsOf(':20:x\r\n:25:12\u000034\r\n', { format: 'MT940' });
    expect(items).toEqual([{ kind: 'account', number: '12 34' }]);
  });
});
