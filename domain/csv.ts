/** The value of one field. Null and undefined are written empty. */
export type CsvValue = string | number | Date | null | undefined;

/** A column of a table: its heading, and its value in a row. */
export type CsvColumn<Row> = readonly [heading: string, value: (row: Row) => CsvValue];

/** Characters with which a spreadsheet's formula begins. */
const FORMULA = /^[=+\-@\t\r]/;
const AMOUNT = /^-?\d+(\.\d+)?$/;

/**
 * One field (RFC 4180). A text that a spreadsheet would compute gets an apostrophe in front: nothing that merchants and
 * payers write is ever executed.
 */
function field(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  const text = value instanceof Date ? value.toISOString() : String(value);
  const harmless = FORMULA.test(text) && !AMOUNT.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const line = (fields: readonly string[]): string => `${fields.join(',')}\r\n`;

/** Rows as comma-separated values without their headings: one line a row, each ended by CRLF. */
export const csvLines = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  rows.map((row) => line(columns.map(([, value]) => field(value(row))))).join('');

/** A table as comma-separated values: a line of headings, then its rows. */
export const csvOf = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  line(columns.map(([heading]) => field(heading))) + csvLines(columns, rows);

function patternOf(delimiter: string): RegExp {
  const between = delimiter.replace(/[\\^\]|.*+?$()[{}-]/g, '\\$&');
  return new RegExp(`("(?:[^"]|"")*"|[^"${between}\\r\\n]*)(${between}|\\r?\\n|$)`, 'gy');
}

/**
 * Reads comma-separated values (RFC 4180): fields may be quoted, lines end in CRLF or LF, and the last line may lack
 * its end. A byte order mark and empty lines are skipped.
 * @param delimiter one character; what is written between fields
 * @returns a row a line, or null where a quote does not end or has text beside it
 */
export function parseCsv(text: string, delimiter = ','): string[][] | null {
  const rows: string[][] = [];
  const pattern = patternOf(delimiter);
  pattern.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  let row: string[] = [];
  while (pattern.lastIndex < text.length || row.length > 0) {
    const match = pattern.exec(text);
    if (!match) return null;
    const [, field = '', end = ''] = match;
    row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (end === delimiter) continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
