import type { Money } from '../../domain/money';
import { money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { closeItems, dayCloses } from '../schema/day-closes';

/** A day of an account or a channel, our books beside the bank's or the channel's figure. */
export type CloseRow = RowOf<typeof dayCloses>;
/** The difference of a closed day, until an operator explains it. */
export type CloseItemRow = RowOf<typeof closeItems>;

/** In our own types. */
export const closeOf = rowReader<CloseRow>(amountFieldsOf(dayCloses));
/** In our own types. */
export const itemOf = rowReader<CloseItemRow>(amountFieldsOf(closeItems));

type Sql = Database['sql'] | Transaction;

/** Proposes to close the days that have ended. @returns how many are new */
export async function proposeCloses({ sql }: Database, limit: number, now: Date): Promise<number> {
  const [row] = await sql<{ proposed: number }[]>`
    select propose_closes(${now}, ${limit}) as proposed`;
  return row?.proposed ?? 0;
}

/** One day. */
export async function findClose(sql: Sql, id: string): Promise<CloseRow | undefined> {
  const [row] = await sql<Raw<CloseRow>[]>`select * from day_closes where id = ${id}`;
  return row && closeOf(row);
}

/** Updates a proposed day with what was posted and reported since. */
export async function refreshClose(sql: Sql, id: string): Promise<void> {
  await sql`select refresh_close(${id})`;
}

/** Why a day cannot be closed. */
export type CloseRefusal = 'CLOSED_ALREADY' | 'NOT_ENDED' | 'EARLIER_OPEN';

/** Closes a day. @returns why not, or null */
export async function closeDay(
  tx: Transaction,
  id: string,
  { by, ownerId, reason, now }: { by: string; ownerId: string; reason: string; now: Date },
): Promise<CloseRefusal | null> {
  const [row] = await tx<{ refusal: CloseRefusal | null }[]>`
    select close_day(${id}, ${by}, ${reason}, ${ownerId}, ${now}) as refusal`;
  return row?.refusal ?? null;
}

/** The items of several closed days. */
export async function findItemsOfCloses({ sql }: Database, closeIds: readonly string[]): Promise<CloseItemRow[]> {
  const rows = await sql<Raw<CloseItemRow>[]>`
    select * from close_items where close_id = any(${closeIds as string[]})`;
  return rows.map(itemOf);
}

/** One item, locked. */
export async function lockItem(tx: Transaction, id: string): Promise<CloseItemRow | undefined> {
  const [row] = await tx<Raw<CloseItemRow>[]>`
    select * from close_items where id = ${id} for no key update`;
  return row && itemOf(row);
}

/** Assigns an item. */
export async function ownItem(tx: Transaction, id: string, ownerId: string): Promise<void> {
  await tx`update close_items set owner_id = ${ownerId} where id = ${id} and ended_at is null`;
}

/** Ends an item whose difference is explained. @returns false if it was ended before */
export async function endItem(
  tx: Transaction,
  id: string,
  { by, note, now }: { by: string; note: string; now: Date },
): Promise<boolean> {
  const rows = await tx`
    update close_items set ended_by = ${by}, ended_at = ${now}, note = ${note}
    where id = ${id} and ended_at is null returning 1`;
  return rows.length === 1;
}

/** A balance at a bank or a channel by our books: what we have is positive. */
export interface BookBalance {
  /** The ledger's account, `bank:…` or `channel:…`. */
  readonly account: string;
  readonly currencyCode: string;
  readonly balance: Money;
}

/** The balances of several accounts by our books. */
export async function findBookBalances({ read: sql }: Database, accounts: readonly string[]): Promise<BookBalance[]> {
  const rows = await sql<(Omit<BookBalance, 'balance'> & { balance: string })[]>`
    select account, currency_code, (-sum(credits + debits))::text as balance from account_amounts()
    where account = any(${accounts as string[]}) group by 1, 2 order by 2`;
  return rows.map((row) => ({ ...row, balance: money(row.balance) }));
}

/** The balance that a bank reported last, and when. */
export interface BankBalance {
  readonly id: string;
  readonly balance: Money | null;
  readonly at: Date | null;
}

/** The balances that banks reported last of several accounts. */
export async function findBankBalances({ sql }: Database, ids: readonly string[]): Promise<BankBalance[]> {
  const rows = await sql<{ id: string; balance: string | null; at: Date | null }[]>`
    select id, bank_balance as balance, bank_balance_at as at from bank_accounts
    where id = any(${ids as string[]})`;
  return rows.map((row) => ({ ...row, balance: row.balance === null ? null : money(row.balance) }));
}
