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
  debitWords: [],
  columns: {},
};

/** A mapping of these columns. */
export const mappingOf = (columns: Readonly<Record<string, string>>): Reading => ({
  format: 'CSV',
  mapping: {
    ...MAPPING,
    columns: Object.fromEntries(Object.entries(columns).map(([role, name]) => [role, [name]])),
  },
});

/** The items of a file that comes in chunks of this many bytes. */
export async function itemsOf(
  file: string | Buffer,
  reading: Reading,
  { size = 7, code = 'THB', decimals = 2 } = {},
): Promise<StatementItem[]> {
  const bytes = Buffer.from(file as string);
  async function* parts(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) {
      await Promise.resolve();
      yield bytes.subarray(at, at + size);
    }
  }
  const items: StatementItem[] = [];
  for await (const item of readStatement(parts(), reading, { code, decimals })) items.push(item);
  return items;
}

/** The movements and what is bad, as a person would write them down: number, amount, reference, text and name. */
export const said = (items: readonly StatementItem[]): string[] =>
  items.flatMap((item) => {
    if (item.kind === 'bad') return [`bad ${item.line}${item.file ? ' file' : ''}: ${item.problem}`];
    if (item.kind === 'doubt') return [`doubt: ${item.problem}`];
    if (item.kind !== 'line') return [];
    const { line, direction, amount, reference, memo, partyName, waits } = item.line;
    const sign = direction === 'CREDIT' ? '+' : '-';
    const texts = [reference ?? '', memo, partyName ?? '', ...(waits === undefined ? [] : ['waits'])];
    return [[line, `${sign}${formatMoney(amount)}`, ...texts].join('|')];
  });
