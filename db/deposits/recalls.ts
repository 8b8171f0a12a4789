import { money, type Money, ZERO } from '../../domain/money';
import type { DepositStatus } from '../../domain/deposit';
import type { Posting } from '../../domain/ledger';
import type { Database, Transaction } from '../client';
import type { UseRefusal } from '../ledger/operator-postings';
import { accountsOf, amountsOf } from '../ledger/postings';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { depositRecalls } from '../schema/recalls';

/** A recall of a completed deposit, and the ledger accounts that it debits. */
export type RecallRow = RowOf<typeof depositRecalls>;
const recallOf = rowReader<RecallRow>(amountFieldsOf(depositRecalls));

/** What recalling a deposit needs. */
export interface RecallCase {
  readonly id: string;
  readonly orderNo: string;
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly status: DepositStatus;
  /** Received; zero until completed. */
  readonly amount: Money;
  /** The managed account that received it; null if nothing was received. */
  readonly accountId: string | null;
  /** The part that this account received; others received the rest. */
  readonly cameThere: Money;
  readonly recalled: boolean;
}

const recallCaseOf = rowReader<RecallCase>({ amount: true, cameThere: true });

/**
 * A deposit as its recall needs it. Of the accounts that received its money: the one of the named debit, else that of
 * the largest part.
 */
export async function findRecallCase(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  key: { readonly id: string } | { readonly orderNo: string },
  debitId: string | null = null,
): Promise<RecallCase | undefined> {
  const named = 'id' in key ? sql`d.id = ${key.id}` : sql`d.order_no = ${key.orderNo}`;
  const [row] = await sql<Raw<RecallCase>[]>`
    select d.id, d.order_no, d.merchant_id, d.currency_code, d.status, d.actual_amount as amount, t.account_id,
      d.actual_amount - coalesce((
        select sum(coalesce(a.amount, o.amount))
        from transfer_allocations a join bank_transfers o on o.id = a.transfer_id
        where a.deposit_id = d.id and a.released_at is null and o.account_id <> t.account_id), 0) as came_there,
      exists (select from deposit_recalls r where r.deposit_id = d.id) as recalled
    from deposit_orders d
    left join lateral (
      select t.account_id from transfer_allocations a join bank_transfers t on t.id = a.transfer_id
      where a.deposit_id = d.id and a.released_at is null
      order by (t.account_id = (select account_id from bank_debits where id = ${debitId})) desc nulls last,
        coalesce(a.amount, t.amount) desc, t.id limit 1) t on true
    where ${named}`;
  return row && recallCaseOf(row);
}

/** The same, its row locked: recalls of one deposit wait for one another. */
export async function lockRecallCase(
  tx: Transaction,
  id: string,
  debitId: string | null = null,
): Promise<RecallCase | undefined> {
  await tx`select from deposit_orders where id = ${id} for no key update`;
  // A separate statement, so that it sees what others committed before we got the lock.
  return await findRecallCase({ sql: tx }, { id }, debitId);
}

/** The hold of a deposit's credit. Locks its row: it is released or recalled, never both. */
export async function lockHeld(tx: Transaction, depositId: string): Promise<Money> {
  const [row] = await tx<{ amount: string }[]>`
    select amount from held_credits
    where deposit_id = ${depositId} and released_at is null and recalled_at is null for no key update`;
  return row ? money(row.amount) : ZERO;
}

/** A merchant's available balance in a currency. Locks its row. */
export async function lockAvailable(tx: Transaction, merchantId: string, currencyCode: string): Promise<Money> {
  const [row] = await tx<{ available: string }[]>`
    select available from merchant_balances
    where merchant_id = ${merchantId} and currency_code = ${currencyCode} for no key update`;
  return row ? money(row.available) : ZERO;
}

/** Debits the merchant of a recalled deposit, with ledger transfer and event. @returns whether this call did it */
export async function recallDeposit(
  tx: Transaction,
  recall: Omit<RecallRow, 'amount' | 'bankDebitId'> & { readonly postings: readonly Posting[] },
): Promise<boolean> {
  const r = recall;
  const [row] = await tx<{ done: boolean }[]>`
    select recall_deposit(${r.depositId}, ${r.changeId}, ${r.accountId}, ${r.fromHeld.toFixed()},
      ${r.fromAvailable.toFixed()}, ${r.owed.toFixed()}, ${accountsOf(r.postings)}, ${amountsOf(r.postings)}::numeric[], ${r.reason},
      ${r.at}) as done`;
  return row?.done ?? false;
}

/** Records the bank debit of a recall. @returns null, or why it is not this one */
export async function linkRecallDebit(
  tx: Transaction,
  link: {
    readonly depositId: string;
    readonly debitId: string;
    readonly actor: string;
    readonly now: Date;
  },
): Promise<UseRefusal | null> {
  const [row] = await tx<{ refusal: UseRefusal | null }[]>`
    select link_recall_debit(${link.depositId}, ${link.debitId}, ${link.actor}, ${link.now}) as refusal`;
  return row?.refusal ?? null;
}

/** The recalls of several deposits; most have none. */
export async function findRecalls({ sql }: Database, depositIds: readonly string[]): Promise<RecallRow[]> {
  const rows = await sql<Raw<RecallRow>[]>`
    select * from deposit_recalls where deposit_id = any(${depositIds as string[]})`;
  return rows.map(recallOf);
}
