import { type Money, ZERO } from '../domain/money';
import type { StatementItem, StatementLine } from '../domain/statement';

/** Lines that a field 86 has at most. */
const MOST_LINES = 6;
const WAITS =
  'it may be a part of the text before it, and cancels out with the entries beside it: no balance proves it';

interface Held {
  /** Its field's number among the written lines of the file. */
  readonly at: number;
  /** Of an entry, signed; else zero. */
  readonly amount: Money;
  /** The first line of the text that it follows, and may be a part of; null: it follows none. */
  readonly text: number | null;
  item: StatementItem;
}

/**
 * Entries that no balance proves: a payer may have written them into one text, a credit and a debit that cancel each
 * other, and the statement would add up. They wait for a person. Entries behind more lines than a text has are not
 * within it.
 */
export class Unproved {
  private readonly held: Held[] = [];
  private text: number | null = null;

  /** A text begins in this line. */
  begins(at: number): void {
    this.text = at;
  }

  /** The text that the next entry follows; an entry without a text ends it. */
  take(): number | null {
    const { text } = this;
    this.text = null;
    return text;
  }

  /** @param text what `take` said when it began */
  *entry(at: number, text: number | null, line: StatementLine): Generator<StatementItem> {
    const { held } = this;
    const amount = line.direction === 'CREDIT' ? line.amount : line.amount.negated();
    held.push({ at, amount, text, item: { kind: 'line', line } });
    let sum = ZERO;
    for (const [index, one] of [...held.entries()].reverse()) {
      sum = sum.plus(one.amount);
      if (sum.isZero() && one.text !== null && at - one.text < MOST_LINES)
        for (const part of held.slice(index))
          if (part.item.kind === 'line') part.item = { kind: 'line', line: { ...part.item.line, waits: WAITS } };
    }
    yield* this.release(at);
  }

  /** What is no entry, in its place among them. */
  *other(at: number, item: StatementItem): Generator<StatementItem> {
    this.held.push({ at, amount: ZERO, text: null, item });
    yield* this.release(at);
  }

  /** Those that no later entry can be in one text with. */
  private *release(at: number): Generator<StatementItem> {
    const { held } = this;
    const stays = held.findIndex((one) => at - one.at < MOST_LINES);
    for (const { item } of held.splice(0, stays)) yield item;
  }

  /** The file ends. */
  *end(): Generator<StatementItem> {
    for (const { item } of this.held.splice(0)) yield item;
  }
}
