import { parseCsv } from '../domain/csv';
import { LIMITS } from '../domain/limits';
import type { Money } from '../domain/money';
import type { ColumnRole, CsvMapping, StatementItem, StatementLine } from '../domain/statement';
import { amountOf, type Currency, Unreadable } from './amounts';
import { dateReader, timeOf } from './dates';
import { type Bytes, excerptOf, fieldOf, linesOf, textOf } from './text';

/** A quoted field may span this many lines. A longer one is a quote that was never closed. */
const MOST_LINES_OF_ONE = 5;

/** A row of the file with all its lines, and the number of the first. */
interface Row {
  readonly line: number;
  readonly text: string;
  /** Null if a quote is not closed. */
  readonly fields: readonly string[] | null;
}

const fieldsOf = (text: string, delimiter: string): readonly string[] | null =>
  text.includes('"') ? (parseCsv(text, delimiter)?.[0] ?? null) : text.split(delimiter);

/**
 * The rows of a file, without empty lines. A broken row ends with its line, and reading continues with the next one.
 */
async function* rowsOf(
  lines: AsyncIterable<string>,
  { delimiter, skipLines }: CsvMapping,
): AsyncGenerator<Row> {
  let number = 0;
  let begun: { line: number; texts: string[] } | null = null;
  const broken = function* ({ line, texts }: { line: number; texts: string[] }): Generator<Row> {
    // Quotes within a text that is not quoted: the fields are taken as they are.
    for (const [at, text] of texts.entries())
      yield { line: line + at, text, fields: text.split(delimiter) };
  };
  for await (const text of lines) {
    number++;
    if (number <= skipLines) continue;
    if (begun) {
      begun.texts.push(text);
      const whole = begun.texts.join('\n');
      const fields = fieldsOf(whole, delimiter);
      if (fields) yield { line: begun.line, text: whole, fields };
      else if (begun.texts.length < MOST_LINES_OF_ONE) continue;
      else yield* broken(begun);
      begun = null;
    } else if (text.trim() !== '') {
      const fields = fieldsOf(text, delimiter);
      if (fields) yield { line: number, text, fields };
      else begun = { line: number, texts: [text] };
    }
  }
  if (begun) yield* broken(begun);
}

/** What banks write where there is no amount. */
const PLACEHOLDER = /^[\s\-\u2013\u2014]*$|^\s*(n\/?a|n\.a\.|nil|null|none)\s*$/i;

const plain = (heading: string): string => heading.trim().toLowerCase();

/** The positions of the mapping's columns. @returns the missing columns, in words */
function placesOf(
  headings: readonly string[],
  { columns }: CsvMapping,
): { readonly places: ReadonlyMap<ColumnRole, readonly number[]>; readonly missing: string[] } {
  const at = new Map(headings.map((heading, place) => [plain(heading), place]));
  const places = new Map<ColumnRole, readonly number[]>();
  const missing: string[] = [];
  for (const [role, names] of Object.entries(columns)) {
    const found = names.map((name) => at.get(plain(name)));
    missing.push(...names.filter((_name, index) => found[index] === undefined));
    const there = found.filter((place) => place !== undefined);
    if (there.length > 0) places.set(role as ColumnRole, there);
  }
  return { places, missing };
}

/** Reads one row. @throws Unreadable */
function lineReader(
  mapping: CsvMapping,
  places: ReadonlyMap<ColumnRole, readonly number[]>,
  { code, decimals }: Currency,
) {
  const readDate = dateReader(mapping.dateFormat, mapping.yearsAhead);
  const debitWords = new Set(mapping.debitWords.map(plain));
  const amount = (text: string | undefined): Money | null =>
    text === undefined || PLACEHOLDER.test(text)
      ? null
      : amountOf(text, mapping.decimalSign, decimals, code);

  return ({ line, fields }: { line: number; fields: readonly string[] }): StatementLine => {
    const textOfRole = (role: ColumnRole): string | undefined => {
      const texts = (places.get(role) ?? []).map((place) => (fields[place] ?? '').trim());
      return places.has(role) ? texts.filter((text) => text !== '').join(' ') : undefined;
    };
    const signed = ((): Money => {
      const one = amount(textOfRole('amount'));
      if (one)
        return debitWords.has(plain(textOfRole('direction') ?? '')) ? one.abs().negated() : one;
      const credit = amount(textOfRole('credit'));
      const debit = amount(textOfRole('debit'));
      if (credit && !credit.isZero() && debit && !debit.isZero())
        throw new Unreadable('it has both a credit and a debit');
      // Some banks print debits with a minus in their own column.
      if (debit && !debit.isZero()) return debit.abs().negated();
      if (credit) return credit;
      throw new Unreadable('it has no amount');
    })();
    if (signed.isZero()) throw new Unreadable('its amount is zero');
    const { day, time } = readDate(textOfRole('date') ?? '');
    return {
      line,
      direction: signed.isNegative() ? 'DEBIT' : 'CREDIT',
      amount: signed.abs(),
      day,
      time: timeOf(textOfRole('time') ?? '') ?? time,
      reference: fieldOf(textOfRole('reference'), LIMITS.bankReference),
      memo: fieldOf(textOfRole('memo'), LIMITS.bankMemo) ?? '',
      partyName: fieldOf(textOfRole('partyName'), LIMITS.accountHolder),
      partyAccount: fieldOf(textOfRole('partyAccount'), LIMITS.accountNo),
      balanceAfter: amount(textOfRole('balance')),
    };
  };
}

/**
 * Reads a CSV file by its mapping. A line that cannot be read is reported, and reading continues; a file without the
 * columns of the mapping is one bad line.
 */
export async function* readCsv(
  bytes: Bytes,
  mapping: CsvMapping,
  currency: Currency,
): AsyncGenerator<StatementItem> {
  let read: ReturnType<typeof lineReader> | null = null;
  for await (const { line, text, fields } of rowsOf(
    linesOf(textOf(bytes, mapping.encoding)),
    mapping,
  )) {
    if (!read) {
      const { places, missing } = placesOf(fields ?? [], mapping);
      if (missing.length > 0) {
        const problem = `the header row lacks ${missing.map((name) => `"${name}"`).join(', ')}`;
        yield { kind: 'bad', line, problem, text: excerptOf(text) };
        return;
      }
      read = lineReader(mapping, places, currency);
      continue;
    }
    try {
      yield { kind: 'line', line: read({ line, fields: fields ?? [] }) };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield { kind: 'bad', line, problem: error.message, text: excerptOf(text) };
    }
  }
}
