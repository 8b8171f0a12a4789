import type { AccountMode, AccountStatus } from '../../domain/bank-account';
import type { Settings } from '../../domain/change-request';
import { notFound } from '../../domain/errors';
import { money } from '../../domain/money';
import * as db from '../../db/accounts/bank-accounts';
import { effect } from '../changes/change-effect';

/** The changeable settings of an account, as a proposal stores them. */
export type AccountChangePayload = Readonly<{
  name: string;
  /** Absent in older proposals. */
  timeZone?: string;
  minAmount: string | null;
  maxAmount: string | null;
  maxDailyAmount: string | null;
  /** These five are absent in older proposals. */
  maxMonthlyAmount?: string | null;
  maxDailyCount?: number | null;
  maxMonthlyCount?: number | null;
  maxBalance?: string | null;
  silentMinutes?: number | null;
  maxOpenDeposits: number;
  /** Absent in older proposals. */
  balanceRequired?: boolean;
  float: Readonly<{ step: string; up: string; down: string; quarantineMinutes: number }> | null;
}>;

/** A new account as a proposal stores it. */
export type CreateBankAccountPayload = AccountChangePayload &
  Readonly<{
    id: string;
    bankCode: string;
    bankName: string;
    bankBranch: string | null;
    accountNo: string;
    accountHolder: string;
    currencyCode: string;
    mode: AccountMode;
  }>;

/** An account's changes as a proposal stores them. */
export type UpdateBankAccountPayload = Readonly<{ id: string; change: AccountChangePayload }>;

/** An account's new status as a proposal stores it. */
export type BankAccountStatusPayload = Readonly<{ id: string; status: AccountStatus }>;

/** The changeable settings of an account, as a proposal stores them and an approver compares them. */
export const accountChange = (change: db.BankAccountChange): AccountChangePayload => ({
  name: change.name,
  ...(change.timeZone !== undefined && { timeZone: change.timeZone }),
  minAmount: change.minAmount?.toFixed() ?? null,
  maxAmount: change.maxAmount?.toFixed() ?? null,
  maxDailyAmount: change.maxDailyAmount?.toFixed() ?? null,
  maxMonthlyAmount: change.maxMonthlyAmount?.toFixed() ?? null,
  maxDailyCount: change.maxDailyCount ?? null,
  maxMonthlyCount: change.maxMonthlyCount ?? null,
  maxBalance: change.maxBalance?.toFixed() ?? null,
  silentMinutes: change.silentMinutes ?? null,
  maxOpenDeposits: change.maxOpenDeposits,
  balanceRequired: change.balanceRequired,
  float: change.float && {
    step: change.float.step.toFixed(),
    up: change.float.up.toFixed(),
    down: change.float.down.toFixed(),
    quarantineMinutes: change.float.quarantineMinutes,
  },
});

const optionalMoney = (text: string | null) => (text === null ? null : money(text));

const changeOf = (kept: AccountChangePayload): db.BankAccountChange => ({
  name: kept.name,
  ...(kept.timeZone !== undefined && { timeZone: kept.timeZone }),
  minAmount: optionalMoney(kept.minAmount),
  maxAmount: optionalMoney(kept.maxAmount),
  maxDailyAmount: optionalMoney(kept.maxDailyAmount),
  ...(kept.maxMonthlyAmount !== undefined && {
    maxMonthlyAmount: optionalMoney(kept.maxMonthlyAmount),
  }),
  ...(kept.maxDailyCount !== undefined && { maxDailyCount: kept.maxDailyCount }),
  ...(kept.maxMonthlyCount !== undefined && { maxMonthlyCount: kept.maxMonthlyCount }),
  ...(kept.maxBalance !== undefined && { maxBalance: optionalMoney(kept.maxBalance) }),
  ...(kept.silentMinutes !== undefined && { silentMinutes: kept.silentMinutes }),
  maxOpenDeposits: kept.maxOpenDeposits,
  balanceRequired: kept.balanceRequired ?? false,
  float: kept.float && {
    step: money(kept.float.step),
    up: money(kept.float.up),
    down: money(kept.float.down),
    quarantineMinutes: kept.float.quarantineMinutes,
  },
});

const basis = async (
  tx: Parameters<typeof db.lockBankAccount>[0],
  { id }: Readonly<{ id: string }>,
): Promise<Settings | null> => {
  const account = await db.lockBankAccount(tx, id);
  return account ? { ...accountChange(account), status: account.status } : null;
};

/** Registers an account that takes deposits. */
export const createBankAccount = effect<CreateBankAccountPayload>({
  apply: async (tx, kept, { now }) => {
    await db.insertBankAccount(tx, {
      ...kept,
      timeZone: 'UTC',
      maxMonthlyAmount: null,
      maxDailyCount: null,
      maxMonthlyCount: null,
      maxBalance: null,
      silentMinutes: null,
      silentSince: null,
      ...changeOf(kept),
      status: 'ACTIVE',
      statusReason: null,
      createdAt: now,
      updatedAt: now,
    });
  },
});

/** Changes an account's name, limits and float. */
export const updateBankAccount = effect<UpdateBankAccountPayload>({
  basis,
  apply: async (tx, { id, change }, { now }) => {
    if (!(await db.updateBankAccount(tx, id, changeOf(change), now))) throw notFound('bank account');
  },
});

/** Activates, pauses or disables an account. */
export const setBankAccountStatus = effect<BankAccountStatusPayload>({
  basis,
  apply: async (tx, { id, status }, { reason, now }) => {
    if (!(await db.setBankAccountStatus(tx, id, status, reason, now))) throw notFound('bank account');
  },
});
