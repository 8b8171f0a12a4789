import { referenceIn } from '../domain/bank-reference';
import { parseCsv } from '../domain/csv';
import { LIMITS } from '../domain/limits';
import type { Money } from '../domain/money';
import type { ColumnRole, CsvMapping, StatementItem, StatementLine } from '../domain/statement';
import { amountOf, type Currency, isOfCurrency, Unreadable } from './amounts';
import { BOOKED_WORDS, decisiveRoleOf, isOfPayers, plainHeading, saysNotBooked } from './csv-words';
import { Totals } from './csv-totals';
import { dateReader, timeOf } from './dates';
import { type Bytes, excerptOf, fieldOf, linesOf, textOf } from './text';

/** A quoted field may span this many lines. A longer one is a quote that was never closed. */
const MOST_LINES_OF_ONE = 5;

/** A row of the file with all its lines, and the number of the first. */
interface Row {
  readonly line: number;
  readonly text: string;
  readonly fields: readonly string[];
}

/** Fields as Excel writes texts, ="...", without the sign. */
const withoutSigns = (text: string, delimiter: string): string =>
  text.includes('="') ? text.split(`${delimiter}="`).join(`${delimiter}"`).replace(/^="/, '"') : text;

const fieldsOf = (text: string, delimiter: string): readonly string[] | null =>
  text.includes('"') ? (parseCsv(withoutSigns(text, delimiter), delimiter)?.[0] ?? null) : text.split(delimiter);

/**
 * The rows of a file, without empty lines. A quote that is not closed ends with its line, and reading continues with the
 * next one.
 */
async function* rowsOf(lines: AsyncIterable<string>, { delimiter, skipLines }: CsvMapping): AsyncGenerator<Row> {
  const waiting: { readonly line: number; readonly text: string }[] = [];
  const begun = (): Row | null => {
    for (let many = 1; many <= waiting.length; many++) {
      const text = waiting
        .slice(0, many)
        .map((one) => one.text)
        .join('\n');
      const fields = fieldsOf(text, delimiter);
      if (!fields) continue;
      const { line } = waiting[0] ?? { line: 0 };
      waiting.splice(0, many);
      return { line, text, fields };
    }
    return null;
  };
  function* ready(most: number): Generator<Row> {
    while (waiting.length > 0) {
      const row = begun();
      if (row) yield row;
      else if (waiting.length < most) return;
      else
        // Quotes within a text that is not quoted: the fields are taken as they are.
        for (const { line, text } of waiting.splice(0, 1)) yield { line, text, fields: text.split(delimiter) };
    }
  }
  let number = 0;
  for await (const text of lines) {
    number++;
    if (number <= skipLines || (waiting.length === 0 && text.trim() === '')) continue;
    const fields = waiting.length === 0 ? fieldsOf(text, delimiter) : null;
    if (fields) {
      yield { line: number, text, fields };
      continue;
    }
    waiting.push({ line: number, text });
    yield* ready(MOST_LINES_OF_ONE);
  }
  yield* ready(1);
}

/** What banks write where there is no amount. */
const PLACEHOLDER = /^[\s\-\u2013\u2014]*$|^\s*(n\/?a|n\.a\.|nil|null|none)\s*$/i;

/** Where the columns of a mapping are in a file; what is wrong with its headings, in words. */
interface Places {
  readonly places: ReadonlyMap<ColumnRole, readonly number[]>;
  /** Of columns that the mapping neither reads nor ignores. */
  readonly others: readonly number[];
  readonly problem: string | null;
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

function placesOf(headings: readonly string[], { columns }: CsvMapping): Places {
  const at = new Map<string, number[]>();
  for (const [place, heading] of headings.entries()) {
    const plain = plainHeading(heading);
    at.set(plain, [...(at.get(plain) ?? []), place]);
  }
  const places = new Map<ColumnRole, readonly number[]>();
  const missing: string[] = [];
  const several: string[] = [];
  const named = new Set<number>();
  for (const [role, names] of Object.entries(columns)) {
    const there = names.flatMap((name) => {
      const found = at.get(plainHeading(name)) ?? [];
      if (found.length === 0 && role !== 'ignored') missing.push(name);
      if (found.length > 1 && role !== 'ignored') several.push(name);
      return found;
    });
    for (const place of there) named.add(place);
    if (there.length > 0) places.set(role as ColumnRole, there);
  }
  const others = [...headings.keys()].filter((place) => !named.has(place));
  const decisive = others.find((place) => decisiveRoleOf(headings[place] ?? '') !== null);
  const name = decisive === undefined ? '' : (headings[decisive] ?? '').trim();
  const problem =
    missing.length > 0
      ? `the header row lacks ${quoted(missing)}`
      : several.length > 0
        ? `the header row has more than one ${quoted(several)}`
        : decisive === undefined
          ? null
          : `the mapping neither reads nor ignores the column "${name}": it may say which rows are money of this account`;
  return { places, others, problem };
}

/** Reads one row. @throws Unreadable */
function lineReader(
  mapping: CsvMapping,
  headings: readonly string[],
  { places, others }: Places,
  { code, decimals }: Currency,
) {
  const readDate = dateReader(mapping.dateFormat, mapping.yearsAhead);
  const debitWords = new Set(mapping.debitWords.map(plainHeading));
  const ownWords = mapping.bookedWords ?? [];
  const booked = new Set((ownWords.length > 0 ? ownWords : BOOKED_WORDS).map(plainHeading));
  const hints = others.filter((place) => !isOfPayers(headings[place] ?? ''));
  const amount = (text: string | undefined): Money | null =>
    text === undefined || PLACEHOLDER.test(text) ? null : amountOf(text, mapping.decimalSign, decimals, code);

  return ({ line, fields }: { line: number; fields: readonly string[] }): StatementLine => {
    const textOfRole = (role: ColumnRole): string | undefined => {
      const texts = (places.get(role) ?? []).map((place) => (fields[place] ?? '').trim());
      return places.has(role) ? texts.filter((text) => text !== '').join(' ') : undefined;
    };
    const beyond = fields.slice(headings.length).find((text) => text.trim() !== '');
    if (beyond !== undefined) throw new Unreadable('it has more fields than the header row');
    const status = textOfRole('status');
    if (status !== undefined && !booked.has(plainHeading(status)))
      throw new Unreadable(`it is not booked: its status is ${JSON.stringify(status.slice(0, 40))}`);
    const hint = hints.find((place) => saysNotBooked(fields[place] ?? ''));
    if (hint !== undefined)
      throw new Unreadable(
        `it may not be booked: its "${(headings[hint] ?? '').trim()}" is ${JSON.stringify(fields[hint])}`,
      );
    const currency = textOfRole('currency');
    if (currency !== undefined && !isOfCurrency(currency, code))
      throw new Unreadable(`it is not in ${code}: its currency is ${JSON.stringify(currency.slice(0, 40))}`);
    const signed = ((): Money => {
      const one = amount(textOfRole('amount'));
      if (one) return debitWords.has(plainHeading(textOfRole('direction') ?? '')) ? one.abs().negated() : one;
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
      reference: referenceIn(fieldOf(textOfRole('reference'), LIMITS.bankReference)),
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
export async function* readCsv(bytes: Bytes, mapping: CsvMapping, currency: Currency): AsyncGenerator<StatementItem> {
  let read: ReturnType<typeof lineReader> | null = null;
  const hasBalances = (mapping.columns.balance?.length ?? 0) > 0;
  const totals = new Totals(hasBalances, currency.code);
  for await (const { line, text, fields } of rowsOf(linesOf(textOf(bytes, mapping.encoding)), mapping)) {
    if (!read) {
      const found = placesOf(fields, mapping);
      if (found.problem !== null) {
        yield { kind: 'bad', line, problem: found.problem, text: excerptOf(text), file: true };
        return;
      }
      read = lineReader(mapping, fields, found, currency);
      continue;
    }
    try {
      yield* totals.line(read({ line, fields }), text);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield* totals.bad({ kind: 'bad', line, problem: error.message, text: excerptOf(text) });
    }
  }
  yield* totals.end();
}
