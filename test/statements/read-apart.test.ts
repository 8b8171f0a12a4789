import { readApart } from '../../statements';
import { readStatement, type Reading } from '../../statements/read';
import type { StatementItem } from '../../domain/statement';
import { mappingOf, said } from './reading';

const THB = { code: 'THB', decimals: 2 };

async function* partsOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}
const all = async (items: AsyncIterable<StatementItem>): Promise<StatementItem[]> => {
  const found: StatementItem[] = [];
  for await (const item of items) found.push(item);
  return found;
};

describe('a thread that reads a file', () => {
  it.each<[string, Reading, string]>([
    [
      'CSV',
      mappingOf({ date: 'Date', amount: 'Amount', memo: 'Text', balance: 'Balance' }),
      ['Date,Amount,Text,Balance', ...Array.from({ length: 1_200 }, (_, n) => `31/01/2026,-${n}.50,t${n},${n}`)].join(
        '\n',
      ),
    ],
    [
      'MT940',
      { format: 'MT940' },
      ':20:x\n:25:12\n:60F:C261128THB0,\n:61:261128C1,50NTRFR1\n:86:x\n:62F:C261128THB1,50\n',
    ],
    [
      'CAMT053',
      { format: 'CAMT053' },
      '<BkToCstmrStmt><Stmt><Ntry><Amt>1.5</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><DtTm>2026-01-31T10:00:00Z</DtTm></BookgDt></Ntry></Stmt></BkToCstmrStmt>',
    ],
  ])('says of %s what its reader says', async (_format, reading, text) => {
    const expected = await all(readStatement(partsOf(text, 1 << 20), reading, THB));
    expect(await all(readApart(partsOf(text, 10_000), reading, THB))).toEqual(expected);
  });

  it('delays nobody else, and takes no more than its memory', async () => {
    // One collective booking, whose details are kept until it ends.
    const details = `<TxDtls><RmtInf><Ustrd>${'x'.repeat(2_000)}</Ustrd></RmtInf></TxDtls>`.repeat(500);
    async function* bytes(): AsyncGenerator<Buffer> {
      yield Buffer.from('<BkToCstmrStmt><Stmt><Ntry><NtryDtls>');
      for (let n = 0; n < 10; n++) {
        await Promise.resolve();
        yield Buffer.from(details);
      }
    }
    let longest = 0;
    let before = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }, 5);
    const items = await all(readApart(bytes(), { format: 'CAMT053' }, THB, 10));
    clearInterval(timer);
    expect(said(items)).toEqual(['bad 1 file: the file needs too much memory to be read']);
    expect(longest).toBeLessThan(1_000);
  });

  it('ends with the reader that leaves it', async () => {
    const text = `Date,Amount\n${'31/01/2026,1.00\n'.repeat(5_000)}`;
    const items = readApart(partsOf(text, 5_000), mappingOf({ date: 'Date', amount: 'Amount' }), THB);
    expect((await items.next()).done).toBe(false);
    expect((await items.return(undefined)).done).toBe(true);
  });
});
