import { itemsOf, said } from './reading';

const CAMT = { format: 'CAMT053' } as const;
const read = async (text: string | Buffer, size?: number): Promise<string[]> =>
  said(await itemsOf(text, CAMT, { size }));

const messageOf = (entries: string, head = '<?xml version="1.0" encoding="UTF-8"?>'): string =>
  `${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`;
const entryOf = (amount: string, details = '', mark = 'CRDT'): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-31</Dt></BookgDt>${details}</Ntry>`;
const detailOf = (memo: string, amount = '', more = ''): string =>
  `<TxDtls>${more}${amount}<RmtInf><Ustrd>${memo}</Ustrd></RmtInf></TxDtls>`;
const amt = (amount: string, currency = 'EUR'): string => `<Amt Ccy="${currency}">${amount}</Amt>`;
const batch = (...details: string[]): string => `<NtryDtls>${details.join('')}</NtryDtls>`;

describe('entries of camt.053', () => {
  it('in one line are each an entry', async () => {
    const entries = ['71.00', '72.00', '73.00'].map((amount) => entryOf(amount));
    const expected = ['1|+71.0000|||', '2|+72.0000|||', '3|+73.0000|||'];
    expect(await read(messageOf(entries.join('')))).toEqual(expected);
    expect(await read(messageOf(entries.join('')), 1 << 20)).toEqual(expected);
  });

  it.each([
    [
      'that add up are movements of their own',
      [detailOf('a', amt('49.00')), detailOf('b', amt('1.00'))],
      ['1|+49.0000||a|', '2|+1.0000||b|'],
    ],
    [
      'have their own references, where they are not the booking’s',
      [
        detailOf('a', amt('49.00'), '<Refs><AcctSvcrRef>B</AcctSvcrRef><EndToEndId>E1</EndToEndId></Refs>'),
        detailOf('b', amt('1.00'), '<Refs><AcctSvcrRef>B</AcctSvcrRef><EndToEndId>E2</EndToEndId></Refs>'),
      ],
      ['1|+49.0000|E1|a|', '2|+1.0000|E2|b|'],
    ],
    [
      'with amounts as older versions write them',
      [
        detailOf('a', `<AmtDtls><TxAmt>${amt('49')}</TxAmt></AmtDtls>`),
        detailOf('b', `<AmtDtls><TxAmt>${amt('1')}</TxAmt></AmtDtls>`),
      ],
      ['1|+49.0000||a|', '2|+1.0000||b|'],
    ],
    ['that do not add up wait', [detailOf('a', amt('48.00')), detailOf('b', amt('1.00'))], ['1|+50.0000||a b||waits']],
    ['without amounts wait', [detailOf('a'), detailOf('b')], ['1|+50.0000||a b||waits']],
    [
      'in another currency wait',
      [detailOf('a', amt('49.00')), detailOf('b', amt('1.00', 'USD'))],
      ['1|+50.0000||a b||waits'],
    ],
    [
      'of the other direction wait',
      [detailOf('a', amt('49.00')), detailOf('b', `${amt('1.00')}<CdtDbtInd>DBIT</CdtDbtInd>`)],
      ['1|+50.0000||a b||waits'],
    ],
    [
      'of which one is negative wait',
      [detailOf('a', amt('51.00')), detailOf('b', amt('-1.00'))],
      ['1|+50.0000||a b||waits'],
    ],
    ['of one payment are it', [detailOf('a', amt('50.00'))], ['1|+50.0000||a|']],
    ['of one payment before charges are it', [detailOf('a', amt('51.00'))], ['1|+50.0000||a|']],
    ['of one payment of less wait', [detailOf('a', amt('1.00'))], ['1|+50.0000||a||waits']],
    [
      'of which the file has one of two wait',
      ['<Btch><NbOfTxs>2</NbOfTxs></Btch>', detailOf('a')],
      ['1|+50.0000||a||waits'],
    ],
  ])('whose details %s', async (_what, details, expected) => {
    expect(await read(messageOf(entryOf('50.00', batch(...details))))).toEqual(expected);
  });

  it('that are debits contain their charges', async () => {
    const party = '<RltdPties><Cdtr><Nm>Ann</Nm></Cdtr></RltdPties>';
    const refs = '<Refs><EndToEndId>W1</EndToEndId></Refs>';
    const detail = detailOf('a', amt('100.00'), refs + party);
    expect(await read(messageOf(entryOf('102.00', batch(detail), 'DBIT')))).toEqual(['1|-102.0000|W1|a|Ann']);
  });

  it('spoil only themselves', async () => {
    const bad = [entryOf('-5'), entryOf('1,00'), entryOf('1\u0000')];
    const good = entryOf('7', batch(detailOf('x', '', '<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>')));
    expect(await read(messageOf([...bad, good].join('')))).toEqual([
      'bad 1: its amount is negative',
      'bad 2: the amount "1,00" is not a number',
      'bad 3: the amount "1\\u0000" is not a number',
      '4|+7.0000||x|',
    ]);
  });
});

describe('the text of camt.053', () => {
  const named = (head: string): string =>
    messageOf(entryOf('7', batch(detailOf('x', '<RltdPties><Dbtr><Nm>JÜRGEN</Nm></Dbtr></RltdPties>'))), head);
  it.each([
    ['its declaration', Buffer.from(named('<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1')],
    ['no declaration', Buffer.from(named(''), 'utf8')],
    ['no declaration, and not UTF-8', Buffer.from(named(''), 'latin1')],
    ['a byte order mark', Buffer.from(`\ufeff${named('<?xml version="1.0" encoding="UTF-16"?>')}`, 'utf16le')],
  ])('is read by %s', async (_what, bytes) => {
    for (const size of [1, 7, 1 << 20]) expect(await read(bytes, size)).toEqual(['1|+7.0000||x|JÜRGEN']);
  });

  it('of an unknown encoding is refused', async () => {
    expect(await read(named('<?xml version="1.0" encoding="x-none"?>'))).toEqual([
      'bad 1 file: the file has an unknown encoding, "x-none"',
    ]);
  });

  it.each([
    ['elements within others', '<a>'.repeat(8_000_000), 'over 32 elements within another'],
    ['a long name', messageOf(`<${'a'.repeat(200)}/>`), 'a name of over 128 characters'],
    [
      'attributes',
      messageOf(`<a ${Array.from({ length: 17 }, (_, n) => `b${n}="1"`).join(' ')}/>`),
      'an element with over 16 attributes',
    ],
    ['a long text', messageOf(`<a>${'b'.repeat(200_000)}</a>`), 'a text of over 64 KB'],
    ['a long attribute', messageOf(`<a b="${'c'.repeat(1_000_000)}"/>`), 'Max buffer length exceeded'],
    ['a long comment', messageOf(`<!--${'c'.repeat(1_000_000)}-->`), 'Max buffer length exceeded'],
    ['a document type', `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(100)}]><a/>`, 'it has a document type'],
  ])('with too much of %s is refused', async (_what, text, problem) => {
    const begun = performance.now();
    const [only = '', ...more] = await read(text, 2 << 20);
    expect(only).toContain(problem);
    expect(only).toMatch(/^bad 1 file: the file /);
    expect(more).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe('the balances of camt.053', () => {
  const balanceOf = (code: string, amount: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>`;
  const opened = async (text: string): Promise<string[]> =>
    (await itemsOf(text, CAMT)).flatMap((item) => (item.kind === 'opening' ? [item.balance.toFixed()] : []));
  const [own, previous] = [balanceOf('OPBD', '120.00'), balanceOf('PRCD', '100.00')];
  const closing = balanceOf('CLBD', '130.00');
  const entry = entryOf('10.00');

  it.each([
    ['its own before', own + previous + closing + entry, ['120']],
    ['its own after', previous + own + closing + entry, ['120']],
    ['its own last', closing + previous + own + entry, ['120']],
    ['that of the day before alone', previous + closing + entry, ['100']],
    ['none and no entries', previous + closing, ['100']],
    ['two statements', `${own}${entry}</Stmt><Stmt>${previous}${entry}`, ['120', '100']],
  ])('open with %s', async (_what, text, expected) => {
    expect(await opened(messageOf(text))).toEqual(expected);
  });
});
