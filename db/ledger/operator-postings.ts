import type { Posting } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { operatorPostings } from '../schema/operator-postings';
import { accountsOf, amountsOf } from './postings';

/** A posting by operators. Amounts in its currency, four decimals; times UTC. */
export type OperatorPostingRow = RowOf<typeof operatorPostings>;

/** In our own types. */
export const operatorPostingOf = rowReader<OperatorPostingRow>(amountFieldsOf(operatorPostings));

/** A posting to be made. */
export type NewPosting = Omit<OperatorPostingRow, 'reversedAt' | 'reversalChangeId' | 'reversalOwed'>;

/** Why the credit or debit cannot be used: too little is left, or it belongs to something else. */
export type UseRefusal =
  | ('NO_TRANSFER' | 'NO_DEBIT' | 'NO_DEPOSIT' | 'NO_PAIR' | 'NO_RECEIPT')
  | ('OTHER_CURRENCY' | 'OTHER_ACCOUNT' | 'USED');

/** Posts it, and uses that much of its credit or debit. @returns null, or why nothing was posted */
export async function postByOperators(
  tx: Transaction,
  posting: NewPosting,
  lines: readonly Posting[],
): Promise<UseRefusal | null> {
  const [row] = await tx<{ refusal: UseRefusal | null }[]>`
    select post_by_operators(${tx.json(columnsOf(posting))}::jsonb, ${accountsOf(lines)},
      ${amountsOf(lines)}::numeric[]) as refusal`;
  if (!row) throw new Error('post_by_operators said nothing');
  return row.refusal;
}

/**
 * Refuses what would use a payment twice, as the posting itself does under its locks: for a proposal.
 * @param of the bank credit with the order that it is for, or what a channel received late
 */
export async function refusePaid(
  { sql }: Database,
  of:
    | {
        readonly bankTransferId: string;
        readonly depositIds: readonly string[];
        readonly late: boolean;
      }
    | { readonly depositAttemptId: string },
): Promise<void> {
  if ('depositAttemptId' in of) await sql`select refuse_banked(${of.depositAttemptId})`;
  else await sql`select refuse_paid(${of.bankTransferId}, ${of.depositIds as string[]}::uuid[], ${of.late})`;
}

/** One posting, its row locked, so that it is reversed once. */
export async function lockOperatorPosting(tx: Transaction, id: string): Promise<OperatorPostingRow | undefined> {
  const [row] = await tx<Raw<OperatorPostingRow>[]>`
    select * from operator_postings where id = ${id} for no key update`;
  return row && operatorPostingOf(row);
}

/**
 * Reverses a posting. @param owed the part that the merchant's balance does not cover @returns whether this call did it
 */
export async function reversePosting(
  tx: Transaction,
  reversal: {
    readonly id: string;
    readonly changeId: string;
    readonly owed: Money;
    readonly postings: readonly Posting[];
    readonly reason: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const { id, changeId, owed, postings, reason, now } = reversal;
  const [row] = await tx<{ done: boolean }[]>`
    select reverse_posting(${id}, ${changeId}, ${owed.toFixed()}, ${accountsOf(postings)},
      ${amountsOf(postings)}::numeric[], ${reason}, ${now}) as done`;
  return row?.done ?? false;
}

/** Several postings by their ids. */
export async function findOperatorPostings(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  ids: readonly string[],
): Promise<OperatorPostingRow[]> {
  const rows = await sql<Raw<OperatorPostingRow>[]>`
    select * from operator_postings where id = any(${ids as string[]})`;
  return rows.map(operatorPostingOf);
}

/** The postings of several change requests, in order. */
export async function findPostingsOfChanges(
  { sql }: Database,
  changeIds: readonly string[],
): Promise<OperatorPostingRow[]> {
  const rows = await sql<Raw<OperatorPostingRow>[]>`
    select * from operator_postings
    where change_id = any(${changeIds as string[]}) or reversal_change_id = any(${changeIds as string[]})
    order by at, id`;
  return rows.map(operatorPostingOf);
}

/** The postings about these credits, debits or orders, the oldest first. */
export async function findPostingsOf(
  { sql }: Database,
  by: 'bank_transfer_id' | 'bank_debit_id' | 'deposit_id' | 'withdrawal_id',
  ids: readonly string[],
): Promise<OperatorPostingRow[]> {
  const rows = await sql<Raw<OperatorPostingRow>[]>`
    select * from operator_postings where ${sql(by)} = any(${ids as string[]}) order by at, id`;
  return rows.map(operatorPostingOf);
}

/** When payouts came back: from a channel, or to an account. */
export const findReturnedPayouts = async (
  { sql }: Database,
  withdrawalIds: readonly string[],
): Promise<{ readonly id: string; readonly at: Date }[]> =>
  await sql<{ id: string; at: Date }[]>`
    select withdrawal_id as id, at from operator_postings
    where withdrawal_id = any(${withdrawalIds as string[]}) and reversed_at is null
    union all
    select a.withdrawal_id, f.at from payout_aftermaths f join payout_attempts a on a.id = f.attempt_id
    where a.withdrawal_id = any(${withdrawalIds as string[]}) and f.type = 'WITHDRAWAL_RETURNED'`;

/** The unused parts of these credits and debits. */
export async function findRests(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  of: 'transfer' | 'debit',
  ids: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  const rows = await sql<{ id: string; rest: string | null }[]>`
    select id, ${of === 'transfer' ? sql`transfer_rest(id)` : sql`debit_rest(id)`}::text as rest
    from unnest(${ids as string[]}::uuid[]) as asked(id)`;
  return new Map(rows.flatMap(({ id, rest }) => (rest === null ? [] : [[id, money(rest)]])));
}

/** The sum of an account of the chart, in one currency; credit positive. */
export async function findAccountSum(
  { sql }: { readonly sql: Transaction | Database['sql'] },
  account: string,
  currencyCode: string,
): Promise<Money> {
  const [row] = await sql<{ sum: string }[]>`
    select coalesce(sum(credits + debits), 0)::text as sum from account_amounts()
    where account = ${account} and currency_code = ${currencyCode}`;
  return money(row?.sum ?? '0');
}
