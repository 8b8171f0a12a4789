import type { Settings } from '../../domain/change-request';
import { businessError } from '../../domain/errors';
import * as db from '../../db/settlements/settlement-accounts';
import { effect } from '../changes/change-effect';

/** What a settlement account is, as people compare it. */
export type SettlementAccountFields = Readonly<{
  merchantId: string;
  currencyCode: string;
  bankCode: string;
  bankBranch: string | null;
  accountNo: string;
  accountHolder: string;
}>;

/** A settlement account as a proposal keeps it. */
export type CreateSettlementAccountPayload = SettlementAccountFields &
  Readonly<{ id: string; coolingMs: number }>;

/** An account to which nothing goes any more. */
export type DisableSettlementAccountPayload = Readonly<{ id: string }>;

/** Registers an account. Settlements may go there when the cooling period after the approval is over. */
export const createSettlementAccount = effect<CreateSettlementAccountPayload>({
  apply: async (tx, { coolingMs, ...account }, { now }) => {
    const usableAt = new Date(now.getTime() + coolingMs);
    await db.insertSettlementAccount(tx, { ...account, createdAt: now, usableAt });
  },
});

/** Ends the use of an account. */
export const disableSettlementAccount = effect<DisableSettlementAccountPayload>({
  apply: async (tx, { id }, { reason, now }) => {
    if (!(await db.disableSettlementAccount(tx, id, reason, now)))
      throw businessError('WRONG_STATE', 'the settlement account is already disabled');
  },
});

/** What people compare of an account. */
export const fieldsOf = ({
  merchantId,
  currencyCode,
  bankCode,
  bankBranch,
  accountNo,
  accountHolder,
}: SettlementAccountFields): Settings => ({
  ...{ merchantId, currencyCode, bankCode, bankBranch, accountNo, accountHolder },
});
