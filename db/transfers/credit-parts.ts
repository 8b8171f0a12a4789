import type { Warrant } from '../../domain/authority/warrant';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';

/** A part of a bank credit that pays a deposit. */
export interface CreditPart {
  readonly transferId: string;
  readonly depositId: string;
  readonly amount: Money;
  /** The deposit's charge on its first part, zero on the others. */
  readonly fee: Money;
}

/**
 * PENDING → MATCHED for one or several deposits, by parts of one or several bank credits, all or none.
 * @returns null, or why nothing was written: USED if a part is used already
 */
export async function matchParts(
  tx: Transaction,
  _warrant: Warrant<'combineTransfers' | 'splitTransfer'>,
  parts: readonly CreditPart[],
  { actor, reason, now }: { readonly actor: string; readonly reason: string; readonly now: Date },
): Promise<string | null> {
  const [row] = await tx<{ refusal: string | null }[]>`
    select match_parts(${parts.map(({ transferId }) => transferId)}::uuid[],
      ${parts.map(({ depositId }) => depositId)}::uuid[],
      ${parts.map(({ amount }) => amount.toFixed())}::numeric[], ${parts.map(({ fee }) => fee.toFixed())}::numeric[],
      ${actor}, ${reason}, ${now}) as refusal`;
  return row?.refusal ?? null;
}

/** A deposit that a bank credit pays now. */
export interface PaidPart {
  readonly transferId: string;
  readonly depositId: string;
  readonly orderNo: string;
  readonly merchantId: string;
  /** The part of the credit, in its currency. */
  readonly amount: Money;
}

/** The deposits that each of several bank credits pays now. */
export async function findPaidParts({ sql }: Database, transferIds: readonly string[]): Promise<PaidPart[]> {
  const rows = await sql<(Omit<PaidPart, 'amount'> & { readonly amount: string })[]>`
    select a.transfer_id, a.deposit_id, d.order_no, d.merchant_id, coalesce(a.amount, t.amount)::text as amount
    from transfer_allocations a
    join bank_transfers t on t.id = a.transfer_id
    join deposit_orders d on d.id = a.deposit_id
    where a.transfer_id = any(${transferIds as string[]}) and a.released_at is null
    order by a.at, a.id`;
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}
