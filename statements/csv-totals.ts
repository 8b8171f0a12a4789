import { type Money, ZERO } from '../domain/money';
import { remarksIn } from '../domain/remark';
import type { StatementItem, StatementLine } from '../domain/statement';
import { wordsIn } from './csv-words';
import { excerptOf } from './text';

/** Words of sums; in languages without space between words, a word may only begin with one. */
const SUMS: ReadonlySet<string> = new Set([
  ...['total', 'totals', 'subtotal', 'subtotals', 'grandtotal', 'sum', 'sums', 'cf', 'bf'],
  ...['summe', 'summen', 'gesamt', 'gesamtsumme', 'gesamtbetrag', 'gesamtumsatz', 'gesamtsaldo'],
  ...['zwischensumme', 'endsumme', 'endbetrag', 'jumlah', 'somme', 'suma', 'totale', 'totaal'],
  ...['tổng', 'cộng', 'মোট', 'कुल', 'योग'],
]);
const BEGINNINGS_OF_SUMS = ['รวม', 'ยอด', '合计', '合計', '总计', '總計', '小计', '期初', '期末'];
const BALANCES: ReadonlySet<string> = new Set([
  ...['balance', 'balances', 'bal', 'saldo', 'anfangssaldo', 'endsaldo', 'schlusssaldo', 'forward'],
  ...['ยอดยกมา', 'ยอดยกไป', 'ยอดคงเหลือ', 'dư', '期初余额', '期末余额'],
]);
/** Which balance it is: with such a word it is no movement, whatever it is. */
const EDGES: ReadonlySet<string> = new Set([
  ...['opening', 'closing', 'ending', 'final', 'brought', 'carried', 'akhir', 'awal', 'đầu', 'cuối'],
  ...['anfangssaldo', 'endsaldo', 'schlusssaldo', 'ยอดยกมา', 'ยอดยกไป', '期初余额', '期末余额'],
]);
/** Words that may stand beside them. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['grand', 'sub', 'page', 'amount', 'amounts', 'transaction', 'transactions', 'account', 'of'],
  ...['for', 'the', 'to', 'from', 'in', 'and', 'all', 'this', 'period', 'month', 'day', 'statement'],
  ...['credit', 'credits', 'debit', 'debits', 'deposit', 'deposits', 'withdrawal', 'withdrawals'],
  ...['cr', 'dr', 'b', 'c', 'f', 'haben', 'soll', 'seite', 'betrag', 'per', 'der', 'umsätze'],
  ...['keseluruhan', 'kredit', 'mutasi', 'số', 'kỳ', 'có', 'nợ', 'ghi', 'phát', 'sinh'],
  ...['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec'],
  ...['january', 'february', 'march', 'april', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]);

const isSum = (word: string): boolean => SUMS.has(word) || BEGINNINGS_OF_SUMS.some((one) => word.startsWith(one));

/**
 * What the text of a row calls it, if it has words of totals only: a sum of other rows, or a balance at an end.
 * @param currency whose code may stand beside them
 */
function calls(memo: string, currency: string): 'SUM' | 'BALANCE' | null {
  const words = wordsIn(memo.replaceAll('/', ''));
  const code = currency.toLowerCase();
  const known = (word: string): boolean =>
    isSum(word) || BALANCES.has(word) || EDGES.has(word) || BESIDE.has(word) || word === code;
  if (!words.every(known)) return null;
  if (words.some((word) => EDGES.has(word)) && words.some((word) => BALANCES.has(word))) return 'BALANCE';
  return words.some((word) => isSum(word) || BALANCES.has(word)) ? 'SUM' : null;
}

/** Whether nothing but its text distinguishes a row from a total: it names nobody and no order, and has no balance. */
const isUnnamed = (line: StatementLine): boolean =>
  line.reference === null &&
  line.partyName === null &&
  line.partyAccount === null &&
  line.balanceAfter === null &&
  remarksIn(line.memo).length === 0;

/** What the rows of one side add up to. */
interface Sum {
  all: Money;
  /** Since the last total. */
  since: Money;
  rows: number;
  /** Rows as unnamed as a total. */
  unnamed: number;
}
const nothing = (): Sum => ({ all: ZERO, since: ZERO, rows: 0, unnamed: 0 });

/** Rows that are held until another follows; further ones belong to the end of the file. */
const MOST_HELD = 20;

/** Tells totals from movements in the rows of a file: they are bad. Banks write them at the end of a page or file. */
export class Totals {
  private readonly sums = { CREDIT: nothing(), DEBIT: nothing() };
  /** What may be totals, if no movement follows, and what is bad among them. */
  private held: ({ readonly item: StatementItem } & { readonly text?: string })[] = [];

  constructor(
    private readonly hasBalances: boolean,
    private readonly currency: string,
  ) {}

  private static bad(line: StatementLine, text: string): StatementItem {
    const problem = 'it is a total, and no movement';
    return { kind: 'bad', line: line.line, problem, text: excerptOf(text) };
  }

  private isCalledTotal(line: StatementLine): boolean {
    const { all, since } = this.sums[line.direction];
    const called = isUnnamed(line) ? calls(line.memo, this.currency) : null;
    if (called !== 'SUM') return called === 'BALANCE';
    // A row without a balance is proved by none.
    return this.hasBalances || all.equals(line.amount) || since.equals(line.amount);
  }

  /** Whether it is a total, whatever its text is, if it is the last: nobody pays just the sum of all before. */
  private mayBeTotal(line: StatementLine): boolean {
    const { all, rows, unnamed } = this.sums[line.direction];
    const several = rows > 1 || (rows === 1 && unnamed === 0);
    return !this.hasBalances && several && all.equals(line.amount) && isUnnamed(line);
  }

  private add(line: StatementLine): void {
    const sum = this.sums[line.direction];
    sum.all = sum.all.plus(line.amount);
    sum.since = sum.since.plus(line.amount);
    sum.rows++;
    if (isUnnamed(line)) sum.unnamed++;
  }

  /** The items of a row, and of those before it that were no totals. @param text the row as it is written */
  *line(line: StatementLine, text: string): Generator<StatementItem> {
    if (this.isCalledTotal(line)) {
      this.sums[line.direction].since = ZERO;
      yield* this.bad(Totals.bad(line, text));
    } else if (this.mayBeTotal(line)) this.held.push({ item: { kind: 'line', line }, text });
    else {
      // A movement follows them: so they are movements too.
      const held = this.held.splice(0).map(({ item }) => item);
      for (const item of held) if (item.kind === 'line') this.add(item.line);
      yield* held;
      this.add(line);
      yield { kind: 'line', line };
    }
  }

  /** A row that is bad in any case. */
  *bad(item: StatementItem): Generator<StatementItem> {
    if (this.held.length === 0) yield item;
    else {
      this.held.push({ item });
      if (this.held.length > MOST_HELD) yield* this.end();
    }
  }

  /** No row follows. */
  *end(): Generator<StatementItem> {
    for (const { item, text } of this.held.splice(0))
      yield item.kind === 'line' ? Totals.bad(item.line, text ?? '') : item;
  }
}
