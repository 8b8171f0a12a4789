import type { Database } from './client';

/** How much work waits for people, each at most `most`; null for what a restricted operator may not count. */
export interface QueueCounts {
  readonly unmatchedTransfers: number | null;
  readonly parkedOutboxRows: number;
  readonly failedCallbacks: number;
  readonly openChanges: number;
  readonly openAlerts: number;
  readonly pendingWithdrawals: number;
  readonly interventions: number;
  readonly manualTasks: number;
  readonly openReturns: number;
  readonly lateReceipts: number;
}

/** Counts the work that waits. @param merchantIds only of these merchants; null: all */
export async function countQueues(
  { sql }: Database,
  merchantIds: readonly string[] | null,
  most: number,
): Promise<QueueCounts> {
  const ids = merchantIds as string[] | null;
  const of = (column: string) => (ids === null ? sql`` : sql`and ${sql(column)} = any(${ids}::uuid[])`);
  const codes =
    ids === null
      ? sql``
      : sql`and arguments ->> 'merchantCode' in (select merchant_code from merchants where id = any(${ids}::uuid[]))`;
  const [row] = await sql<QueueCounts[]>`
    select
      ${
        ids === null
          ? sql`(select count(*)::int from (
              select from bank_transfers where unmatched_reason is not null limit ${most}) t)`
          : sql`null::int`
      } as unmatched_transfers,
      (select count(*)::int from (
        select from outbox where parked_at is not null ${codes} limit ${most}) o) as parked_outbox_rows,
      (select count(*)::int from (
        select from notification_logs where status = 'FAILED' ${of('merchant_id')} limit ${most}) n)
        as failed_callbacks,
      (select count(*)::int from (
        select from change_requests where status = 'PROPOSED' ${of('merchant_id')} limit ${most}) c)
        as open_changes,
      (select count(*)::int from (
        select from alerts where acknowledged_at is null ${of('merchant_id')} limit ${most}) a) as open_alerts,
      (select count(*)::int from (
        select from withdrawal_orders where status = 'PENDING' ${of('merchant_id')} limit ${most}) w)
        as pending_withdrawals,
      (select count(*)::int from (
        select from withdrawal_orders where needs_manual_intervention ${of('merchant_id')} limit ${most}) w)
        as interventions,
      (select count(*)::int from (
        select from payout_attempts p join withdrawal_orders w on w.id = p.withdrawal_id
        where p.status in ('OPEN', 'CLAIMED', 'SENDING') ${of('w.merchant_id')} limit ${most}) t)
        as manual_tasks,
      (select count(*)::int from (
        select from payer_returns where ended_at is null ${of('merchant_id')} limit ${most}) r) as open_returns,
      (select count(*)::int from (
        select from late_receipts l join deposit_attempts a on a.id = l.attempt_id
        join deposit_orders d on d.id = a.deposit_id
        where l.ended_at is null ${of('d.merchant_id')} limit ${most}) l) as late_receipts`;
  if (!row) throw new Error('nothing was counted');
  return row;
}
