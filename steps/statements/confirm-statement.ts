import { businessError, CatalogueError, notFound } from '../../domain/errors';
import { endOfDay } from '../../domain/zone';
import * as db from '../../db/statements/statements';
import type { Warrant } from '../../domain/authority/warrant';
import type { Needs } from '../context';
import { type ActionNeeds, operatorAction } from '../operators/operator-action';
import { actorName } from '../access/caller';
import { takesTwo } from '../authority/row';

/** The number of a statement's last line, or any behind it. */
const ALL_LINES = 2 ** 31 - 1;

/**
 * Stores the closing balance of an imported statement as the account's, unless a newer one is known, or nobody has
 * confirmed that its file is the bank's: it comes from a person's disk.
 */
export async function noteClosing(
  context: Needs<'database' | 'loaders' | 'now'>,
  statement: db.StatementRow,
): Promise<void> {
  const { database, loaders, now } = context;
  const { accountId, closingBalance, closingDay } = statement;
  const account = await loaders.bankAccounts.load(accountId);
  if (!account || !closingBalance || !closingDay) return;
  const ends = endOfDay(account.timeZone, closingDay);
  await db.noteClosingBalance(database, statement.id, closingBalance, ends < now ? ends : now);
}

/**
 * Records that a second person says that a file is the bank's, and confirms what operators entered and it tells of.
 * @throws AUTHORIZATION_ERROR for who brought the file, or entered a credit that it tells of
 */
export async function confirmFile(
  context: ActionNeeds & Needs<'loaders'>,
  warrant: Warrant<'confirmStatement'>,
  id: string,
  reason: string,
): Promise<void> {
  const { actor, database, now } = context;
  const by = actorName(actor);
  const action = { action: warrant.step, subject: `statement:${id}`, reason };
  await operatorAction(context, action, async (tx) => {
    const statement = await db.lockStatement(tx, id);
    if (!statement) throw notFound('statement');
    const { confirmedBy, status } = statement;
    if (confirmedBy !== null) throw businessError('WRONG_STATE', 'the statement is confirmed');
    if (status === 'UPLOADING' || status === 'DROPPED')
      throw businessError('WRONG_STATE', 'read the statement first: see what it says');
    const own = await db.findOwnPart(tx, id, by);
    if (takesTwo(context) && own !== null)
      throw new CatalogueError(
        'AUTHORIZATION_ERROR',
        own === 'FILE'
          ? 'you brought this file: another person confirms it'
          : 'you entered a credit that it tells of: another person confirms it',
      );
    await db.updateStatement(tx, id, { confirmedBy: by, confirmedAt: now });
    if (status !== 'READ') await db.confirmByStatement({ sql: tx }, id, 0, ALL_LINES, takesTwo(context), now);
  });
  const statement = await db.findStatement(database.sql, id);
  if (statement?.status === 'IMPORTED') await noteClosing(context, statement);
}
