import type { CsvMapping, StatementFormat, StatementItem } from '../domain/statement';
import type { Currency } from './amounts';
import { readCamt053 } from './camt053';
import { readCsv } from './csv';
import { readMt940 } from './mt940';
import type { Bytes } from './text';

/** How to read a file. */
export type Reading =
  { readonly format: 'CSV'; readonly mapping: CsvMapping } | { readonly format: Exclude<StatementFormat, 'CSV'> };

/** Reads a bank's statement item by item: a file is never completely in memory. */
export function readStatement(bytes: Bytes, reading: Reading, currency: Currency): AsyncGenerator<StatementItem> {
  switch (reading.format) {
    case 'CSV':
      return readCsv(bytes, reading.mapping, currency);
    case 'CAMT053':
      return readCamt053(bytes, currency.decimals);
    case 'MT940':
      return readMt940(bytes, currency.decimals);
  }
}
