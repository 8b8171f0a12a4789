import type { AlertKind } from '../../domain/alert';
import type { DepositStatus } from '../../domain/deposit';
import { OPEN_PAYOUT_STATES, type OpenPayoutState } from '../../domain/overdue';
import type { Database } from '../client';
import { moneyCameAt } from '../deposits/credit-age';

/*
 * Totals of the database's present state, for the metrics. Each is one statement over an index of open rows or a small
 * table, on the pool for metrics. Amounts are numeric text in units of the currency.
 */

/** How many wait, and for how many seconds the first of them is overdue: 0 while none is. */
export interface Queue {
  readonly count: number;
  readonly overdueSeconds: number;
}

/** Deposits of one status and currency that are not final. */
export interface OpenDeposits extends Queue {
  readonly status: DepositStatus;
  readonly currencyCode: string;
  readonly amount: string;
}

/** Deposits that are not final. Overdue: PENDING beyond expire_at, MATCHED since their money came. */
export const readOpenDeposits = async ({ measure }: Database, now: Date): Promise<OpenDeposits[]> =>
  await measure<OpenDeposits[]>`
  select status, currency_code, count(*)::int as count, sum(amount)::text as amount,
    greatest(0, extract(epoch from ${now}::timestamptz
      - min(case status when 'MATCHED' then ${moneyCameAt(measure)} else expire_at end)))::float8 as overdue_seconds
  from deposit_orders d where status in ('PENDING', 'MATCHED') group by status, currency_code`;

/** The balances of all merchants together in one currency. */
export interface Balances {
  readonly currencyCode: string;
  readonly available: string;
  readonly frozen: string;
  /** What they owe the platform. */
  readonly receivable: string;
}

/** The balances of all merchants together. */
export const readBalances = async ({ measure }: Database): Promise<Balances[]> =>
  await measure<Balances[]>`
  select currency_code, sum(available)::text as available, sum(frozen)::text as frozen,
    sum(receivable)::text as receivable
  from merchant_balances group by currency_code`;

/** Bank credits of one currency that wait for an operator. */
export interface UnmatchedTransfers extends Queue {
  readonly currencyCode: string;
  readonly amount: string;
}

/** Bank credits that wait for an operator. Overdue: since they were recorded. */
export const readUnmatchedTransfers = async ({ measure }: Database, now: Date): Promise<UnmatchedTransfers[]> =>
  await measure<UnmatchedTransfers[]>`
  select currency_code, count(*)::int as count, sum(amount)::text as amount,
    greatest(0, extract(epoch from ${now}::timestamptz - min(received_at)))::float8 as overdue_seconds
  from bank_transfers where unmatched_reason is not null group by currency_code`;

/** Unacknowledged alerts of one kind. */
export interface OpenAlerts extends Queue {
  readonly kind: AlertKind;
}

/** Unacknowledged alerts. Overdue: since they were raised. */
export const readOpenAlerts = async ({ measure }: Database, now: Date): Promise<OpenAlerts[]> =>
  await measure<OpenAlerts[]>`
  select kind, count(*)::int as count,
    greatest(0, extract(epoch from ${now}::timestamptz - min(raised_at)))::float8 as overdue_seconds
  from alerts where acknowledged_at is null group by kind`;

/** Callbacks of one status that are not final. */
export interface OpenCallbacks extends Queue {
  readonly status: 'WAITING_RETRY' | 'SENDING';
}

/** Unfinished callbacks. Overdue: past the next attempt's time, or past the lease of the current one. */
export const readOpenCallbacks = async ({ measure }: Database, now: Date): Promise<OpenCallbacks[]> =>
  await measure<OpenCallbacks[]>`
  select 'WAITING_RETRY' as status, count(*)::int as count,
    greatest(0, extract(epoch from ${now}::timestamptz - min(next_attempt_at)))::float8 as overdue_seconds
  from notification_logs where status = 'WAITING_RETRY'
  union all
  select 'SENDING', count(*)::int,
    greatest(0, extract(epoch from ${now}::timestamptz - min(lease_until)))::float8
  from notification_logs where status = 'SENDING'`;

/** Payouts of approved withdrawals, of one state. */
export interface OpenPayouts extends Queue {
  readonly state: OpenPayoutState;
}

/** Payouts of approved withdrawals that have not ended. Overdue: since the attempt was made, or the approval. */
export const readOpenPayouts = async ({ measure }: Database, now: Date): Promise<OpenPayouts[]> =>
  await measure<OpenPayouts[]>`
  with open as (
    select coalesce(a.status, 'UNROUTED') as state, coalesce(a.created_at, w.approved_at) as since
    from withdrawal_orders w
    left join payout_attempts a on a.withdrawal_id = w.id and a.finished_at is null
    where w.status = 'APPROVED'
  )
  select state, count(since)::int as count,
    greatest(0, extract(epoch from ${now}::timestamptz - min(since)))::float8 as overdue_seconds
  from unnest(${OPEN_PAYOUT_STATES as readonly string[] as string[]}::text[]) as state left join open using (state)
  group by state`;

/** Outbox rows that are due, due later (leased by a relay, or to be retried), or parked. */
export interface OutboxRows extends Queue {
  readonly state: 'due' | 'later' | 'parked';
}

/** Outbox rows. Overdue: since they were written. */
export const readOutbox = async ({ measure }: Database, now: Date): Promise<OutboxRows[]> =>
  await measure<OutboxRows[]>`
  with sorted as (
    select created_at, case
      when parked_at is not null then 'parked' when due_at <= ${now} then 'due' else 'later' end as state
    from outbox
  )
  select state, count(created_at)::int as count,
    greatest(0, extract(epoch from ${now}::timestamptz - min(created_at)))::float8 as overdue_seconds
  from unnest(array['due', 'later', 'parked']) as state left join sorted using (state) group by state`;

/** Events that the relay has not numbered, so that no subscriber sees them. Overdue: since they happened. */
export const readUnpublishedEvents = async ({ measure }: Database, now: Date): Promise<Queue[]> =>
  await measure<Queue[]>`
  select count(*)::int as count,
    greatest(0, extract(epoch from ${now}::timestamptz - min(at)))::float8 as overdue_seconds
  from order_events where seq is null`;

/** Managed accounts of one status and currency. */
export interface BankAccounts {
  readonly status: string;
  readonly currencyCode: string;
  readonly count: number;
}

/** Managed accounts. */
export const readBankAccounts = async ({ measure }: Database): Promise<BankAccounts[]> =>
  await measure<BankAccounts[]>`
  select status, currency_code, count(*)::int as count from bank_accounts group by status, currency_code`;
