import type { Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import { depositRecalled, recallParts } from '../../domain/ledger';
import type { Transaction } from '../../db/client';
import * as db from '../../db/deposits/recalls';
import { effect } from '../changes/change-effect';

/** A recall as a proposal keeps it. */
export type RecallPayload = Readonly<{ depositId: string }>;

async function basis(tx: Transaction, { depositId }: RecallPayload): Promise<Settings | null> {
  const found = await db.lockRecallCase(tx, depositId);
  return found ? { status: found.status, recalled: found.recalled } : null;
}

/**
 * Takes a completed deposit from its merchant, once: first the held part, then the available balance; the rest is debt.
 * What there is is looked at under its lock when the change is carried out.
 */
export const recallDeposit = effect<RecallPayload>({
  basis,
  apply: async (tx, { depositId }, { id, reason, now }) => {
    const deposit = await db.lockRecallCase(tx, depositId);
    if (!deposit?.accountId) throw notFound('deposit');
    const { merchantId, currencyCode, amount, accountId } = deposit;
    const held = await db.lockHeld(tx, depositId);
    const available = await db.lockAvailable(tx, merchantId, currencyCode);
    const parts = recallParts(amount, held, available);
    const done = await db.recallDeposit(tx, {
      ...{ depositId, changeId: id, accountId, ...parts, reason, at: now },
      postings: depositRecalled(merchantId, accountId, parts),
    });
    if (!done)
      throw businessError('WRONG_STATE', 'the deposit is not completed or was already recalled');
  },
});
