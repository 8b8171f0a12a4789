import { createHash } from 'node:crypto';
import { openPart, sealLine } from '../../crypto/statements';
import { plainNumber } from '../../domain/debit-match';
import { businessError, CatalogueError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, formatMoney, type Money } from '../../domain/money';
import { normaliseReference, referenceIn } from '../../domain/bank-reference';
import type { StatementItem, StatementLine } from '../../domain/statement';
import { StatementSums } from '../../domain/statement-sums';
import { type Day, endOfDay, momentOf, startOfDay } from '../../domain/zone';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import * as db from '../../db/statements/statements';
import { readApart, type Reading } from '../../statements';
import type { Needs } from '../context';
import { addChosen, Chosen, noteByRules, rulesFor } from './explain-lines';
import { pairNext } from './pair-next';

/** Lines that one SQL statement stores or searches. */
const BATCH = 500;
/** The time of one request, milliseconds; the next one continues. */
export const WORKS_FOR_MS = 6_000;

/** How to read a statement's file. */
const readingOf = ({ format, mapping }: db.StatementRow): Reading => {
  if (format !== 'CSV') return { format };
  if (!mapping) throw new Error('a CSV statement has no mapping');
  return { format, mapping };
};

/**
 * When a line was booked. A line with only a day counts as booked at the end of that day, when all orders of the day
 * exist; if only the amount names an order, at its beginning, so that no later order gets it.
 */
function bankTimeOf(line: StatementLine, { timeZone, mode }: BankAccountRow, now: Date): Date {
  const { day, time, moment } = line;
  if (moment) return moment;
  if (time !== null) return momentOf(timeZone, day, time);
  const begins = startOfDay(timeZone, day);
  if (mode === 'FLOAT' || begins > now) return begins;
  const ends = endOfDay(timeZone, day);
  return ends < now ? ends : now;
}

/** Distinguishes equal lines of this file by their number among them. */
class Counter {
  private readonly seen = new Map<string, number>();

  next(key: string): number {
    const nth = (this.seen.get(key) ?? 0) + 1;
    this.seen.set(key, nth);
    return nth;
  }
}

const digest = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 32);

/** Turns the lines into rows. */
class Rows {
  private readonly equal = new Counter();
  private readonly named = new Counter();

  constructor(
    private readonly statementId: string,
    private readonly account: BankAccountRow,
    private readonly now: Date,
  ) {}

  ofBad({ line, problem, text }: Extract<StatementItem, { kind: 'bad' }>) {
    const { statementId, account } = this;
    const { id: accountId, currencyCode } = account;
    return {
      statementId,
      line,
      accountId,
      currencyCode,
      state: 'BAD',
      problem,
      raw: text,
    } as const;
  }

  ofLine(line: StatementLine) {
    const { statementId, account, now } = this;
    const { id: accountId, currencyCode } = account;
    const { direction, amount, day, time, reference, memo, balanceAfter } = line;
    const money = formatMoney(amount);
    const said = digest([
      ...[direction, money, day, line.moment?.toISOString() ?? time, reference, memo],
      ...[line.partyName, line.partyAccount, balanceAfter && formatMoney(balanceAfter)],
    ]);
    // A placeholder or a marker is no reference: the line then pairs by what else it says.
    const bankReference = referenceIn(reference);
    const name = bankReference === null ? said : normaliseReference(bankReference);
    return {
      statementId,
      line: line.line,
      accountId,
      currencyCode,
      state: 'NEW' as const,
      direction,
      amount,
      day,
      memo,
      balanceAfter,
      bankTime: bankTimeOf(line, account, now),
      bankReference,
      partyName: line.partyName,
      partyAccount: line.partyAccount,
      // Only of a movement that a person matches: it marks it as such.
      raw: line.waits === undefined ? null : `${line.waits}: ${memo}`,
      lineKey: `${said}${this.equal.next(said)}`,
      nth: this.named.next(`${direction}${money}${name}`),
    } as const;
  }
}

/** The file's own data, beside its lines. */
interface About {
  opening: { balance: Money; day: Day } | null;
  closing: { balance: Money; day: Day } | null;
  accounts: Set<string>;
  currencies: Set<string>;
  lines: number;
  /** Rows to store, and the number of the last one. */
  rows: number;
  lastLine: number;
  firstProblem: string | null;
  /** Why the whole file is refused, whatever lines it has. */
  fileProblem: string | null;
}

/** Whether a file names this account: banks print numbers masked, or within an IBAN. */
function isOf(said: string, { accountNo }: BankAccountRow): boolean {
  const [theirs, ours] = [plainNumber(said), plainNumber(accountNo)];
  const [shown = ''] = (theirs.match(/\d+/g) ?? []).sort((a, b) => b.length - a.length);
  if (/[X*•]{2,}/.test(theirs)) return shown === '' || ours.includes(shown);
  return theirs === '' || theirs.endsWith(ours) || ours.endsWith(theirs) || theirs.includes(ours);
}

/** Why a file cannot be imported at all; null: it can. */
function problemOf(about: About, account: BankAccountRow): string | null {
  if (about.fileProblem !== null) return about.fileProblem;
  const other = [...about.accounts].find((number) => !isOf(number, account));
  if (other !== undefined) return `it is of the account ${other}`;
  const currency = [...about.currencies].find((code) => code !== account.currencyCode);
  if (currency !== undefined) return `it is in ${currency}`;
  if (about.lines > 0) return null;
  return about.firstProblem ?? (about.closing ? null : 'there is nothing in it');
}

/** The file's bytes in clear, hashed as they pass. */
async function* fileOf(
  { database, sealer }: Needs<'database' | 'sealer'>,
  statementId: string,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  let part = 0;
  for await (const kept of db.partsOf(database, statementId)) {
    const bytes = openPart(sealer, statementId, part++, kept);
    hash.update(bytes);
    yield bytes;
  }
}

/**
 * Continues to read a statement, for some seconds, and stores its lines. Lines that were read before are skipped: the
 * whole file is never in memory.
 * @returns whether it was read completely
 */
async function readOn(
  context: Needs<'database' | 'now' | 'sealer'>,
  statement: db.StatementRow,
  account: BankAccountRow,
  until: number,
): Promise<boolean> {
  const { database, now, sealer } = context;
  const { id } = statement;
  const rows = new Rows(id, account, statement.createdAt > now ? now : statement.createdAt);
  const hash = createHash('sha256');
  const about: About = {
    opening: null,
    closing: null,
    lines: 0,
    rows: 0,
    lastLine: 0,
    firstProblem: null,
    fileProblem: null,
    accounts: new Set(),
    currencies: new Set(),
  };
  const sums = new StatementSums();
  let items = 0;
  let batch: (ReturnType<Rows['ofLine']> | ReturnType<Rows['ofBad']>)[] = [];
  const store = async (): Promise<void> => {
    const lines = batch.map((line) => sealLine(sealer, line));
    const readItems = items;
    batch = [];
    await database.transaction(async (tx) => {
      await db.insertLines(tx, lines);
      await db.updateStatement(tx, id, { readItems });
    });
  };
  const code = account.currencyCode;
  const currency = { code, decimals: currencyDecimals(code) ?? LIMITS.moneyDecimals };
  const file = fileOf(context, id, hash);
  for await (const item of readApart(file, readingOf(statement), currency)) {
    items++;
    sums.see(item);
    if (item.kind === 'account') about.accounts.add(item.number);
    else if (item.kind === 'currency') about.currencies.add(item.code);
    else if (item.kind === 'opening') about.opening ??= item;
    else if (item.kind === 'closing') about.closing = item;
    else if (item.kind !== 'doubt') {
      if (++about.lines > LIMITS.statementLines)
        throw businessError('NO_CAPACITY', `a statement has at most ${LIMITS.statementLines} lines`);
      if (item.kind === 'bad') {
        about.lines--;
        about.firstProblem ??= `line ${item.line}: ${item.problem}`;
        if (item.file) about.fileProblem ??= item.problem;
      }
      // Made for the skipped lines too: equal lines are counted from the top.
      const row = item.kind === 'bad' ? rows.ofBad(item) : rows.ofLine(item.line);
      about.rows++;
      // Only one row is stored under a number: no line is dropped without a word.
      if (row.line <= about.lastLine) about.fileProblem ??= `two of its lines have the number ${row.line}`;
      about.lastLine = row.line;
      if (items > statement.readItems) batch.push(row);
    }
    if (batch.length >= BATCH) {
      await store();
      if (Date.now() > until) return false;
    }
  }
  await store();
  const { outer, totals } = sums;
  about.opening ??= outer?.opening ?? null;
  about.closing ??= outer?.closing ?? null;
  const contradiction = sums.contradiction();
  await db.spoilLines(database.sql, id, totals);
  const lines = await db.countLines(database, id);
  if (lines !== about.rows)
    about.fileProblem ??= `${about.rows - lines} of its ${about.rows} lines could not be stored`;
  await db.updateStatement(database.sql, id, {
    lines,
    sha256: hash.digest('hex'),
    openingBalance: about.opening?.balance ?? null,
    openingDay: about.opening?.day ?? null,
    closingBalance: about.closing?.balance ?? null,
    closingDay: about.closing?.day ?? null,
    problem: problemOf(about, account),
    contradiction: contradiction?.text ?? null,
    difference: contradiction?.difference ?? null,
  });
  return true;
}

/**
 * Searches lines among reported movements, and rules that explain them, for some seconds. @returns whether all lines
 * were searched
 */
async function pairOn(
  context: Needs<'actor' | 'changes' | 'database' | 'now' | 'sealer'>,
  { id, accountId, throughLine }: db.StatementRow,
  until: number,
): Promise<boolean> {
  const { database } = context;
  const rules = await rulesFor(context, accountId);
  const chosen = new Chosen();
  // The results of earlier calls.
  for (let after = 0; after < throughLine && rules.length > 0; after += BATCH) {
    const part = { statementId: id, after, through: Math.min(after + BATCH, throughLine) };
    await database.transaction(async (tx) => {
      await addChosen(context, tx, rules, part, chosen);
    });
  }
  let after = throughLine;
  while (Date.now() < until) {
    const last = await pairNext(context, id, after, BATCH);
    if (last === null) return true;
    const part = { statementId: id, after, through: last };
    await database.transaction(async (tx) => {
      await noteByRules(context, tx, rules, part, chosen);
      await db.updateStatement(tx, id, { throughLine: last });
    });
    after = last;
  }
  return false;
}

/**
 * Continues to read a statement and computes what an import would do, for some seconds; READ once it is complete. It
 * records no movement.
 * @throws BUSINESS_ERROR for a statement that is imported or dropped
 */
export async function dryRun(
  context: Needs<'actor' | 'changes' | 'database' | 'loaders' | 'now' | 'sealer'>,
  statement: db.StatementRow,
): Promise<void> {
  const { database, loaders, now } = context;
  if (statement.status === 'READ') return;
  if (statement.status !== 'UPLOADING') throw businessError('WRONG_STATE', 'the statement is imported or dropped');
  if (statement.parts === 0) throw businessError('WRONG_STATE', 'the file has not come yet');
  const account = await loaders.bankAccounts.load(statement.accountId);
  if (!account) throw new CatalogueError('INTERNAL_ERROR', 'the account of a statement is gone');
  const until = Date.now() + WORKS_FOR_MS;
  if (statement.sha256 === null && !(await readOn(context, statement, account, until))) return;
  if (!(await pairOn(context, statement, until))) return;
  await db.updateStatement(database.sql, statement.id, { status: 'READ', readAt: now });
}
