import type { Posting } from '../../domain/ledger';
import type { Database, Transaction } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';
import { columnsOf, type RowOf } from '../rows';
import type { settlements } from '../schema/settlements';
import type { WithdrawalRow } from '../withdrawals/withdrawals';

/** A settlement: a withdrawal by which operators pay a merchant its balance. */
export type SettlementRow = RowOf<typeof settlements>;

/**
 * Commits a settlement with its frozen money, event and outbox row; people then decide on it. A reference that is taken
 * violates settlements_reference, a balance that is too low merchant_balances_never_negative. @returns false if its
 * account accepts no settlement now
 */
export async function acceptSettlement(
  tx: Transaction,
  settlement: SettlementRow,
  withdrawal: WithdrawalRow,
  freeze: readonly Posting[],
): Promise<boolean> {
  const [answer] = await tx<{ done: boolean }[]>`
    select accept_settlement(${tx.json(columnsOf(withdrawal))}::jsonb, ${tx.json(columnsOf(settlement))}::jsonb,
      ${accountsOf(freeze)}, ${amountsOf(freeze)}::numeric[]) as done`;
  return answer?.done ?? false;
}

/** Those of several withdrawals that are settlements. */
export const findSettlements = async ({ sql }: Database, withdrawalIds: readonly string[]): Promise<SettlementRow[]> =>
  await sql<SettlementRow[]>`
    select * from settlements where withdrawal_id = any(${withdrawalIds as string[]})`;

/** A merchant's settlement by its reference. */
export async function findSettlement(
  { sql }: Database,
  merchantId: string,
  reference: string,
): Promise<SettlementRow | undefined> {
  const [row] = await sql<SettlementRow[]>`
    select * from settlements where merchant_id = ${merchantId} and reference = ${reference}`;
  return row;
}
