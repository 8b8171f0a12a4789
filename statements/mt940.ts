import { referenceIn } from '../domain/bank-reference';
import { LIMITS } from '../domain/limits';
import { formatMoney, type Money, ZERO } from '../domain/money';
import type { StatementItem, StatementLine } from '../domain/statement';
import { type Day, isDay } from '../domain/zone';
import { amountOf, Unreadable } from './amounts';
import { detailsOf } from './mt940-details';
import { BALANCE, ENTRY, type Field, fieldsOf, SUM } from './mt940-fields';
import { Unproved } from './mt940-unproved';
import { type Bytes, excerptOf, fieldOf, linesOf, textOf } from './text';

/** `YYMMDD` of this century. */
function dayOfSwift(text: string): Day {
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  if (!isDay(day)) throw new Unreadable(`the date ${JSON.stringify(text)} cannot be read`);
  return day;
}

/** The day of the booking: `MMDD` in the year nearest to the value date. */
function bookingDay(valueDay: Day, entry: string | undefined): Day {
  if (entry === undefined) return valueDay;
  const year = Number(valueDay.slice(0, 4));
  const days = [year - 1, year, year + 1].map((one) => `${one}-${entry.slice(0, 2)}-${entry.slice(2)}`).filter(isDay);
  const far = (day: Day): number => Math.abs(Date.parse(day) - Date.parse(valueDay));
  return days.sort((a, b) => far(a) - far(b))[0] ?? valueDay;
}

function entryOf({ line, text }: Field, decimals: number): StatementLine {
  const [first = '', ...more] = text.split('\n');
  const found = ENTRY.exec(first);
  if (!found) throw new Unreadable('the entry does not have the format of field 61');
  const [, value = '', entry, mark = '', , digits = '', , own = '', banks] = found;
  const amount = amountOf(digits, ',', decimals);
  if (amount.isZero()) throw new Unreadable('its amount is zero');
  // A reversal of a credit takes money away, and one of a debit brings it back.
  const brings = mark === 'C' || mark === 'RD';
  const reference = [banks, own]
    .map((one) => referenceIn(fieldOf(one, LIMITS.bankReference)))
    .find((one) => one !== null);
  return {
    line,
    direction: brings ? 'CREDIT' : 'DEBIT',
    amount,
    day: bookingDay(dayOfSwift(value), entry),
    time: null,
    reference: reference ?? null,
    memo: fieldOf(more.join('\n'), LIMITS.bankMemo) ?? '',
    partyName: null,
    partyAccount: null,
    balanceAfter: null,
  };
}

interface Balance {
  readonly balance: Money;
  readonly day: Day;
  readonly code: string;
}

function balanceOf({ tag, text }: Field, decimals: number): Balance {
  // The header of the next page may follow its line.
  const [, mark, date = '', code = '', digits = ''] = BALANCE.exec((text.split('\n')[0] ?? '').trim()) ?? [];
  if (mark === undefined) throw new Unreadable(`the balance does not have the format of field ${tag}`);
  const unsigned = amountOf(digits, ',', decimals);
  return { balance: mark === 'D' ? unsigned.negated() : unsigned, day: dayOfSwift(date), code };
}

/** Number and sum of the credits, or of the debits. */
interface Side {
  readonly lines: number;
  readonly sum: Money;
}

/** A message of the file: what proves that its entries are the bank's. */
class Message {
  opened = false;
  closed = false;
  /** An entry follows a text, in which a payer may have written it. */
  follows = false;
  /** One of its entries cannot be read. */
  unread = false;
  private readonly sums = { C: { lines: 0, sum: ZERO }, D: { lines: 0, sum: ZERO } };
  private readonly said: { C: Side | null; D: Side | null } = { C: null, D: null };

  add({ direction, amount }: StatementLine): void {
    const side = this.sums[direction === 'CREDIT' ? 'C' : 'D'];
    side.lines++;
    side.sum = side.sum.plus(amount);
  }

  /** The bank's own number and sum of the credits, or of the debits. They stand behind all entries. */
  says({ tag, text }: Field, decimals: number): void {
    const [, lines, , digits = ''] = SUM.exec(text.trim()) ?? [];
    if (lines === undefined) throw new Unreadable(`the sum does not have the format of field ${tag}`);
    this.said[tag === '90C' ? 'C' : 'D'] = {
      lines: Number(lines),
      sum: amountOf(digits, ',', decimals),
    };
  }

  /** Whether the bank counts the same entries on a side; null: it does not say. */
  private agrees(side: 'C' | 'D'): boolean | null {
    const [said, read] = [this.said[side], this.sums[side]];
    return said && said.lines === read.lines && said.sum.equals(read.sum);
  }

  /** Why it cannot be believed; null: it can, if its balances and its entries agree. */
  get problem(): string | null {
    const sides = (['C', 'D'] as const).map((side) => this.agrees(side));
    if (!this.unread && sides.includes(false)) return 'its entries are not those that its fields 90 count';
    if (!this.follows || (this.opened && this.closed)) return null;
    const { C, D } = this.sums;
    const isCounted = [C, D].every(({ lines }, at) => lines === 0 || sides[at] !== null);
    return isCounted ? null : 'it lacks an opening or a closing balance, so that nothing proves its entries';
  }
}

/**
 * Reads SWIFT MT940 (and MT942): the entries of every message of the file, with their details. A payer's text may look
 * like an entry: entries behind a text count only where balances, or fields 90, can prove them; else people do.
 */
export async function* readMt940(bytes: Bytes, decimals: number): AsyncGenerator<StatementItem> {
  const open: { entry: StatementLine | null; at: number; text: number | null; details: string[] } = {
    entry: null,
    at: 0,
    text: null,
    details: [],
  };
  let message = new Message();
  let closing: Money | null = null;
  const unproved = new Unproved();
  let last: Field | null = null;
  const doubtful = (problem: string): StatementItem => ({ kind: 'doubt', problem });
  function* endEntry(): Generator<StatementItem> {
    const { entry, at, text, details } = open;
    if (!entry) return;
    open.entry = null;
    const more = details.length === 0 ? null : detailsOf(details.join('\n'));
    yield* unproved.entry(at, text, { ...entry, ...more, memo: (more?.memo ?? '') || entry.memo });
  }
  function begin(field: Field): void {
    message.follows ||= last?.tag === '86';
    const { unread } = message;
    message.unread = true;
    open.entry = entryOf(field, decimals);
    message.unread = unread;
    open.at = field.at;
    open.text = unproved.take();
    open.details = [];
    message.add(open.entry);
  }
  function* endMessage(line: number): Generator<StatementItem> {
    const { problem } = message;
    if (problem !== null) yield doubtful(`the message before line ${line}: ${problem}`);
    message = new Message();
  }
  /** What a field says, beside the entry that it begins. */
  function* itemsOf(field: Field): Generator<StatementItem> {
    const { tag, text, line } = field;
    if (tag === '61') {
      if (message.closed) yield doubtful(`line ${line}: an entry follows its closing balance`);
      begin(field);
    } else if (tag === '25' || tag === '25P')
      yield { kind: 'account', number: fieldOf(text.split('\n')[0], 100) ?? '' };
    else if (tag === '60F' || tag === '60M') {
      const { balance, day, code } = balanceOf(field, decimals);
      if (message.closed) yield* endMessage(line);
      yield { kind: 'currency', code };
      if (closing && !closing.equals(balance))
        yield doubtful(
          `line ${line}: a page begins with ${formatMoney(balance)}, and the one before ended with ${formatMoney(closing)}`,
        );
      message.opened = true;
      yield { kind: 'opening', balance, day };
    } else if (tag === '62F' || tag === '62M') {
      const { balance, day, code } = balanceOf(field, decimals);
      yield { kind: 'currency', code };
      if (message.closed) yield doubtful(`line ${line}: a page has two closing balances`);
      message.closed = true;
      closing = balance;
      yield { kind: 'closing', balance, day };
    } else if (tag === '90C' || tag === '90D') message.says(field, decimals);
  }
  for await (const field of fieldsOf(linesOf(textOf(bytes, 'utf-8')))) {
    const { tag, line, at, text } = field;
    if (tag === '86') unproved.begins(at);
    if (tag === '86' && open.entry) {
      open.details.push(text);
      last = field;
      continue;
    }
    yield* endEntry();
    if (tag === '20' && last) for (const item of endMessage(line)) yield* unproved.other(at, item);
    try {
      for (const item of itemsOf(field)) yield* unproved.other(at, item);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const problem = error.message;
      yield* unproved.other(at, { kind: 'bad', line, problem, text: excerptOf(`:${tag}:${text}`) });
    }
    last = field;
  }
  yield* endEntry();
  yield* unproved.end();
  if (last) yield* endMessage(last.line + 1);
}
