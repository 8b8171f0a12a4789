import { uuidv7 } from 'uuidv7';
import { sealCredit, sealDebit } from '../../crypto/personal';
import { openLine } from '../../crypto/statements';
import { CatalogueError } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import type { BankDebitRow } from '../../db/transfers/bank-debits';
import { findFactsOfReports, type TransferReport } from '../../db/transfers/bank-transfers';
import * as db from '../../db/statements/statements';
import { metrics } from '../../runtime/metrics';
import type { Needs } from '../context';
import { recordDebit } from '../debits/record-debit';
import { entriesOfReports } from '../payers/paid';
import { type ReportNeeds, recordTransfer, reportOf } from '../transfers/record-transfer';
import { verdictOn } from '../transfers/verdict';
import { dedupeKey, movementOf } from '../transfers/reported-movement';
import { pairNext } from './pair-next';
import { actorName } from '../access/caller';
import type { JudgeNeeds } from '../transfers/judge-due';

const DAY_MS = 86_400_000;

/** The report of a line. @param alone with a key of its own, even if another movement has its reference */
function reportedBy(line: db.StatementLineRow, alone: boolean) {
  const { accountId, amount, bankReference, bankTime, currencyCode, lineKey, memo } = line;
  if (!amount || !bankTime || memo === null || lineKey === null)
    throw new Error('a line that was read lacks what it says');
  const ownKey = alone || bankReference === null || (line.nth ?? 1) > 1;
  return {
    accountId,
    amount,
    currencyCode,
    bankTime,
    memo,
    bankReference,
    // Known lines lie between: the file itself proves the running balance.
    balanceAfter: null,
    lineKey: ownKey ? lineKey : null,
    collective: line.raw !== null,
  };
}

const payerOf = ({ partyName, partyAccount }: db.StatementLineRow) => ({
  payerName: partyName,
  payerAccount: partyAccount,
});
const payeeOf = ({ partyName, partyAccount }: db.StatementLineRow) => ({
  payeeName: partyName,
  payeeAccount: partyAccount,
});

/** Records a line that nothing reported. */
async function recordLine(
  context: ReportNeeds,
  line: db.StatementLineRow,
  alone: boolean,
): Promise<{ transferId?: string; debitId?: string; duplicate: boolean }> {
  const movement = reportedBy(line, alone);
  if (line.direction === 'CREDIT') {
    const { transfer, duplicate } = await recordTransfer(context, {
      ...movement,
      ...payerOf(line),
    });
    return { transferId: transfer.id, duplicate };
  }
  const { debit, duplicate } = await recordDebit(context, { ...movement, ...payeeOf(line) });
  return { debitId: debit.id, duplicate };
}

/** Records one line, and its result. A refused line is reported, and the next ones are recorded. */
async function settle(context: ReportNeeds, line: db.StatementLineRow): Promise<void> {
  const { database } = context;
  const { statementId } = line;
  try {
    let recorded = await recordLine(context, line, false);
    if (recorded.duplicate) {
      // Either it was reported just now, or an old movement has the same reference: then this is another movement.
      await pairNext(context, statementId, line.line - 1, 1);
      if ((await db.findLine(database, statementId, line.line))?.state !== 'NEW') return;
      recorded = await recordLine(context, line, true);
    }
    const { duplicate, ...links } = recorded;
    await db.settleLine(database, line, { ...links, state: duplicate ? 'PAIRED' : 'RECORDED' });
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.kind !== 'INVALID_FIELD') throw error;
    await db.settleLine(database, line, { state: 'BAD', problem: error.message });
  }
}

/** The results of lines that can be recorded together; a refused line is left out. */
function readable<Row>(
  lines: readonly db.StatementLineRow[],
  make: (line: db.StatementLineRow) => Row,
): { readonly line: db.StatementLineRow; readonly row: Row }[] {
  return lines.flatMap((line) => {
    try {
      return [{ line, row: make(line) }];
    } catch (error) {
      if (error instanceof CatalogueError) return [];
      throw error;
    }
  });
}

/** Judges the lines that are credits by the present data. */
async function judged(
  context: Needs<'actor' | 'changes' | 'database' | 'lookup' | 'now' | 'sealer'>,
  lines: readonly db.StatementLineRow[],
): Promise<db.CreditOfLine[]> {
  const reports = readable(lines, (line): TransferReport =>
    reportOf(context, { ...reportedBy(line, false), ...payerOf(line) }),
  );
  if (reports.length === 0) return [];
  const found = await findFactsOfReports(
    context.database,
    reports.map(({ row }) => row),
  );
  const entries = await entriesOfReports(
    context,
    reports.map(({ row }) => row),
    found,
  );
  return reports.flatMap(({ line, row: report }) => {
    const facts = found.get(report.id);
    if (!facts || facts.recordedId !== null) return [];
    const verdict = verdictOn(context, report, facts, entries.get(report.id) ?? []);
    // Findings about a payer need further steps: that line is recorded alone.
    return verdict.match.payer ? [] : [{ line: line.line, report: sealCredit(context, report), facts, verdict }];
  });
}

/** The rows of lines that are debits. */
const debitsOf = (
  context: Needs<'actor' | 'now' | 'sealer'>,
  lines: readonly db.StatementLineRow[],
): db.DebitOfLine[] =>
  readable(lines, (line) => {
    const { lineKey, ...reported } = reportedBy(line, false);
    const movement = movementOf(context, reported);
    const { payeeName, payeeAccount } = payeeOf(line);
    const key = dedupeKey(movement, { name: payeeName, account: payeeAccount }, lineKey);
    return sealDebit<BankDebitRow & { readonly dedupeKey: string }>(context.sealer, {
      ...movement,
      payeeName,
      payeeAccount,
      dedupeKey: key,
      id: uuidv7(),
      source: actorName(context.actor),
      receivedAt: context.now,
      attemptId: null,
      explainedBy: null,
      explainedAt: null,
      reason: null,
    });
  }).map(({ line, row: debit }) => ({ line: line.line, debit }));

/** Records the new lines that can be recorded together, in one transaction. The others stay new. */
async function recordTogether(
  context: JudgeNeeds,
  statementId: string,
  lines: readonly db.StatementLineRow[],
): Promise<void> {
  const { database, log, now } = context;
  const credits = await judged(
    context,
    lines.filter(({ direction }) => direction === 'CREDIT'),
  );
  const debits = debitsOf(
    context,
    lines.filter(({ direction }) => direction === 'DEBIT'),
  );
  const doneSince = new Date(now.getTime() - LIMITS.debitTaskDays * DAY_MS);
  const recorded = await database.transaction(async (tx) => ({
    credits: new Set(await db.recordCredits(tx, statementId, credits)),
    debits: new Set(await db.recordDebits(tx, statementId, debits, doneSince)),
  }));
  for (const { line, verdict } of credits)
    if (recorded.credits.has(line))
      metrics.bankTransfers.inc({
        outcome: verdict.match.matched ? 'matched' : verdict.match.reason,
      });
  metrics.bankDebits.inc({ outcome: 'no_task' }, recorded.debits.size);
  const counts = { credits: recorded.credits.size, debits: recorded.debits.size };
  log.info({ statementId, ...counts }, 'lines of a statement recorded');
}

/**
 * Records the new lines of a part of a statement together; lines that were reported meanwhile, may have paid a
 * withdrawal, or are refused are recorded one by one. Safe to repeat: each line is recorded once.
 */
export async function recordLines(
  context: ReportNeeds,
  statementId: string,
  after: number,
  through: number,
): Promise<void> {
  const { database, log, sealer } = context;
  const find = async () =>
    (await db.findNewLines(database, statementId, after, through)).map((line) => openLine(sealer, line));
  const lines = await find();
  if (lines.length === 0) return;
  try {
    await recordTogether(context, statementId, lines);
  } catch (error) {
    // A lock or a lost connection: recording one by one shows which line fails.
    log.warn({ err: error, statementId }, 'lines of a statement are recorded one by one');
  }
  for (const line of await find()) await settle(context, line);
}
