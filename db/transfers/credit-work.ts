import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { creditWork } from '../schema/bank-transfers';

/** The operator who works on a waiting bank credit, and notes about it. */
export type CreditWorkRow = { readonly id: string } & Omit<RowOf<typeof creditWork>, 'transferId'>;

/** The work on several bank credits, by their ids; without those that nobody has begun. */
export const findCreditWork = async ({ sql }: Database, transferIds: readonly string[]): Promise<CreditWorkRow[]> =>
  await sql<CreditWorkRow[]>`
    select transfer_id as id, owner_id, note, updated_at from credit_work
    where transfer_id = any(${transferIds as string[]})`;

/** Sets who works on a bank credit, and the note about it; undefined: unchanged. */
export async function putCreditWork(
  tx: Transaction,
  {
    transferId,
    ownerId,
    note,
    now,
  }: {
    readonly transferId: string;
    readonly ownerId: string | null | undefined;
    readonly note: string | null | undefined;
    readonly now: Date;
  },
): Promise<void> {
  await tx`
    insert into credit_work as w (transfer_id, owner_id, note, updated_at)
    values (${transferId}, ${ownerId ?? null}, ${note ?? null}, ${now})
    on conflict (transfer_id) do update set updated_at = excluded.updated_at,
      owner_id = case when ${ownerId !== undefined} then excluded.owner_id else w.owner_id end,
      note = case when ${note !== undefined} then excluded.note else w.note end`;
}

/**
 * Raises an alert for each bank credit that waits for an operator beyond its deadline, once. @param limit most alerts
 * of one call: the next call continues @returns how many are overdue, alerted before or not
 */
export async function alertOverdueCredits(
  { sql }: Database,
  receivedBefore: Date,
  limit: number,
  now: Date,
): Promise<number> {
  await sql`
    select raise_alert('CREDIT_OVERDUE', 'credit-overdue:' || t.id, null,
      jsonb_build_object('transferId', t.id, 'accountId', t.account_id,
        'reason', t.amount || ' ' || t.currency_code || ' has waited since ' || to_char(t.received_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'),
      ${now})
    from (
      select * from bank_transfers b
      where unmatched_reason is not null and received_at <= ${receivedBefore}
        and not exists (select from alerts where key = 'credit-overdue:' || b.id)
      order by received_at, id limit ${limit}
    ) t`;
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from bank_transfers
    where unmatched_reason is not null and received_at <= ${receivedBefore}`;
  return row?.waiting ?? 0;
}
