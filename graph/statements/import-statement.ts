import { businessError, CatalogueError, notFound } from '../../domain/errors';
import { endOfDay } from '../../domain/zone';
import * as db from '../../db/statements/statements';
import { actorName } from '../access/authorization';
import { takesTwo } from '../authority/warrant';
import type { GraphContext } from '../context';
import { recordDebit } from '../debits/record-debit';
import { operatorAction } from '../operators/operator-action';
import { recordTransfer } from '../transfers/record-transfer';
import { WORKS_FOR_MS } from './read-statement';

/** Lines that are looked for at once. */
const BATCH = 100;

/** Records a line that nothing reported. @param alone by its own key, whatever has its reference */
async function recordLine(
  context: GraphContext,
  line: db.StatementLineRow,
  alone: boolean,
): Promise<{ transferId?: string; debitId?: string; duplicate: boolean }> {
  const { direction, amount, bankTime, memo, lineKey, partyName: name, partyAccount } = line;
  if (!direction || !amount || !bankTime || memo === null || lineKey === null)
    throw new Error('a line that was read lacks what it says');
  const movement = {
    ...{ accountId: line.accountId, amount, currencyCode: line.currencyCode, bankTime, memo },
    bankReference: line.bankReference,
    // Lines that were known come in between: the running balance is the file's own to prove.
    balanceAfter: null,
    lineKey: alone || line.bankReference === null || (line.nth ?? 1) > 1 ? lineKey : null,
  };
  if (direction === 'CREDIT') {
    const party = { payerName: name, payerAccount: partyAccount };
    const { transfer, duplicate } = await recordTransfer(context, { ...movement, ...party });
    return { transferId: transfer.id, duplicate };
  }
  const party = { payeeName: name, payeeAccount: partyAccount };
  const { debit, duplicate } = await recordDebit(context, { ...movement, ...party });
  return { debitId: debit.id, duplicate };
}

/** Records one line, and notes what became of it. A line that is refused is named, and the next ones are recorded. */
async function settle(context: GraphContext, line: db.StatementLineRow): Promise<void> {
  const { database } = context;
  const { statementId } = line;
  try {
    let recorded = await recordLine(context, line, false);
    if (recorded.duplicate) {
      // Either somebody has just reported it, or an old movement has the same reference: then it is another one.
      await db.pairLines(database.sql, statementId, line.line - 1, 1);
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

/** Begins the import: what the dry run found is looked for anew. @throws BUSINESS_ERROR for one that cannot begin */
async function begin(context: GraphContext, id: string, reason: string): Promise<void> {
  const action = { action: 'importStatement', subject: `statement:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    const statement = await db.lockStatement(tx, id);
    if (!statement) throw notFound('statement');
    if (statement.status === 'IMPORTING' || statement.status === 'IMPORTED') return;
    if (statement.status !== 'READ')
      throw businessError('WRONG_STATE', 'read the statement first: see what the import would do');
    if (statement.problem !== null)
      throw businessError('WRONG_STATE', `the statement cannot be imported: ${statement.problem}`);
    await db.forgetPairs(tx, id);
    const importedBy = actorName(context.actor);
    await db.updateStatement(tx, id, { status: 'IMPORTING', importedBy, throughLine: 0 });
  });
}

/**
 * Imports a statement on, for some seconds; IMPORTED once each line is known, paired with a report, recorded or named
 * as bad. Each line is looked for and recorded once, however often this runs.
 */
export async function importOn(
  context: GraphContext,
  found: db.StatementRow,
  reason: string,
): Promise<void> {
  const { actor, database, loaders, now } = context;
  const { id } = found;
  if (found.status === 'IMPORTED') return;
  await begin(context, id, reason);
  const statement = await db.findStatement(database.sql, id);
  if (!statement) throw notFound('statement');
  const until = Date.now() + WORKS_FOR_MS;
  // Where two people are needed, nobody confirms what he has entered himself.
  const notOf = takesTwo(context) ? actorName(actor) : null;
  let after = statement.throughLine;
  for (;;) {
    const last = await db.pairLines(database.sql, id, after, BATCH);
    if (last === null) break;
    for (const line of await db.findNewLines(database, id, after, last))
      await settle(context, line);
    await db.confirmByStatement(database, id, after, last, notOf, now);
    after = last;
    await db.updateStatement(database.sql, id, { throughLine: after });
    if (Date.now() > until) return;
  }
  const { accountId, closingBalance, closingDay } = statement;
  const account = await loaders.bankAccounts.load(accountId);
  if (account && closingBalance && closingDay) {
    const ends = endOfDay(account.timeZone, closingDay);
    await db.noteClosingBalance(database, accountId, closingBalance, ends < now ? ends : now);
  }
  await db.updateStatement(database.sql, id, { status: 'IMPORTED', importedAt: now });
}
