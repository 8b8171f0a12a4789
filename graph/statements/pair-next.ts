import { openPersonal } from '../../crypto/personal';
import { creditNameOf, debitNameOf, lineTextOf } from '../../domain/sealed-for';
import * as db from '../../db/statements/statements';
import type { GraphContext } from '../context';

/**
 * Searches the next lines of a statement among what was reported or imported before. A line prefers the report that
 * names its party, so names that are sealed are opened first: a report that comes in between is only not preferred.
 * @returns the last line that was searched; null: there are no more
 */
export async function pairNext(
  { database: { sql }, sealer }: GraphContext,
  statementId: string,
  after: number,
  limit: number,
): Promise<number | null> {
  const found = await db.findReportParties(sql, statementId, after, limit);
  const reported = found.map(({ id, direction, party }) => {
    const context = direction === 'CREDIT' ? creditNameOf(id) : debitNameOf(id);
    return [id, openPersonal(sealer, party, context)] as const;
  });
  const lines = found.length > 0 ? await db.findLineParties(sql, statementId, after, limit) : [];
  const named = lines.flatMap(({ line, party }) => {
    const context = lineTextOf('partyName', statementId, line);
    return party === null ? [] : [[String(line), openPersonal(sealer, party, context)] as const];
  });
  const parties = Object.fromEntries([...reported, ...named]);
  return await db.pairLines(sql, statementId, after, limit, parties);
}
