import type { Transaction } from '../client';

/** How often an operator did something since a time; its row stays locked, so that two requests count each other. */
export async function countActions(tx: Transaction, operatorId: string, action: string, since: Date): Promise<number> {
  await tx`select from operators where id = ${operatorId} for no key update`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from audit_log
    where operator_id = ${operatorId} and at > ${since} and action = ${action} and outcome = 'OK'`;
  return row?.count ?? 0;
}
