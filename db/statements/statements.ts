import { LIMITS } from '../../domain/limits';
import type { LineState } from '../../domain/statement';
import type { Money } from '../../domain/money';
import { money } from '../../domain/money';
import type { Day } from '../../domain/zone';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, parametersOf, type Raw, type RowOf, rowReader } from '../rows';
import { statementLines, statements } from '../schema/statements';
import type { BankDebitRow } from '../transfers/bank-debits';
import type { TransferFacts, TransferReport, TransferVerdict } from '../transfers/bank-transfers';

/** A bank's file with the movements of an account. Amounts in the account's currency; days in its zone. */
export type StatementRow = RowOf<typeof statements>;
/** A line of a statement. */
export type StatementLineRow = RowOf<typeof statementLines>;

/** In our own types. */
export const statementOf = rowReader<StatementRow>(amountFieldsOf(statements));
/** In our own types. */
export const lineOf = rowReader<StatementLineRow>(amountFieldsOf(statementLines));

type Sql = Database['sql'] | Transaction;

/** Begins a statement, whose file is uploaded in parts. */
export async function insertStatement(tx: Transaction, statement: StatementRow): Promise<void> {
  await tx`insert into statements ${tx(parametersOf(statements, statement))}`;
}

/** Several statements by their ids. */
export async function findStatements(sql: Sql, ids: readonly string[]): Promise<StatementRow[]> {
  const rows = await sql<Raw<StatementRow>[]>`
    select * from statements where id = any(${ids as string[]})`;
  return rows.map(statementOf);
}

/** One statement. */
export const findStatement = async (sql: Sql, id: string): Promise<StatementRow | undefined> =>
  (await findStatements(sql, [id]))[0];

/** One statement, locked against other steps of it. */
export async function lockStatement(tx: Transaction, id: string): Promise<StatementRow | undefined> {
  const [row] = await tx<Raw<StatementRow>[]>`select * from statements where id = ${id} for no key update`;
  return row && statementOf(row);
}

/** Changes a statement's state. */
export async function updateStatement(sql: Sql, id: string, change: Partial<StatementRow>): Promise<void> {
  await sql`update statements set ${sql(parametersOf(statements, change) as never)} where id = ${id}`;
}

/** Stores a part of a statement's file, as its row keeps it. @returns false if it was stored before */
export async function insertPart(
  tx: Transaction,
  statementId: string,
  part: number,
  content: Buffer,
): Promise<boolean> {
  const rows = await tx`
    insert into statement_parts (statement_id, part, content) values (${statementId}, ${part}, ${content})
    on conflict do nothing returning 1`;
  return rows.length === 1;
}

/** A statement's file as its rows keep it, one part in memory at a time. */
export async function* partsOf({ sql }: Database, statementId: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part++) {
    const [row] = await sql<{ content: Buffer }[]>`
      select content from statement_parts where statement_id = ${statementId} and part = ${part}`;
    if (!row) return;
    yield row.content;
  }
}

/** Adds lines that were read, as their rows keep them, each once. */
export async function insertLines(tx: Transaction, lines: readonly Partial<StatementLineRow>[]): Promise<void> {
  if (lines.length === 0) return;
  await tx`
    insert into statement_lines
    select * from jsonb_populate_recordset(null::statement_lines, ${tx.json(lines.map(columnsOf))})
    on conflict (statement_id, line) do nothing`;
}

/** Lines that turned out not to be movements. @param problems why, by line */
export async function spoilLines(sql: Sql, statementId: string, problems: ReadonlyMap<number, string>): Promise<void> {
  for (const [line, problem] of problems)
    await sql`
      update statement_lines set state = 'BAD', problem = ${problem}, line_key = null
      where statement_id = ${statementId} and line = ${line} and state = 'NEW'`;
}

/** How many lines of a statement are stored. */
export async function countLines({ sql }: Database, statementId: string): Promise<number> {
  const [row] = await sql<{ lines: number }[]>`
    select count(*)::int as lines from statement_lines where statement_id = ${statementId}`;
  return row?.lines ?? 0;
}

/** A report that may be of a line's movement, and whom the bank names in it, as its row keeps it. */
interface ReportParty {
  readonly id: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly party: string;
}

/** The parties of what may be the same movements as the next lines, where a line has a choice. */
export const findReportParties = async (
  sql: Sql,
  statementId: string,
  after: number,
  limit: number,
): Promise<ReportParty[]> =>
  await sql<ReportParty[]>`
    select id, direction, party from report_parties(${statementId}, ${after}, ${limit}, ${LIMITS.valueDateDays},
      ${LIMITS.sameReferenceDays})`;

/** A line, its text, and whom the bank names in it, as its row keeps them. */
interface LineTexts {
  readonly line: number;
  readonly memo: string | null;
  readonly party: string | null;
}

/** The texts of the next lines that nothing reported so far, as their rows keep them. */
export const findLineTexts = async (
  sql: Sql,
  statementId: string,
  after: number,
  limit: number,
): Promise<LineTexts[]> =>
  await sql<LineTexts[]>`
    select line, memo, party_name as party from (
      select * from statement_lines where statement_id = ${statementId} and line > ${after} and state <> 'BAD'
      order by line limit ${limit}) l
    where state = 'NEW'`;

/** What rows of lines and reports keep sealed, opened. */
interface Opened {
  /** Whom they name, by the ids of reports and the numbers of lines. */
  readonly parties: Readonly<Record<string, string>>;
  /** What may be remarks of orders in lines, by their numbers. */
  readonly remarks: Readonly<Record<string, readonly string[]>>;
}

/**
 * Searches the next lines among what was reported or imported before. @returns the last line that was searched; null:
 * there are no more
 */
export async function pairLines(
  sql: Sql,
  statementId: string,
  after: number,
  limit: number,
  { parties, remarks }: Opened = { parties: {}, remarks: {} },
): Promise<number | null> {
  const [row] = await sql<{ last: number | null }[]>`
    select pair_statement_lines(${statementId}, ${after}, ${limit}, ${LIMITS.valueDateDays},
      ${LIMITS.sameReferenceDays}, ${sql.json(parties)}, ${sql.json(remarks)}) as last`;
  return row?.last ?? null;
}

/** Resets what the dry run found: the import searches again. */
export async function forgetPairs(tx: Transaction, statementId: string): Promise<void> {
  await tx`
    update statement_lines set state = 'NEW', problem = null, transfer_id = null, debit_id = null, rule_id = null
    where statement_id = ${statementId}
      and (state in ('KNOWN', 'PAIRED') or rule_id is not null or state = 'BAD' and line_key is not null)`;
}

/** The lines of a statement that nothing reported, within a range of lines. */
export async function findNewLines(
  { sql }: Database,
  statementId: string,
  after: number,
  through: number,
): Promise<StatementLineRow[]> {
  const rows = await sql<Raw<StatementLineRow>[]>`
    select * from statement_lines
    where statement_id = ${statementId} and line > ${after} and line <= ${through} and state = 'NEW'
    order by line`;
  return rows.map(lineOf);
}

/** The lines of a statement within a range that no rule explains so far, and that name a movement or may become one. */
export async function findOpenLines(
  tx: Transaction,
  statementId: string,
  after: number,
  through: number,
): Promise<StatementLineRow[]> {
  const rows = await tx<Raw<StatementLineRow>[]>`
    select * from statement_lines
    where statement_id = ${statementId} and line > ${after} and line <= ${through} and state <> 'BAD'
      and rule_id is null and raw is null
    order by line`;
  return rows.map(lineOf);
}

/** The lines of a statement within a range that a rule would explain, by the dry run. */
export async function findNotedLines(
  tx: Transaction,
  statementId: string,
  after: number,
  through: number,
): Promise<StatementLineRow[]> {
  const rows = await tx<Raw<StatementLineRow>[]>`
    select * from statement_lines
    where statement_id = ${statementId} and line > ${after} and line <= ${through} and rule_id is not null
    order by line`;
  return rows.map(lineOf);
}

/** Records which rules would explain lines. */
export async function noteRules(
  tx: Transaction,
  statementId: string,
  lines: readonly { readonly line: number; readonly rule: string }[],
): Promise<void> {
  await tx`
    update statement_lines l set rule_id = n.rule
    from jsonb_to_recordset(${tx.json(lines)}::jsonb) as n(line integer, rule uuid)
    where l.statement_id = ${statementId} and l.line = n.line`;
}

/** One line. */
export async function findLine(
  { sql }: Database,
  statementId: string,
  line: number,
): Promise<StatementLineRow | undefined> {
  const [row] = await sql<Raw<StatementLineRow>[]>`
    select * from statement_lines where statement_id = ${statementId} and line = ${line}`;
  return row && lineOf(row);
}

/** Records the result of a new line. */
export async function settleLine(
  { sql }: Database,
  { statementId, line }: Pick<StatementLineRow, 'statementId' | 'line'>,
  done: {
    readonly state: LineState;
    readonly transferId?: string;
    readonly debitId?: string;
    readonly problem?: string;
  },
): Promise<void> {
  await sql`
    update statement_lines
    set state = ${done.state}, transfer_id = ${done.transferId ?? null}, debit_id = ${done.debitId ?? null},
      problem = ${done.problem ?? null}
    where statement_id = ${statementId} and line = ${line} and state = 'NEW'`;
}

/** A line that is a credit, with the verdict on the facts of its report. */
export interface CreditOfLine {
  readonly line: number;
  /** As its row keeps it. */
  readonly report: TransferReport;
  readonly facts: TransferFacts;
  readonly verdict: TransferVerdict;
}

/** Records new lines that are credits, in one SQL statement: those whose facts still hold. @returns them */
export async function recordCredits(
  tx: Transaction,
  statementId: string,
  credits: readonly CreditOfLine[],
): Promise<readonly number[]> {
  if (credits.length === 0) return [];
  const rows = credits.map(({ line, report, facts, verdict: { match, postings } }) => ({
    line,
    report: columnsOf(report),
    facts: facts.raw,
    accounts: postings.map(({ account }) => account),
    amounts: postings.map(({ amount }) => amount.toFixed()),
    ...(match.matched ? { deposit: match.depositId, fee: match.fee.toFixed() } : { reason: match.reason }),
  }));
  const [row] = await tx<{ recorded: number[] }[]>`
    select record_statement_credits(${statementId}, ${tx.json(rows)}::jsonb) as recorded`;
  return row?.recorded ?? [];
}

/** A line that is a debit, as a row. */
export interface DebitOfLine {
  readonly line: number;
  readonly debit: BankDebitRow & { readonly dedupeKey: string };
}

/** Records new lines that are debits, in one SQL statement: those that cannot have paid a payout. @returns them */
export async function recordDebits(
  tx: Transaction,
  statementId: string,
  debits: readonly DebitOfLine[],
  doneSince: Date,
): Promise<readonly number[]> {
  if (debits.length === 0) return [];
  const rows = debits.map(({ line, debit }) => ({ line, debit: columnsOf(debit) }));
  const [row] = await tx<{ recorded: number[] }[]>`
    select record_statement_debits(${statementId}, ${tx.json(rows)}::jsonb, ${doneSince}) as recorded`;
  return row?.recorded ?? [];
}

/**
 * Records that a statement confirms credits that operators entered, if its file is confirmed. @param two whether nobody
 * confirms what he entered himself
 */
export async function confirmByStatement(
  { sql }: { readonly sql: Sql },
  statementId: string,
  after: number,
  through: number,
  two: boolean,
  now: Date,
): Promise<void> {
  await sql`select confirm_credits_of_statement(${statementId}, ${after}, ${through}, ${two}, ${now})`;
}

/** What a statement has of this person: its file, in this or another upload, or a credit that it tells of. */
export async function findOwnPart(sql: Sql, statementId: string, person: string): Promise<'FILE' | 'CREDIT' | null> {
  const [row] = await sql<{ file: boolean; credit: boolean }[]>`
    select exists (
        select from statements s join statements o on o.account_id = s.account_id
        where s.id = ${statementId} and (o.id = s.id or o.sha256 = s.sha256)
          and ${person} in (o.uploaded_by, o.imported_by)) as file,
      exists (
        select from statement_lines l join bank_transfers t on t.id = l.transfer_id
        where l.statement_id = ${statementId} and t.source = ${person} and t.confirmed_at is null) as credit`;
  return row?.file === true ? 'FILE' : row?.credit === true ? 'CREDIT' : null;
}

/** The closing balance of the imported statement before this one; undefined if there is none, or both overlap. */
export async function findStatementBefore(
  { read: sql }: Database,
  { id, accountId, openingDay, closingDay }: StatementRow,
): Promise<{ readonly balance: Money; readonly day: Day } | undefined> {
  const [row] = await sql<{ balance: string; day: Day; overlaps: boolean }[]>`
    select s.closing_balance::text as balance, s.closing_day::text as day,
      s.closing_day > ${openingDay} or exists (
        select from statement_lines l where l.statement_id = ${id} and l.state = 'KNOWN') as overlaps
    from statements s
    where s.account_id = ${accountId} and s.status = 'IMPORTED' and s.id <> ${id}
      and s.closing_day <= ${closingDay} and s.opening_day <= ${openingDay}
    order by s.closing_day desc, s.imported_at desc limit 1`;
  return row && !row.overlaps ? { balance: money(row.balance), day: row.day } : undefined;
}

/** The sum of a statement's lines of one state and direction. */
export interface LineTotal {
  readonly statementId: string;
  readonly state: LineState;
  /** Null for lines that cannot be read. */
  readonly direction: 'CREDIT' | 'DEBIT' | null;
  readonly lines: number;
  readonly amount: Money;
}

/** The sums of the lines of several statements. */
export async function findLineTotals({ read: sql }: Database, statementIds: readonly string[]): Promise<LineTotal[]> {
  const rows = await sql<(Omit<LineTotal, 'amount'> & { amount: string })[]>`
    select statement_id, state, direction, count(*)::int as lines, coalesce(sum(amount), 0)::text as amount
    from statement_lines where statement_id = any(${statementIds as string[]})
    group by 1, 2, 3 order by 2, 3`;
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}

/**
 * Stores the closing balance of a statement as the bank's of its account, unless a newer one is known. Not where a
 * credit in it rests on a person's word, and nobody has confirmed the file.
 */
export async function noteClosingBalance(
  { sql }: Database,
  statementId: string,
  balance: Money,
  at: Date,
): Promise<void> {
  await sql`
    update bank_accounts a set bank_balance = ${balance.toFixed()}, bank_balance_at = ${at}
    from statements s
    where s.id = ${statementId} and a.id = s.account_id and (a.bank_balance_at is null or a.bank_balance_at <= ${at})
      and counts_as_banks(s)`;
}
