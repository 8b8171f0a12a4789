import type { Fragment, Sql } from 'postgres';
import type { AccountKind, Posting, TransferType } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { type Proof, type ProofScope, prove } from '../proof/prove';
import type { Discrepancy } from '../proof/rule';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { ledgerEntries, type ledgerTransfers, merchantBalances } from '../schema/ledger';
import { accountsOf, amountsOf } from './postings';

/**
 * A merchant's money in one currency, four decimals. `version` rises with each posting; while `receivable`, what the
 * merchant owes us, is above zero nothing is available.
 */
export type BalanceRow = RowOf<typeof merchantBalances> & { readonly total: Money };

const readBalance = rowReader<BalanceRow>(amountFieldsOf(merchantBalances));

/** A merchant's balances: every enabled currency, zeros included, and any other that is not zero; by currency. */
export async function findBalances({ sql }: Database, merchantIds: readonly string[]): Promise<BalanceRow[]> {
  const rows = await sql<(Omit<Raw<BalanceRow>, 'version'> & { readonly version: string })[]>`
    select b.* from merchant_balances b
    join merchant_currencies c using (merchant_id, currency_code)
    where b.merchant_id = any(${merchantIds as string[]})
      and (c.enabled or b.available <> 0 or b.frozen <> 0 or b.receivable <> 0)
    order by b.currency_code`;
  return rows.map((row) => readBalance({ ...row, version: Number(row.version) }));
}

/**
 * Posts one transfer. @returns false if its key was posted before
 * A balance below zero violates merchant_balances_never_negative.
 */
export async function postTransfer(
  tx: Transaction,
  transfer: {
    readonly type: TransferType;
    /** Names the business event, so that it posts once. */
    readonly key: string;
    readonly currencyCode: string;
    readonly orderId: string | null;
    readonly bankTransferId: string | null;
    readonly postings: readonly Posting[];
    readonly now: Date;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select post_transfer(${transfer.type}, ${transfer.key}, ${transfer.currencyCode}::char(3),
      ${transfer.orderId}, ${transfer.bankTransferId}, ${transfer.now},
      ${accountsOf(transfer.postings)}, ${amountsOf(transfer.postings)}::numeric[]) as done`;
  return row?.done ?? false;
}

type Entry = Omit<RowOf<typeof ledgerEntries>, 'version'>;
/** A posted line with its transfer. Credit positive, debit negative, four decimals. */
export type LedgerEntryRow = Entry & Pick<RowOf<typeof ledgerTransfers>, 'type' | 'at' | 'orderId' | 'bankTransferId'>;

/** As PostgreSQL returns it. */
export type RawEntry = Raw<LedgerEntryRow>;
/** In our own types. */
export const entryOf = rowReader<LedgerEntryRow>(amountFieldsOf(ledgerEntries));

/** The ledger's lines about these deposits: of their credits and of the bank transfers that paid them, as posted. */
export async function findEntriesOfDeposits(
  { sql }: Database,
  depositIds: readonly string[],
): Promise<(LedgerEntryRow & { readonly depositId: string })[]> {
  const rows = await sql<(RawEntry & { depositId: string })[]>`
    with about as (
      select t.id, t.order_id as deposit_id from ledger_transfers t
      where t.order_id = any(${depositIds as string[]})
      union
      select t.id, a.deposit_id from transfer_allocations a
      join ledger_transfers t on t.key = 'bank-credit:' || a.transfer_id
      where a.deposit_id = any(${depositIds as string[]})
    )
    select about.deposit_id, t.type, t.at, t.order_id, t.bank_transfer_id, e.*
    from about join ledger_transfers t using (id) join ledger_entries e on e.transfer_id = t.id
    order by t.at, t.id, e.line`;
  return rows.map(({ depositId, ...row }) => ({ ...entryOf(row), depositId }));
}

/** The trial balance: the balance of each account of the chart, per currency. Sums to zero. */
export async function trialBalance({
  read,
}: Database): Promise<{ account: string; currencyCode: string; balance: Money }[]> {
  const rows = await read<{ account: string; currencyCode: string; balance: string }[]>`
    select account, currency_code, sum(credits + debits)::text as balance from account_amounts()
    group by account, currency_code order by currency_code, account`;
  return rows.map((row) => ({ ...row, balance: money(row.balance) }));
}

/** The kind of the account in column `account`. */
export const kindOfAccount = (sql: Sql): Fragment => sql`
  upper(case when account like 'merchant:%' then 'merchant_' || split_part(account, ':', 3)
    else split_part(account, ':', 1) end)`;

/** The sums of credits and debits of all accounts of one kind, in one currency. */
export interface KindBalance {
  readonly currencyCode: string;
  readonly kind: AccountKind;
  /** Above zero or zero. */
  readonly credits: Money;
  /** Below zero or zero. */
  readonly debits: Money;
  /** credits + debits. */
  readonly balance: Money;
}

/** The trial balance by kind of account: per currency credits and debits are equal, and the balances sum to zero. */
export async function trialBalanceByKind({ read }: Database): Promise<KindBalance[]> {
  const rows = await read<{ currencyCode: string; kind: AccountKind; credits: string; debits: string }[]>`
    select currency_code,
      ${kindOfAccount(read)} as kind,
      sum(credits)::text as credits, sum(debits)::text as debits
    from account_amounts() group by 1, 2 order by 1, 2`;
  return rows.map(({ currencyCode, kind, ...row }) => {
    const [credits, debits] = [money(row.credits), money(row.debits)];
    return { currencyCode, kind, credits, debits, balance: credits.plus(debits) };
  });
}

/** Proves the books during traffic (db/proof). @returns what does not add up, and how much was checked */
export async function proveBooks(
  { transaction }: Database,
  scope: ProofScope = {},
  onChunk?: () => void,
): Promise<Proof> {
  return await transaction(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`set local jit = off`;
    return await prove(tx, scope, onChunk);
  }, 'isolation level read committed read only');
}

/** Everything in the books that does not add up. */
export const verifyLedger = async (database: Database): Promise<readonly Discrepancy[]> =>
  (await proveBooks(database)).discrepancies;
