import type { CsvMapping, StatementFormat, StatementItem } from '../domain/statement';
import { readCamt053 } from './camt053';
import { readCsv } from './csv';
import { readMt940 } from './mt940';
import type { Bytes } from './text';

/** How to read a file. */
export type Reading =
  | { readonly format: 'CSV'; readonly mapping: CsvMapping }
  | { readonly format: Exclude<StatementFormat, 'CSV'> };

/**
 * Reads a bank's statement item by item: a file is never completely in memory.
 * @param decimals decimal places of the account's currency
 */
export function readStatement(
  bytes: Bytes,
  reading: Reading,
  decimals: number,
): AsyncGenerator<StatementItem> {
  switch (reading.format) {
    case 'CSV':
      return readCsv(bytes, reading.mapping, decimals);
    case 'CAMT053':
      return readCamt053(bytes, decimals);
    case 'MT940':
      return readMt940(bytes, decimals);
  }
}

export { Unreadable } from './amounts';
export { PUBLISHED_PATTERNS, type PublishedPattern } from './published-patterns';
export { checkPattern, MOST_TEXT, readText, type TextPattern } from './text-pattern';
export { checkMemoPattern, memoFits } from './memo-pattern';
