import { formatMoney, money, type Money, ZERO } from './money';
import { remarksIn } from './remark';
import type { StatementItem, StatementLine } from './statement';
import type { Day } from './zone';

/** A balance of an account, and its day. */
interface Balance {
  readonly balance: Money;
  readonly day: Day;
}

/** Where the figures of a statement contradict each other. */
interface Contradiction {
  /** The place and the figures, as a person reads them. */
  readonly text: string;
  /** By how much the movements exceed what the balances say, signed; zero where the order of a file is what contradicts. */
  readonly difference: Money;
}

const signed = ({ direction, amount }: StatementLine): Money => (direction === 'CREDIT' ? amount : amount.negated());

/**
 * Whether a difference contradicts. Where a line cannot be read, the movement that is missing may be that line's; money
 * that no balance has is never.
 */
const contradicts = (difference: Money, unread: boolean): boolean => (unread ? difference.gt(0) : !difference.isZero());

/** The opening and closing balances of a statement's pages, compared with their lines. */
class Pages {
  private opening: Money | null = null;
  private closing: Money | null = null;
  private sum = ZERO;
  private lines = 0;
  private unread = false;
  found: Contradiction | null = null;

  private compare(opening: Money, closing: Money): void {
    const difference = opening.plus(this.sum).minus(closing);
    if (this.found || !contradicts(difference, this.unread)) return;
    const [from, to] = [formatMoney(opening), formatMoney(closing)];
    const lines = `${this.lines} ${this.lines === 1 ? 'line' : 'lines'}`;
    const text = `its opening balance of ${from} and ${lines} of ${formatMoney(this.sum)} in all are not its closing balance of ${to}: the difference is ${formatMoney(difference)}`;
    this.found = { text, difference };
  }

  /** A page ends with the file, or where the next one begins. */
  end(): void {
    if (this.opening && this.closing) this.compare(this.opening, this.closing);
    this.opening = this.closing = null;
    this.sum = ZERO;
    this.lines = 0;
    this.unread = false;
  }

  /** Another statement of the file begins: a closing balance without lines was all of the one before. */
  begins(): void {
    if (this.opening === null && this.lines === 0 && !this.unread) this.closing = null;
  }

  opens(balance: Money): void {
    if (this.opening === null && this.lines === 0 && !this.unread) {
      // The closing balance may stand before it.
      this.opening = balance;
      return;
    }
    // A form may write both balances, and another opening one, before the lines.
    const isSecond = this.opening !== null && this.lines === 0 && !this.unread;
    if (isSecond && !(this.closing && this.opening?.equals(this.closing))) return;
    this.end();
    this.opening = balance;
  }

  closes(balance: Money): void {
    const isEmpty = this.closing && this.opening?.equals(this.closing);
    if (this.lines === 0 && !this.unread) this.closing = balance;
    else if (this.closing && !isEmpty) {
      // The page before had its balances before its lines, and this one's opening balance has not come.
      this.end();
      this.closing = balance;
    } else {
      if (this.opening) this.compare(this.opening, balance);
      this.closing = null;
    }
  }

  line(amount: Money): void {
    this.sum = this.sum.plus(amount);
    this.lines++;
  }

  bad(): void {
    this.unread = true;
  }
}

/** A break of a chain: the line whose balance does not follow. */
interface Break {
  readonly line: number;
  readonly difference: Money;
  readonly before: Money;
  readonly amount: Money;
  readonly after: Money;
}

/** A row with the balance after it. */
interface Row {
  readonly line: number;
  readonly day: Day;
  readonly amount: Money;
  readonly balance: Money;
}

/** A row without a balance, before or after all that have one. */
interface Edge {
  readonly line: number;
  readonly amount: Money;
  readonly named: boolean;
}
/** Whether a line says whose money it is, as no total does. */
const isNamed = ({ reference, partyName, partyAccount, memo }: StatementLine): boolean =>
  (reference ?? partyName ?? partyAccount) !== null || remarksIn(memo).length > 0;

/** Balances that rows connect with each other, directly or not. */
class Groups {
  private readonly parents = new Map<string, string>();
  /** How many groups there are. */
  count = 0;

  private rootOf(one: string): string {
    let root = one;
    for (;;) {
      const parent = this.parents.get(root);
      if (parent === undefined) {
        this.parents.set(root, root);
        this.count++;
        return root;
      }
      if (parent === root) break;
      root = parent;
    }
    for (let at = one; at !== root;) {
      const next = this.parents.get(at) ?? root;
      this.parents.set(at, root);
      at = next;
    }
    return root;
  }

  join(one: string, other: string): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a === b) return;
    this.parents.set(a, b);
    this.count--;
  }
}

/** Rows at an end that are looked at: a bank writes one or two totals. */
const MOST_EDGES = 4;

/** The balances beside the lines, the oldest first or the newest first. */
class Chain {
  private first: Row | null = null;
  private last: Row | null = null;
  private between = ZERO;
  private unread = false;
  private unreadAnywhere = false;
  private gaps = false;
  private head: Edge[] = [];
  private tail: Edge[] = [];
  private readonly sums = { credits: ZERO, debits: ZERO };
  private readonly breaks: Record<'oldest' | 'newest', { first: Break | null; count: number }> = {
    oldest: { first: null, count: 0 },
    newest: { first: null, count: 0 },
  };
  /** Balances before rows less those after rows: in whatever order the rows are, only the two ends remain. */
  private readonly ends = new Map<string, number>();

  private readonly groups = new Groups();

  private count(balance: Money, by: 1 | -1): void {
    const key = formatMoney(balance);
    const left = (this.ends.get(key) ?? 0) + by;
    if (left === 0) this.ends.delete(key);
    else this.ends.set(key, left);
  }

  private note(order: 'oldest' | 'newest', broken: Omit<Break, 'difference'>): void {
    const { before, amount, after } = broken;
    const difference = before.plus(amount).minus(after);
    if (!contradicts(difference, this.unread)) return;
    const breaks = this.breaks[order];
    breaks.first ??= { ...broken, difference };
    breaks.count++;
  }

  see(line: StatementLine): void {
    const amount = signed(line);
    const { balanceAfter: balance, day } = line;
    if (!balance) {
      const edges = this.first ? this.tail : this.head;
      if (edges.length < MOST_EDGES) edges.push({ line: line.line, amount, named: isNamed(line) });
      this.between = this.between.plus(amount);
      return;
    }
    const side = line.direction === 'CREDIT' ? 'credits' : 'debits';
    this.sums[side] = this.sums[side].plus(line.amount);
    const row: Row = { line: line.line, day, amount, balance };
    const { last } = this;
    if (last) {
      const { between } = this;
      if (this.tail.length > 0) this.gaps = true;
      this.note('oldest', {
        line: row.line,
        before: last.balance,
        amount: between.plus(amount),
        after: balance,
      });
      this.note('newest', {
        line: last.line,
        before: balance,
        amount: between.plus(last.amount),
        after: last.balance,
      });
    }
    if (this.unread) this.unreadAnywhere ||= last !== null;
    this.groups.join(formatMoney(balance.minus(amount)), formatMoney(balance));
    this.count(balance.minus(amount), 1);
    this.count(balance, -1);
    this.first ??= row;
    this.last = row;
    this.between = ZERO;
    this.tail = [];
    this.unread = false;
  }

  bad(): void {
    this.unread = true;
  }

  /** Whether the rows can be put into an order in which their balances follow. */
  private get anyOrder(): boolean {
    // Rows that cancel each other, and that none goes on from, are of no order with the others.
    if (this.gaps || this.unreadAnywhere || this.groups.count > 1) return false;
    const left = [...this.ends.values()].sort();
    return left.length === 0 || (left.length === 2 && left[0] === -1 && left[1] === 1);
  }

  /** Whether the newest row comes first: by the balances, else by the days. */
  private get newestFirst(): boolean {
    const { first, last, breaks } = this;
    if (!first || !last) return false;
    if (breaks.oldest.count === 0) return breaks.newest.count === 0 && first.day > last.day;
    if (breaks.newest.count === 0) return true;
    if (first.day !== last.day) return first.day > last.day;
    return breaks.newest.count < breaks.oldest.count;
  }

  get found(): Contradiction | null {
    const broken = this.breaks[this.newestFirst ? 'newest' : 'oldest'].first;
    if (!broken || this.anyOrder) return null;
    const { line, before, amount, after, difference } = broken;
    const text = `line ${line}: the balance before it, ${formatMoney(before)}, and ${formatMoney(amount)} are not its balance of ${formatMoney(after)}: the difference is ${formatMoney(difference)}`;
    return { text, difference };
  }

  /** The balance before the oldest row and after the newest one; null if rows at an end have none. */
  get outer(): { readonly opening: Balance; readonly closing: Balance } | null {
    const { first, last, totals } = this;
    if (!first || !last) return null;
    const open = [...this.head, ...this.tail].filter(({ line }) => !totals.has(line));
    if (open.length > 0 || this.head.length >= MOST_EDGES || this.tail.length >= MOST_EDGES) return null;
    const [oldest, newest] = this.newestFirst ? [last, first] : [first, last];
    const follow = this.breaks.oldest.count === 0 || this.breaks.newest.count === 0;
    if (!follow && this.anyOrder) {
      // The rows of a day are in no order: the ends are what no other row goes on from.
      const left = [...this.ends];
      const [from] = left.find(([, count]) => count === 1) ?? [];
      const [to] = left.find(([, count]) => count === -1) ?? [];
      if (from === undefined || to === undefined) return null;
      return {
        opening: { balance: money(from), day: oldest.day },
        closing: { balance: money(to), day: newest.day },
      };
    }
    const opening = { balance: oldest.balance.minus(oldest.amount), day: oldest.day };
    return { opening, closing: { balance: newest.balance, day: newest.day } };
  }

  /** The rows at the ends, without balance and reference, that repeat a balance or a sum: they are no movements. */
  get totals(): ReadonlyMap<number, string> {
    const { first, last, sums } = this;
    const found = new Map<number, string>();
    if (!first || !last) return found;
    const balances = [first, last].flatMap(({ balance, amount }) => [balance, balance.minus(amount)]);
    for (const { line, amount, named } of [...this.head, ...this.tail]) {
      if (named) continue;
      if (balances.some((balance) => balance.abs().equals(amount.abs())))
        found.set(line, 'it repeats a balance of the account, and has none of its own: no movement');
      else if ([sums.credits, sums.debits].some((sum) => sum.equals(amount.abs())))
        found.set(line, 'it is the sum of the other lines, and has no balance: no movement');
    }
    return found;
  }
}

/**
 * Whether a statement adds up: opening balance + lines = closing balance, of each page, and the balances beside the
 * lines follow from each other, the oldest or the newest first. It gets the items of a file in their order.
 */
export class StatementSums {
  private readonly pages = new Pages();
  private readonly chain = new Chain();
  private doubt: string | null = null;

  see(item: StatementItem): void {
    if (item.kind === 'line') {
      this.pages.line(signed(item.line));
      this.chain.see(item.line);
    } else if (item.kind === 'bad') {
      this.pages.bad();
      this.chain.bad();
    } else if (item.kind === 'account') this.pages.begins();
    else if (item.kind === 'opening') this.pages.opens(item.balance);
    else if (item.kind === 'closing') this.pages.closes(item.balance);
    else if (item.kind === 'doubt') this.doubt ??= item.problem;
  }

  /** After the last item. @returns null if nothing contradicts, as in a file without balances */
  contradiction(): Contradiction | null {
    this.pages.end();
    const found = this.pages.found ?? this.chain.found;
    if (this.doubt === null) return found;
    const text = found ? `${found.text}; ${this.doubt}` : this.doubt;
    return { text, difference: found?.difference ?? ZERO };
  }

  /** By the balances beside the lines; null if they do not show it. */
  get outer(): { readonly opening: Balance; readonly closing: Balance } | null {
    return this.chain.outer;
  }

  /** Lines that are totals and no movements, and why. */
  get totals(): ReadonlyMap<number, string> {
    return this.chain.totals;
  }
}
