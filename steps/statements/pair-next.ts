import { openPersonal } from '../../crypto/personal';
import { remarksIn } from '../../domain/remark';
import { creditNameOf, debitNameOf, lineTextOf } from '../../domain/sealed-for';
import * as db from '../../db/statements/statements';
import type { Needs } from '../context';

/**
 * Searches the next lines of a statement among what was reported or imported before. A line prefers the report of its
 * order, then the one that names its party. Both are sealed in rows, so they are opened first: a report that comes in
 * between is only not preferred.
 * @returns the last line that was searched; null: there are no more
 */
export async function pairNext(
  { database: { sql }, sealer }: Needs<'database' | 'sealer'>,
  statementId: string,
  after: number,
  limit: number,
): Promise<number | null> {
  const found = await db.findReportParties(sql, statementId, after, limit);
  const reported = found.map(({ id, direction, party }) => {
    const context = direction === 'CREDIT' ? creditNameOf(id) : debitNameOf(id);
    return [id, openPersonal(sealer, party, context)] as const;
  });
  const lines = await db.findLineTexts(sql, statementId, after, limit);
  const textOf = (text: 'memo' | 'partyName', line: number, kept: string): string =>
    openPersonal(sealer, kept, lineTextOf(text, statementId, line));
  const named = lines.flatMap(({ line, party }) =>
    party === null || found.length === 0 ? [] : [[String(line), textOf('partyName', line, party)] as const],
  );
  const remarked = lines.flatMap(({ line, memo }) => {
    const remarks = memo === null ? [] : remarksIn(textOf('memo', line, memo));
    return remarks.length === 0 ? [] : [[String(line), remarks] as const];
  });
  return await db.pairLines(sql, statementId, after, limit, {
    parties: Object.fromEntries([...reported, ...named]),
    remarks: Object.fromEntries(remarked),
  });
}
