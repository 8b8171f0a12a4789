import type { Posting } from '../../domain/ledger';
import type { Database, Transaction } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';
import { columnsOf } from '../rows';
import type { WithdrawalRow } from '../withdrawals/withdrawals';

/** What a withdrawal is about by which operators pay a merchant its balance. */
export interface SettlementRow {
  readonly withdrawalId: string;
  readonly merchantId: string;
  /** The settlement account that it goes to. */
  readonly accountId: string;
  /** The operators' own number, one for each settlement of a merchant. */
  readonly reference: string;
  readonly reason: string;
  readonly proposedBy: string;
}

/**
 * Commits a settlement with its frozen money, event and outbox row; people decide on it next. A reference that is taken
 * violates settlements_reference, too low a balance merchant_balances_never_negative.
 * @returns false if nothing may go to its account now
 */
export async function acceptSettlement(
  tx: Transaction,
  settlement: SettlementRow,
  withdrawal: WithdrawalRow,
  freeze: readonly Posting[],
): Promise<boolean> {
  const s = settlement;
  const row = {
    withdrawal_id: s.withdrawalId,
    merchant_id: s.merchantId,
    account_id: s.accountId,
    reference: s.reference,
    reason: s.reason,
    proposed_by: s.proposedBy,
  };
  const [answer] = await tx<{ done: boolean }[]>`
    select accept_settlement(${tx.json(columnsOf(withdrawal))}::jsonb, ${tx.json(row)}::jsonb,
      ${accountsOf(freeze)}, ${amountsOf(freeze)}::numeric[]) as done`;
  return answer?.done ?? false;
}

/** Of several withdrawals, those that are settlements. */
export const findSettlements = async (
  { sql }: Database,
  withdrawalIds: readonly string[],
): Promise<SettlementRow[]> =>
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
