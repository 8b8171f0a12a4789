import { businessError, notFound } from '../../domain/errors';
import * as db from '../../db/statements/statements';
import type { Needs } from '../context';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { noteClosing } from './confirm-statement';
import { explainByRules, rulesFor } from './explain-lines';
import { pairNext } from './pair-next';
import { WORKS_FOR_MS } from './read-statement';
import { recordLines } from './record-lines';
import { actorName } from '../access/caller';
import { takesTwo } from '../authority/row';
import type { ReportNeeds } from '../transfers/record-transfer';

/** Lines that are searched and recorded in one transaction, while the account is locked. */
const BATCH = 200;

/** Begins the import: the matches of the dry run are searched again. @throws BUSINESS_ERROR if it cannot begin */
async function begin(context: ActionNeeds, id: string, reason: string): Promise<void> {
  const action = { action: 'importStatement', subject: `statement:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    const statement = await db.lockStatement(tx, id);
    if (!statement) throw notFound('statement');
    if (statement.status === 'IMPORTING' || statement.status === 'IMPORTED') return;
    if (statement.status !== 'READ')
      throw businessError('WRONG_STATE', 'read the statement first: see what the import would do');
    if (statement.problem !== null)
      throw businessError('WRONG_STATE', `the statement cannot be imported: ${statement.problem}`);
    if (statement.contradiction !== null)
      throw businessError(
        'WRONG_STATE',
        `the statement does not add up: ${statement.contradiction}; explainStatement says why, by two people`,
      );
    await db.forgetPairs(tx, id);
    const importedBy = actorName(context.actor);
    await db.updateStatement(tx, id, { status: 'IMPORTING', importedBy, throughLine: 0 });
    // Where one person decides, the import says that the file is the bank's.
    if (!takesTwo(context) && statement.confirmedBy === null)
      await db.updateStatement(tx, id, { confirmedBy: importedBy, confirmedAt: context.now });
  });
}

/**
 * Continues the import of a statement, for some seconds; IMPORTED once each line is known, paired with a report,
 * recorded or marked as bad. Safe to repeat: each line is searched and recorded once.
 */
export async function importOn(
  context: ActionNeeds & ReportNeeds & Needs<'loaders'>,
  found: db.StatementRow,
  reason: string,
): Promise<void> {
  const { database, now } = context;
  const { id } = found;
  if (found.status === 'IMPORTED') return;
  await begin(context, id, reason);
  const statement = await db.findStatement(database.sql, id);
  if (!statement) throw notFound('statement');
  const until = Date.now() + WORKS_FOR_MS;
  const rules = await rulesFor(context, statement.accountId);
  let after = statement.throughLine;
  for (;;) {
    const last = await pairNext(context, id, after, BATCH);
    if (last === null) break;
    await recordLines(context, id, after, last);
    await db.confirmByStatement(database, id, after, last, takesTwo(context), now);
    const part = { statementId: id, after, through: last };
    await database.transaction(async (tx) => {
      await explainByRules(context, tx, rules, part);
      await db.updateStatement(tx, id, { throughLine: last });
    });
    after = last;
    if (Date.now() > until) return;
  }
  await db.updateStatement(database.sql, id, { status: 'IMPORTED', importedAt: now });
  await noteClosing(context, statement);
}
