import { mutated, seededRandom } from './mutations';
import { itemsOf, mappingOf } from './reading';

const CSV = mappingOf({ date: 'Date', amount: 'Amount', memo: 'Text', reference: 'Ref' });
const FILES = [
  [CSV, 'Date,Amount,Text,Ref\n31/01/2026,"1,234.50","a ""b""",R1\n31/01/2026,-5.00,b,R2\n'],
  [
    { format: 'MT940' },
    ':20:S\n:25:123\n:60F:C261128THB0,\n:61:2611281128C1,50NTRFR1//B1\n:86:166?20x?32y\n:61:261128D1,NTRFR2\n:86:/REMI/USTD//z/\n:62F:C261128THB0,50\n-\n',
  ],
  [
    { format: 'CAMT053' },
    '<?xml version="1.0"?><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="THB">3</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-01-31</Dt></BookgDt><NtryDtls><TxDtls><Amt Ccy="THB">1</Amt></TxDtls><TxDtls><Amt Ccy="THB">2</Amt></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt>',
  ],
] as const;

describe('files with any faults', () => {
  it.each(FILES)('%j are read to their end, each movement above zero and once', async (reading, file) => {
    const random = seededRandom(41);
    for (let round = 0; round < 300; round++) {
      const items = await itemsOf(mutated(Buffer.from(file), random), reading, { size: 1 << 16 });
      const lines = items.flatMap((item) => (item.kind === 'line' ? [item.line] : []));
      expect(new Set(lines.map(({ line }) => line)).size).toBe(lines.length);
      for (const { amount } of lines) expect(amount.gt(0) && amount.decimalPlaces() <= 2).toBe(true);
    }
  });
});
