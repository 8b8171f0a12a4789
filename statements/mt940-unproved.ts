import { type Money, ZERO } from '../domain/money';
import type { StatementItem, StatementLine } from '../domain/statement';

/** A field 86 has at most six lines: more entries than these are not within one. */
const MOST = 8;
/** A line that a bank wraps, before a word as long as an entry's, has at least so many characters. */
const WRAPPED = 35;

interface Held {
  readonly line: StatementLine;
  readonly amount: Money;
  /** Whether a text before it may have been wrapped here, so that it is a part of that text. */
  readonly mayBeText: boolean;
  bad: boolean;
}

/**
 * Entries that no balance proves: they begin where the text before them may go on, and cancel each other. A payer could
 * have written them into his text, a credit and a debit, and the statement would add up. A person decides.
 */
export class Unproved {
  private readonly held: Held[] = [];
  private mayBeText = false;

  private static itemOf({ line, bad }: Held): StatementItem {
    if (!bad) return { kind: 'line', line };
    const problem =
      'it follows a text that may go on in it, and cancels out with the entries beside it: no balance proves it';
    return { kind: 'bad', line: line.line, problem, text: `${line.amount.toFixed()} ${line.memo}` };
  }

  /** @param details the lines of its text, which ends before the next entry */
  *add(line: StatementLine, details: string): Generator<StatementItem> {
    const { held } = this;
    const amount = line.direction === 'CREDIT' ? line.amount : line.amount.negated();
    held.push({ line, amount, mayBeText: this.mayBeText, bad: false });
    this.mayBeText = (details.split('\n').at(-1) ?? '').length >= WRAPPED;
    let sum = ZERO;
    for (let at = held.length - 1; at >= 0; at--) {
      sum = sum.plus(held[at]?.amount ?? ZERO);
      if (sum.isZero() && held[at]?.mayBeText) for (const one of held.slice(at)) one.bad = true;
    }
    if (held.length > MOST) yield* held.splice(0, 1).map((one) => Unproved.itemOf(one));
  }

  /** What is not entries follows. */
  *end(): Generator<StatementItem> {
    this.mayBeText = false;
    yield* this.held.splice(0).map((one) => Unproved.itemOf(one));
  }
}
