import type { Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import { depositRecalled, recallParts } from '../../domain/ledger';
import { formatMoney, money, type Money, ZERO } from '../../domain/money';
import type { Transaction } from '../../db/client';
import * as db from '../../db/deposits/recalls';
import { effect } from '../changes/change-effect';
import { useRefused } from '../postings/posting-effects';

/** A recall as a proposal stores it. */
export type RecallPayload = Readonly<{
  depositId: string;
  /** The amount, if only a part is recalled. */
  amount?: string;
  /** The debit that took the money, if the bank has reported it. */
  debitId?: string;
}>;

async function basis(tx: Transaction, { depositId }: RecallPayload): Promise<Settings | null> {
  const found = await db.lockRecallCase(tx, depositId);
  return found ? { status: found.status, recalled: found.recalled } : null;
}

/**
 * Checks that a recall takes from its account no more than came to it.
 * @throws BUSINESS_ERROR if the money came to several accounts, and less of it to this one
 */
export function requireThere({ cameThere, currencyCode }: db.RecallCase, amount: Money): void {
  if (amount.gt(cameThere))
    throw businessError(
      'AMOUNT',
      `its money came to several accounts, of it ${formatMoney(cameThere)} ${currencyCode} to this one: recall no more than that, and name the bank debit that took it`,
    );
}

/**
 * Takes a completed deposit back from its merchant, once: first from the held part, then from the available balance;
 * the rest becomes debt. The balances are read under their locks when the change is applied.
 */
export const recallDeposit = effect<RecallPayload>({
  basis,
  apply: async (tx, { depositId, amount: part, debitId }, { id, reason, now, decidedBy }) => {
    const deposit = await db.lockRecallCase(tx, depositId, debitId ?? null);
    if (!deposit?.accountId) throw notFound('deposit');
    const { merchantId, currencyCode, accountId } = deposit;
    const amount = part === undefined ? deposit.amount : money(part);
    requireThere(deposit, amount);
    const held = await db.lockHeld(tx, depositId);
    const available = await db.lockAvailable(tx, merchantId, currencyCode);
    // A hold is recalled whole, or stays until its days have ended.
    const parts = recallParts(amount, held.gt(amount) ? ZERO : held, available);
    const done = await db.recallDeposit(tx, {
      depositId,
      changeId: id,
      accountId,
      ...parts,
      reason,
      at: now,
      postings: depositRecalled(merchantId, accountId, parts),
    });
    if (!done) throw businessError('WRONG_STATE', 'the deposit is not completed, or was recalled or refunded before');
    if (debitId === undefined) return;
    const actor = `operator:${decidedBy}`;
    const refusal = await db.linkRecallDebit(tx, { depositId, debitId, actor, now });
    if (refusal) throw useRefused(refusal);
  },
});
