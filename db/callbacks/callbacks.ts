import type { NotificationStatus } from '../../domain/callback';
import { LIMITS } from '../../domain/limits';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { callbackAttempts, notificationLogs } from '../schema/callbacks';

/** One callback to a merchant (contract, "NotificationLog"). */
export type NotificationRow = RowOf<typeof notificationLogs>;

/** One attempt at a callback; `endedAt` is null while under way, and stays null if it was interrupted. */
export type CallbackAttemptRow = RowOf<typeof callbackAttempts>;

/** A callback and its merchant's delivery settings. */
export interface NotificationCase extends NotificationRow {
  readonly allowInsecureCallbacks: boolean;
  readonly callbackHosts: readonly string[] | null;
  readonly callbackTimeoutSeconds: number;
  readonly webhookSslVerify: boolean;
}

/** A callback with everything that an attempt needs. */
export async function findNotificationCase({ sql }: Database, id: string): Promise<NotificationCase | undefined> {
  const [row] = await sql<NotificationCase[]>`
    select n.*, m.allow_insecure_callbacks, m.callback_hosts, m.callback_timeout_seconds,
      m.webhook_ssl_verify
    from notification_logs n join merchants m on m.id = n.merchant_id where n.id = ${id}`;
  return row;
}

/**
 * Ends a callback whose attempts are used, although the last one never recorded its outcome. Not during an attempt, nor
 * after an operator's resend.
 */
export async function failCallback(
  { sql }: Database,
  { id, generation }: Pick<NotificationRow, 'id' | 'generation'>,
  error: string,
  dueBy: Date,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    with ended as (
      update notification_logs
      set status = 'FAILED', lease_until = null, next_attempt_at = null, last_error = ${error},
        updated_at = ${now}
      where id = ${id} and generation = ${generation}
        and (status = 'WAITING_RETRY' or (status = 'SENDING' and lease_until <= ${dueBy}))
      returning *
    )
    select append_event(order_id, split_part(notification_type, '_', 1), 'callback_failed', 'system',
      jsonb_build_object('notificationType', notification_type, 'error', last_error), ${now}) from ended`;
  return rows.length === 1;
}

/**
 * Makes a callback wait for its merchant's next key: WAITING_RETRY, without counting an attempt. @returns false if a
 * key came meanwhile, or the row has changed
 */
export async function awaitKey(
  { sql }: Database,
  { id, generation }: Pick<NotificationRow, 'id' | 'generation'>,
  dueBy: Date,
  now: Date,
): Promise<boolean> {
  const [row] = await sql<{ waits: boolean }[]>`
    select await_key(${id}, ${generation}, ${dueBy}, ${now}) as waits`;
  return row?.waits ?? false;
}

/** The signature of an attempt. */
export interface AttemptSignature {
  readonly apiKeyId: string;
  readonly signature: string;
}

/**
 * Claims the next attempt: counted before anything is sent, so that a crash counts too.
 * @param seen the row for which the signature was made: if it was resent meanwhile, the caller reads it again
 * @param leaseUntil the end of the caller's lease: no other attempt starts before
 * @param dueBy `now` plus the most that clocks may differ
 * @returns undefined if there is nothing to attempt now: final, not due, all five attempts used, or claimed by another
 * worker
 */
export async function claimAttempt(
  { sql }: Database,
  seen: Pick<NotificationRow, 'id' | 'generation' | 'attemptCount'>,
  signed: AttemptSignature,
  leaseUntil: Date,
  dueBy: Date,
  now: Date,
): Promise<{ generation: number; attempt: number } | undefined> {
  const [row] = await sql<{ generation: number; attempt: number }[]>`
    with claimed as (
      update notification_logs
      set status = 'SENDING', attempt_count = attempt_count + 1, total_attempts = total_attempts + 1,
        next_attempt_at = null, waits_for_key = false, lease_until = ${leaseUntil}, signature = ${signed.signature},
        api_key_id = ${signed.apiKeyId}, updated_at = ${now}
      where id = ${seen.id} and attempt_count < ${LIMITS.callbackAttempts}
        and generation = ${seen.generation} and attempt_count = ${seen.attemptCount}
        and ((status = 'WAITING_RETRY' and next_attempt_at <= ${dueBy})
          or (status = 'SENDING' and lease_until <= ${dueBy}))
      returning *
    )
    insert into callback_attempts (notification_id, generation, attempt, started_at)
    select id, generation, attempt_count, ${now}::timestamptz from claimed
    returning generation, attempt`;
  return row;
}

/**
 * Signs an attempt under way with another key, as its further attempts will be.
 * @returns false if it is not the newest attempt any more: the caller sends nothing
 */
export async function signAgain(
  { sql }: Database,
  notificationId: string,
  claim: { readonly generation: number; readonly attempt: number },
  signed: AttemptSignature,
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update notification_logs
    set signature = ${signed.signature}, api_key_id = ${signed.apiKeyId}, updated_at = ${now}
    where id = ${notificationId} and status = 'SENDING'
      and generation = ${claim.generation} and attempt_count = ${claim.attempt}`;
  return count === 1;
}

/** The outcome of an attempt. */
export interface AttemptOutcome {
  readonly notificationId: string;
  readonly generation: number;
  readonly attempt: number;
  readonly verdict: 'SUCCESS' | 'FAILED' | 'RETRY';
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  /** When the next attempt is due, unless all are used. */
  readonly nextAttemptAt: Date;
  readonly now: Date;
}

/**
 * Records an attempt's outcome. The row changes only if this is still its newest attempt. @returns the callback's
 * status
 */
export async function recordAttempt({ sql }: Database, o: AttemptOutcome): Promise<NotificationStatus | undefined> {
  const [row] = await sql<{ status: NotificationStatus }[]>`
    with attempt as (
      update callback_attempts
      set ended_at = ${o.now}, response_status = ${o.responseStatus}, response_body = ${o.responseBody},
        error = ${o.error}
      where notification_id = ${o.notificationId} and generation = ${o.generation} and attempt = ${o.attempt}
        and ended_at is null
    ), moved as (
      update notification_logs
      set status = case
          when ${o.verdict} = 'RETRY' and attempt_count < ${LIMITS.callbackAttempts} then 'WAITING_RETRY'
          when ${o.verdict} = 'SUCCESS' then 'SUCCESS' else 'FAILED' end,
        next_attempt_at = case
          when ${o.verdict} = 'RETRY' and attempt_count < ${LIMITS.callbackAttempts} then ${o.nextAttemptAt}::timestamptz end,
        lease_until = null, response_status = ${o.responseStatus}, response_body = ${o.responseBody},
        last_error = ${o.error}, updated_at = ${o.now}
      where id = ${o.notificationId} and generation = ${o.generation} and attempt_count = ${o.attempt}
        and status = 'SENDING'
      returning *
    ), logged as (
      select append_event(order_id, split_part(notification_type, '_', 1),
        case status when 'SUCCESS' then 'callback_delivered' when 'FAILED' then 'callback_failed'
          else 'callback_attempt_failed' end,
        'system',
        jsonb_strip_nulls(jsonb_build_object('notificationType', notification_type,
          'attempt', attempt_count, 'responseStatus', response_status, 'error', last_error)),
        ${o.now}) from moved
    )
    select moved.status from moved left join logged on true
    union all
    select status from notification_logs
    where id = ${o.notificationId} and not exists (select from moved)`;
  return row?.status;
}

/** Resends a callback: five more attempts. @returns false during an attempt */
export async function rearmCallback(
  tx: Transaction,
  id: string,
  actor: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select rearm_callback(${id}, ${actor}, ${reason}, ${now}) as done`;
  return row?.done ?? false;
}

/** One callback. */
export const findNotification = async ({ sql }: Database, id: string): Promise<NotificationRow | undefined> =>
  (await sql<NotificationRow[]>`select * from notification_logs where id = ${id}`)[0];

/** The callbacks of several orders, oldest first. */
export const findNotificationsOfOrders = async (
  { sql }: Database,
  orderIds: readonly string[],
): Promise<NotificationRow[]> =>
  await sql<NotificationRow[]>`
    select * from notification_logs where order_id = any(${orderIds as string[]}) order by id`;

/** The attempts at several callbacks, in order. */
export const findAttempts = async (
  { sql }: Database,
  notificationIds: readonly string[],
): Promise<CallbackAttemptRow[]> =>
  await sql<CallbackAttemptRow[]>`
    select * from callback_attempts where notification_id = any(${notificationIds as string[]})
    order by generation, attempt`;

/** Records the host of a callback; a new host of the merchant raises an alert. */
export async function noteCallbackHost(
  { sql }: Database,
  { merchantId, host, orderNo }: Pick<NotificationCase, 'merchantId' | 'orderNo'> & { readonly host: string },
  now: Date,
): Promise<void> {
  await sql`select note_callback_host(${merchantId}, ${host}, ${orderNo}, ${now})`;
}
