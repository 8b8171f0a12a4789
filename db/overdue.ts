import type { DepositStatus } from '../domain/deposit';
import type { Database } from './client';

/** The position of a scan over overdue rows. */
export interface Place {
  readonly id: string;
  /** The value by which the scan is ordered: `expire_at` of deposits, `next_attempt_at` of callbacks. */
  readonly at: Date;
}

/** One step of a scan over overdue rows. */
export interface OverdueStep {
  /** Rows that should have changed before this are overdue. */
  readonly overdueBefore: Date;
  /** Orders with an outbox row that was parked after this are skipped: Temporal would refuse another one, too. */
  readonly parkedAfter: Date;
  /** The last row of the previous step, so that a scan reads each row once; null for the first step. */
  readonly after: Place | null;
  readonly limit: number;
  readonly now: Date;
}

/** A deposit that was woken again. */
export interface OverdueDeposit extends Place {
  readonly orderNo: string;
  readonly status: Extract<DepositStatus, 'PENDING' | 'MATCHED'>;
}

/** Wakes deposits that are PENDING past their expiry or MATCHED for long, unless an outbox row does so already. */
export const wakeOverdueDeposits = async (
  { sql }: Database,
  { overdueBefore, parkedAfter, after, limit, now }: OverdueStep,
): Promise<OverdueDeposit[]> =>
  await sql<OverdueDeposit[]>`
    select id, expire_at as at, order_no, status
    from wake_overdue_deposits(${overdueBefore}, ${parkedAfter}, ${after?.at ?? null}, ${after?.id ?? null},
      ${limit}, ${now})`;

/** A cashier session that was woken again. */
export interface OverdueSession extends Place {
  readonly merchantOrderNo: string;
}

/** Wakes cashier sessions that are PENDING past their expiry, unless an outbox row does so already. */
export const wakeOverdueSessions = async (
  { sql }: Database,
  { overdueBefore, parkedAfter, after, limit, now }: OverdueStep,
): Promise<OverdueSession[]> =>
  await sql<OverdueSession[]>`
    select id, expire_at as at, merchant_order_no
    from wake_overdue_cashier_sessions(${overdueBefore}, ${parkedAfter}, ${after?.at ?? null},
      ${after?.id ?? null}, ${limit}, ${now})`;

/** A withdrawal that was woken again. */
export interface OverdueWithdrawal {
  readonly orderNo: string;
  /** A person must resolve its payout: its channel is queried again, and the order does not count as overdue. */
  readonly needsManualIntervention: boolean;
}

/**
 * Wakes withdrawals without an attempt under way that should have changed without a person, unless an outbox row does so
 * already.
 */
export const wakeUnmovedWithdrawals = async (
  { sql }: Database,
  { overdueBefore, parkedAfter, after, limit, now }: OverdueStep,
): Promise<(OverdueWithdrawal & Place)[]> =>
  await sql<(OverdueWithdrawal & Place)[]>`
    select id, created_at as at, order_no, needs_manual_intervention
    from wake_unmoved_withdrawals(${overdueBefore}, ${parkedAfter}, ${after?.at ?? null},
      ${after?.id ?? null}, ${limit}, ${now})`;

/** One step of a scan over silent payouts: each that it finds is silent no more, so it needs no place. */
export interface SilentStep extends Pick<OverdueStep, 'parkedAfter' | 'limit' | 'now'> {
  /** A prepared payout that has not changed since is silent; one that was sent, its channel's timeout earlier. */
  readonly silentBefore: Date;
  /** The same for one that a person must resolve. */
  readonly unresolvedBefore: Date;
}

/** Wakes the workflows of channels' payouts that are silent, unless an outbox row does so already. */
export const wakeSilentPayouts = async (
  { sql }: Database,
  { silentBefore, unresolvedBefore, parkedAfter, limit, now }: SilentStep,
): Promise<OverdueWithdrawal[]> =>
  await sql<OverdueWithdrawal[]>`
    select order_no, needs_manual_intervention
    from wake_silent_payouts(${silentBefore}, ${unresolvedBefore}, ${parkedAfter}, ${limit}, ${now})`;

/** Wakes the workflows of payouts that a channel contradicted and that were not queried since. */
export const wakeDoubtedPayouts = async (
  { sql }: Database,
  { parkedAfter, limit, now }: Pick<SilentStep, 'parkedAfter' | 'limit' | 'now'>,
): Promise<{ readonly orderNo: string }[]> =>
  await sql<{ orderNo: string }[]>`
    select order_no from wake_doubted_payouts(${parkedAfter}, ${limit}, ${now})`;

/** Payouts of one state that have been open for too long. */
export interface LatePayouts {
  readonly state: string;
  readonly orders: number;
  /** The order of the oldest of them. */
  readonly orderNo: string;
}

/**
 * Payouts that do not wait for a person and have been open for too long. @param atMostSeconds how long they may be
 * open, by state
 */
export const findLatePayouts = async (
  { sql }: Database,
  atMostSeconds: Readonly<Record<string, number>>,
  now: Date,
): Promise<LatePayouts[]> =>
  await sql<LatePayouts[]>`
    select state, count(*)::int as orders, (array_agg(order_no order by since))[1] as order_no
    from (
      select w.order_no, coalesce(a.status, 'UNROUTED') as state, coalesce(a.created_at, w.approved_at) as since
      from withdrawal_orders w
      left join payout_attempts a on a.withdrawal_id = w.id and a.finished_at is null
      where w.status = 'APPROVED' and not w.needs_manual_intervention
    ) open
    where since <= ${now}::timestamptz
      - make_interval(secs => (${sql.json(atMostSeconds)}::jsonb ->> state)::float8)
    group by state`;

/** A callback that was woken again. */
export interface OverdueCallback extends Place {
  readonly orderNo: string;
  readonly notificationType: string;
}

/** Wakes callbacks whose next attempt is overdue, unless an outbox row does so already. */
export const wakeOverdueCallbacks = async (
  { sql }: Database,
  { overdueBefore, parkedAfter, after, limit, now }: OverdueStep,
): Promise<OverdueCallback[]> =>
  await sql<OverdueCallback[]>`
    select id, next_attempt_at as at, order_no, notification_type
    from wake_overdue_callbacks(${overdueBefore}, ${parkedAfter}, ${after?.at ?? null}, ${after?.id ?? null},
      ${limit}, ${now})`;

/** A callback whose attempt never recorded its outcome. */
export interface InterruptedCallback {
  readonly orderNo: string;
  readonly notificationType: string;
  /** The number of the interrupted attempt, which stays counted. */
  readonly attemptCount: number;
}

/** SENDING → WAITING_RETRY for attempts that were claimed before `claimedBefore` and whose lease is over. */
export const sweepCallbacks = async (
  { sql }: Database,
  claimedBefore: Date,
  limit: number,
  now: Date,
): Promise<InterruptedCallback[]> =>
  await sql<InterruptedCallback[]>`
    select order_no, notification_type, attempt_count
    from sweep_callbacks(${claimedBefore}, ${limit}, ${now})`;
