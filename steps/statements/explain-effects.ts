import { notFound } from '../../domain/errors';
import * as db from '../../db/statements/statements';
import { effect } from '../changes/change-effect';

/** A statement that does not add up, and may be imported anyway, as a proposal stores it. */
export type ExplainStatementPayload = Readonly<{ statementId: string }>;

/** Lets a statement that does not add up be imported: two people have said why. */
export const explainStatement = effect<ExplainStatementPayload>({
  basis: async (tx, { statementId }) => {
    const statement = await db.lockStatement(tx, statementId);
    if (!statement) return null;
    return { contradiction: statement.contradiction, status: statement.status };
  },
  apply: async (tx, { statementId }) => {
    if (!(await db.lockStatement(tx, statementId))) throw notFound('statement');
    await db.updateStatement(tx, statementId, { contradiction: null });
  },
});
