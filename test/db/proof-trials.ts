import type { Transaction } from '../../db/client';
import { prove } from '../../db/proof/prove';
import type { Tenant } from '../support/tenant';

/** The outcome of a manual change: refused by a constraint or an SQLSTATE, reported by the proof, or neither. */
export type Outcome = { readonly refused: string } | { readonly seen: readonly string[] } | 'unseen' | 'nothing';

/** Does work in a transaction that is rolled back. */
export async function trying({ database }: Tenant, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const done = new Error('roll back');
  const attempt = database.transaction(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await work(tx);
    throw done;
  });
  await expect(attempt).rejects.toBe(done);
}

/** What the proof finds, a line each. */
export const problems = async (tx: Transaction): Promise<string[]> =>
  (await prove(tx)).discrepancies.map(({ subject, problem }) => `${subject}: ${problem}`);

/** Applies a change, proves the books, and rolls the change back. */
export async function outcomeOf(
  tx: Transaction,
  { sql, withAllRights }: { readonly sql: string; readonly withAllRights?: boolean },
): Promise<Outcome> {
  await tx`savepoint before`;
  try {
    if (withAllRights) await tx`set local session_replication_role = replica`;
    if ((await tx.unsafe(sql)).count === 0) return 'nothing';
    await tx`set local session_replication_role = origin`;
    const seen = await problems(tx);
    return seen.length > 0 ? { seen } : 'unseen';
  } catch (error) {
    const { constraint_name: constraint, code } = error as Record<string, string | undefined>;
    if (code === undefined || code.startsWith('42')) throw error;
    return { refused: constraint ?? code };
  } finally {
    await tx`rollback to savepoint before`;
  }
}
