import { LIMITS } from '../domain/limits';
import type { StatementItem, StatementLine } from '../domain/statement';
import { type Day, isDay } from '../domain/zone';
import { amountOf, Unreadable } from './amounts';
import { type Bytes, excerptOf, fieldOf, linesOf, textOf } from './text';

/** A field of SWIFT's customer statement message, such as `:61:`, with the lines that continue it. */
interface Field {
  readonly line: number;
  readonly tag: string;
  text: string;
}

/** The fields of a file, from all its messages. */
async function* fieldsOf(lines: AsyncIterable<string>): AsyncGenerator<Field> {
  let field: Field | null = null;
  let number = 0;
  for await (const text of lines) {
    number++;
    const [, tag, rest = ''] = /^:(\d{2}[A-Z]?):(.*)$/.exec(text) ?? [];
    if (tag !== undefined) {
      if (field) yield field;
      field = { line: number, tag, text: rest };
    } else if (field && text !== '' && !/^(-|-?\}.*|\{.*)$/.test(text)) {
      if (field.text.length < 4_000) field.text += `\n${text}`;
    }
  }
  if (field) yield field;
}

/** `YYMMDD` of this century. */
function dayOfSwift(text: string): Day {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  if (!isDay(day)) throw new Unreadable(`the date ${JSON.stringify(text)} cannot be read`);
  return day;
}

/** Value date, entry date, mark, third letter of the currency, amount, type, reference // the bank's own, details. */
const ENTRY =
  /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,15},\d{0,4})([A-Z][A-Z0-9]{3})([^\n]*?)(?:\/\/([^\n]*))?(?:\n([\s\S]*))?$/;
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15},\d{0,4})$/;

/** The day of the booking: `MMDD` in the year nearest to the value date. */
function bookingDay(valueDay: Day, entry: string | undefined): Day {
  if (entry === undefined) return valueDay;
  const year = Number(valueDay.slice(0, 4));
  const days = [year - 1, year, year + 1]
    .map((one) => `${one}-${entry.slice(0, 2)}-${entry.slice(2)}`)
    .filter(isDay);
  const far = (day: Day): number => Math.abs(Date.parse(day) - Date.parse(valueDay));
  return days.sort((a, b) => far(a) - far(b))[0] ?? valueDay;
}

/** The content of `:86:`: structured by `?20` to `?63`, by `/CODE/`, or plain. */
function detailsOf(text: string): Pick<StatementLine, 'memo' | 'partyName' | 'partyAccount'> {
  const joined = text.replaceAll('\n', '');
  const parts = [...joined.matchAll(/\?(\d{2})([^?]*)/g)];
  if (parts.length > 0) {
    const of = (from: number, to: number): string =>
      parts
        .filter(([, code]) => Number(code) >= from && Number(code) <= to)
        .map(([, , said = '']) => said)
        .join('');
    return {
      memo: fieldOf(`${of(20, 29)}${of(60, 63)}`, LIMITS.bankMemo) ?? '',
      partyName: fieldOf(of(32, 33), LIMITS.accountHolder),
      partyAccount: fieldOf(of(31, 31), LIMITS.accountNo),
    };
  }
  const slash = (code: string): string | undefined =>
    new RegExp(`/${code}/([^/]*)`).exec(joined)?.[1];
  return {
    memo: fieldOf(slash('REMI') ?? text.replaceAll('\n', ' '), LIMITS.bankMemo) ?? '',
    partyName: fieldOf(slash('NAME'), LIMITS.accountHolder),
    partyAccount: fieldOf(slash('IBAN') ?? slash('ACCT'), LIMITS.accountNo),
  };
}

function entryOf({ line, text }: Field, decimals: number): StatementLine {
  const found = ENTRY.exec(text);
  if (!found) throw new Unreadable('the entry does not have the format of field 61');
  const [, value = '', entry, mark = '', , digits = '', , own = '', banks, more] = found;
  const amount = amountOf(digits, ',', decimals);
  if (amount.isZero()) throw new Unreadable('its amount is zero');
  // A reversal of a credit takes money away, and one of a debit brings it back.
  const brings = mark === 'C' || mark === 'RD';
  const reference = [banks, own].find((one) => one && !/^(NONREF|NOTPROVIDED)?$/.test(one.trim()));
  return {
    line,
    direction: brings ? 'CREDIT' : 'DEBIT',
    amount,
    day: bookingDay(dayOfSwift(value), entry),
    time: null,
    reference: fieldOf(reference, LIMITS.bankReference),
    memo: fieldOf(more, LIMITS.bankMemo) ?? '',
    ...{ partyName: null, partyAccount: null, balanceAfter: null },
  };
}

/** Reads SWIFT MT940 (and MT942): the entries of every message of the file, with their details. */
export async function* readMt940(bytes: Bytes, decimals: number): AsyncGenerator<StatementItem> {
  let entry: StatementLine | null = null;
  let opened = false;
  for await (const field of fieldsOf(linesOf(textOf(bytes, 'utf-8')))) {
    const { tag, line, text } = field;
    if (tag === '86' && entry) {
      const details = detailsOf(text);
      yield { kind: 'line', line: { ...entry, ...details, memo: details.memo || entry.memo } };
      entry = null;
      continue;
    }
    if (entry) yield { kind: 'line', line: entry };
    entry = null;
    try {
      if (tag === '61') entry = entryOf(field, decimals);
      else if (tag === '25') yield { kind: 'account', number: text.split('\n')[0] ?? '' };
      else if (['60F', '60M', '62F', '62M'].includes(tag)) {
        const [, mark, date = '', code = '', digits = ''] = BALANCE.exec(text.trim()) ?? [];
        if (mark === undefined)
          throw new Unreadable(`the balance does not have the format of field ${tag}`);
        const unsigned = amountOf(digits, ',', decimals);
        const balance = mark === 'D' ? unsigned.negated() : unsigned;
        yield { kind: 'currency', code };
        if (tag.startsWith('62')) yield { kind: 'closing', balance, day: dayOfSwift(date) };
        // A balance carried forward to the next page is no opening balance.
        else if (!opened) yield { kind: 'opening', balance, day: dayOfSwift(date) };
        opened = true;
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield { kind: 'bad', line, problem: error.message, text: excerptOf(`:${tag}:${text}`) };
    }
  }
  if (entry) yield { kind: 'line', line: entry };
}
