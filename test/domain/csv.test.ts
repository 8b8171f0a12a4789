import fc from 'fast-check';
import { csvOf, parseCsv } from '../../domain/csv';

/** Reads RFC 4180, as spreadsheets do. */
function read(text: string): string[][] {
  const lines: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  for (const [, quoted = '', end] of text.matchAll(pattern)) {
    const plain = quoted.startsWith('"') ? quoted.slice(1, -1).replaceAll('""', '"') : quoted;
    lines.at(-1)?.push(plain);
    if (end === '\r\n') lines.push([]);
  }
  return lines.slice(0, -1);
}

describe('a table as comma-separated values', () => {
  const table = (...values: Parameters<typeof csvOf>[1][]): string =>
    csvOf([['a', (row: unknown) => (row as [string])[0]]], values);

  it('has a header, one line per row, and nothing for missing values', () => {
    const columns = [
      ['no', ({ no }: { no: string; at: Date | null }) => no],
      ['at', ({ at }: { no: string; at: Date | null }) => at],
    ] as const;
    const rows = [
      { no: 'D1', at: new Date('2026-03-01T00:00:00Z') },
      { no: 'D2', at: null },
    ];
    expect(csvOf(columns, rows)).toBe('no,at\r\nD1,2026-03-01T00:00:00.000Z\r\nD2,\r\n');
  });

  it.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\tx', '\rx', '-', '=cmd|/c calc'])(
    'never writes a formula: %j',
    (text) => {
      expect(read(table([text]))[1]?.[0]).toBe(`'${text}`);
    },
  );

  it.each(['-12.5000', '100', 'D20261121', "O'Neill"])('writes %j unchanged', (text) => {
    expect(table([text])).toBe(`a\r\n${text}\r\n`);
  });

  it('is read back unchanged, for any values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (texts) => {
        const back = read(table(...texts.map((text) => [text])))
          .slice(1)
          .map(([text]) => text);
        const shown = texts.map((text) =>
          /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text,
        );
        expect(back).toEqual(shown);
      }),
      { seed: 13 },
    );
  });
});

describe('reading comma-separated values', () => {
  it.each<[string, string[][] | null]>([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\uFEFFa\n\n"1, ""x""\n2"\n', [['a'], ['1, "x"\n2']]],
    [
      'a,\n,b\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['', []],
    ['a,"b', null],
    ['a,"b"c\n', null],
    ['a,b"c\n', null],
  ])('%j', (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  it('reads back what was written', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', '1') });
    // Texts that no spreadsheet reads as a formula.
    const cell = text.map((one) => `a${one}`);
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const columns = [0, 1].map((n) => [`c${n}`, (row: readonly string[]) => row[n]] as const);
        expect(parseCsv(csvOf(columns, rows))).toEqual([['c0', 'c1'], ...rows]);
      }),
      { seed: 1 },
    );
  });
});
