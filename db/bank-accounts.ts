import { money, type Money } from '../domain/money';
import type { Database, Transaction } from './client';

/** REMARK: the payer names the order in the memo. */
export const ACCOUNT_MODES = ['REMARK'] as const;
/** How transfers on an account find their order. */
export type AccountMode = (typeof ACCOUNT_MODES)[number];
/** PAUSED takes no new deposit, and what arrives is matched by people alone. DISABLED is out of use. */
export const ACCOUNT_STATUSES = ['ACTIVE', 'PAUSED', 'DISABLED'] as const;
/** Whether an account takes new deposits. */
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** A bank account that we manage and payers transfer to. */
export interface BankAccountRow {
  readonly id: string;
  readonly name: string;
  readonly bankCode: string;
  readonly bankName: string;
  readonly bankBranch: string | null;
  readonly accountNo: string;
  readonly accountHolder: string;
  readonly currencyCode: string;
  readonly mode: AccountMode;
  readonly status: AccountStatus;
  readonly statusReason: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A number that is registered already violates bank_accounts_number. */
export async function insertBankAccount(tx: Transaction, account: BankAccountRow): Promise<void> {
  const a = account;
  await tx`
    insert into bank_accounts
      (id, name, bank_code, bank_name, bank_branch, account_no, account_holder, currency_code, mode,
       status, status_reason, created_at, updated_at)
    values
      (${a.id}, ${a.name}, ${a.bankCode}, ${a.bankName}, ${a.bankBranch}, ${a.accountNo},
       ${a.accountHolder}, ${a.currencyCode}, ${a.mode}, ${a.status}, ${a.statusReason}, ${a.createdAt},
       ${a.updatedAt})`;
}

/** @returns undefined if there is no such account */
export async function setBankAccountStatus(
  tx: Transaction,
  id: string,
  status: AccountStatus,
  reason: string,
  now: Date,
): Promise<BankAccountRow | undefined> {
  const [row] = await tx<BankAccountRow[]>`
    update bank_accounts set status = ${status}, status_reason = ${reason}, updated_at = ${now}
    where id = ${id} returning *`;
  return row;
}

/** Several accounts by their ids. */
export const findBankAccounts = async (
  { sql }: Database,
  ids: readonly string[],
): Promise<BankAccountRow[]> =>
  await sql<BankAccountRow[]>`select * from bank_accounts where id = any(${ids as string[]})`;

/** The accounts that operators look at, by number; at most 500. */
export const listBankAccounts = async ({ sql }: Database): Promise<BankAccountRow[]> =>
  await sql<BankAccountRow[]>`select * from bank_accounts order by bank_code, account_no limit 500`;

/** The accounts that could take a deposit in a currency, in a fixed order. */
export const findRoutableAccounts = async (
  { sql }: Database,
  currencyCode: string,
): Promise<BankAccountRow[]> =>
  await sql<BankAccountRow[]>`
    select * from bank_accounts
    where currency_code = ${currencyCode}::char(3) and status = 'ACTIVE' order by id`;

/** What is known of an account while one of its transfers is being recorded. */
export interface LockedAccount {
  readonly id: string;
  readonly currencyCode: string;
  readonly status: AccountStatus;
  readonly bankBalance: Money | null;
  readonly bankBalanceAt: Date | null;
}

/** Takes the account's row for the rest of the transaction, so that its transfers are recorded one by one. */
export async function lockBankAccount(
  tx: Transaction,
  id: string,
): Promise<LockedAccount | undefined> {
  const [row] = await tx<(Omit<LockedAccount, 'bankBalance'> & { bankBalance: string | null })[]>`
    select id, currency_code, status, bank_balance, bank_balance_at
    from bank_accounts where id = ${id} for no key update`;
  return row && { ...row, bankBalance: row.bankBalance === null ? null : money(row.bankBalance) };
}

/** Notes the balance that the bank told with its newest transfer. */
export async function noteBankBalance(
  tx: Transaction,
  id: string,
  balance: Money,
  bankTime: Date,
): Promise<void> {
  await tx`
    update bank_accounts set bank_balance = ${balance.toFixed()}, bank_balance_at = ${bankTime}
    where id = ${id}`;
}
