import type { Settings } from '../../domain/change-request';
import { businessError } from '../../domain/errors';
import * as db from '../../db/settlements/settlement-accounts';
import { effect } from '../changes/change-effect';

/** A settlement account's data, as an approver compares it. */
export type SettlementAccountFields = Readonly<{
  merchantId: string;
  currencyCode: string;
  bankCode: string;
  bankBranch: string | null;
  accountNo: string;
  accountHolder: string;
}>;

/** A settlement account as a proposal stores it. */
export type CreateSettlementAccountPayload = SettlementAccountFields & Readonly<{ id: string; coolingMs: number }>;

/** An account to disable. */
export type DisableSettlementAccountPayload = Readonly<{ id: string }>;

/** Registers an account. Settlements may use it after the cooling period. */
export const createSettlementAccount = effect<CreateSettlementAccountPayload>({
  apply: async (tx, { coolingMs, ...account }, { now }) => {
    const usableAt = new Date(now.getTime() + coolingMs);
    await db.insertSettlementAccount(tx, { ...account, createdAt: now, usableAt });
  },
});

/** Disables an account. */
export const disableSettlementAccount = effect<DisableSettlementAccountPayload>({
  apply: async (tx, { id }, { reason, now }) => {
    if (!(await db.disableSettlementAccount(tx, id, reason, now)))
      throw businessError('WRONG_STATE', 'the settlement account is already disabled');
  },
});

/** The fields of an account that an approver compares. */
export const fieldsOf = ({
  merchantId,
  currencyCode,
  bankCode,
  bankBranch,
  accountNo,
  accountHolder,
}: SettlementAccountFields): Settings => ({
  merchantId,
  currencyCode,
  bankCode,
  bankBranch,
  accountNo,
  accountHolder,
});
