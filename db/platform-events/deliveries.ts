import type { AlertKind } from '../../domain/alert';
import { type DeliveryStatus, EVENT_ATTEMPTS, type PlatformEvent } from '../../domain/platform-event';
import type { Database, Transaction } from '../client';
import type { MailedAlert } from '../mails';
import type { RowOf } from '../rows';
import type { eventAttempts, eventDeliveries } from '../schema/platform-events';

/** An attempt at a delivery; `endedAt` is null while under way, and stays null if it was interrupted. */
export type EventAttemptRow = RowOf<typeof eventAttempts>;

/** A delivery and the event that it delivers. */
export interface EventDeliveryRow extends RowOf<typeof eventDeliveries> {
  readonly event: PlatformEvent;
  readonly merchantId: string | null;
  /** The billing statement or the alert that it reports. */
  readonly subjectId: string;
}

/** A delivery with everything that an attempt needs. */
export interface DeliveryCase extends EventDeliveryRow {
  readonly merchantCode: string | null;
  /** When what it reports happened. */
  readonly raisedAt: Date;
  /** A mail address, or the URL that the event has now. */
  readonly target: string;
  /** Whether the mail address is still one of the event's; for a webhook: whether the event has a URL. */
  readonly addressed: boolean;
  readonly sealedSecret: string | null;
  readonly secretId: string | null;
  readonly allowInsecure: boolean;
}

/** The deliveries of an event that are not final, the oldest first. */
export async function findOpenDeliveries({ sql }: Database, eventId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from event_deliveries
    where event_id = ${eventId} and status in ('WAITING_RETRY', 'SENDING') order by id`;
  return rows.map(({ id }) => id);
}

/** A delivery with everything that an attempt needs. A webhook goes to the URL in force, with that URL's secret. */
export async function findDeliveryCase({ sql }: Database, id: string): Promise<DeliveryCase | undefined> {
  const [row] = await sql<DeliveryCase[]>`
    select d.*, e.event, e.merchant_id, e.subject_id, e.created_at as raised_at, m.merchant_code,
      case d.kind when 'WEBHOOK' then coalesce(a.webhook_url, d.target) else d.target end as target,
      coalesce(case when e.event = 'agent_invite' then true when d.kind = 'MAIL' then d.target = any(a.mails)
        else a.webhook_url is not null end, false)
        as addressed,
      a.sealed_secret, a.secret_id, coalesce(a.allow_insecure, false) as allow_insecure
    from event_deliveries d join platform_events e on e.id = d.event_id
    left join merchants m on m.id = e.merchant_id
    left join lateral (
      select * from event_addresses
      where event = e.event and merchant_id is not distinct from e.merchant_id
      order by version desc limit 1) a on true
    where d.id = ${id}`;
  return row;
}

/** An attempt that was claimed. */
export interface ClaimedAttempt {
  readonly generation: number;
  readonly attempt: number;
}

/**
 * Claims the next attempt: counted before anything is sent, so that a crash counts too.
 * @param seen the row as it was read; its target is kept, as a URL may have changed
 * @param leaseUntil no other attempt starts before
 * @param dueBy `now` plus the most that clocks may differ @returns undefined if there is nothing to attempt now: final,
 * not due, all attempts used, or claimed by another worker
 */
export async function claimDelivery(
  { sql }: Database,
  seen: Pick<EventDeliveryRow, 'id' | 'kind' | 'target' | 'generation' | 'attemptCount'>,
  leaseUntil: Date,
  dueBy: Date,
  now: Date,
): Promise<ClaimedAttempt | undefined> {
  const [row] = await sql<ClaimedAttempt[]>`
    with claimed as (
      update event_deliveries
      set status = 'SENDING', target = ${seen.target}, attempt_count = attempt_count + 1, total_attempts = total_attempts + 1,
        next_attempt_at = null, lease_until = ${leaseUntil}, updated_at = ${now}
      where id = ${seen.id} and attempt_count < ${EVENT_ATTEMPTS[seen.kind]}
        and generation = ${seen.generation} and attempt_count = ${seen.attemptCount}
        and ((status = 'WAITING_RETRY' and next_attempt_at <= ${dueBy})
          or (status = 'SENDING' and lease_until <= ${dueBy}))
      returning *
    )
    insert into event_attempts (delivery_id, generation, attempt, started_at)
    select id, generation, attempt_count, ${now}::timestamptz from claimed
    returning generation, attempt`;
  return row;
}

/** Ends a delivery without a further attempt; not during one. @returns whether this call did it */
export async function failDelivery(
  { sql }: Database,
  { id, generation }: Pick<EventDeliveryRow, 'id' | 'generation'>,
  error: string,
  dueBy: Date,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update event_deliveries
    set status = 'FAILED', lease_until = null, next_attempt_at = null, last_error = ${error}, updated_at = ${now}
    where id = ${id} and generation = ${generation}
      and (status = 'WAITING_RETRY' or (status = 'SENDING' and lease_until <= ${dueBy}))
    returning id`;
  return rows.length === 1;
}

/** The outcome of an attempt. */
export interface DeliveryOutcome extends ClaimedAttempt {
  readonly deliveryId: string;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly status: Exclude<DeliveryStatus, 'SENDING'>;
  /** When the next attempt is due; null if there is none. */
  readonly nextAttemptAt: Date | null;
  readonly now: Date;
}

/** Records an attempt's outcome. The row changes only if this is still its newest attempt. */
export async function recordDelivery({ sql }: Database, o: DeliveryOutcome): Promise<void> {
  await sql`
    with attempt as (
      update event_attempts
      set ended_at = ${o.now}, response_status = ${o.responseStatus}, response_body = ${o.responseBody},
        error = ${o.error}
      where delivery_id = ${o.deliveryId} and generation = ${o.generation} and attempt = ${o.attempt}
        and ended_at is null
    )
    update event_deliveries
    set status = ${o.status}, next_attempt_at = ${o.nextAttemptAt}, lease_until = null, last_error = ${o.error},
      updated_at = ${o.now}
    where id = ${o.deliveryId} and generation = ${o.generation} and attempt_count = ${o.attempt}
      and status = 'SENDING'`;
}

/** Resends a delivery: all its attempts begin again. @returns false during an attempt */
export async function rearmDelivery(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`select rearm_event_delivery(${id}, ${now}) as done`;
  return row?.done ?? false;
}

/** One delivery. */
export async function findEventDelivery({ sql }: Database, id: string): Promise<EventDeliveryRow | undefined> {
  const [row] = await sql<EventDeliveryRow[]>`
    select d.*, e.event, e.merchant_id, e.subject_id
    from event_deliveries d join platform_events e on e.id = d.event_id where d.id = ${id}`;
  return row;
}

/** The attempts at several deliveries, in order. */
export const findEventAttempts = async (
  { sql }: Database,
  deliveryIds: readonly string[],
): Promise<EventAttemptRow[]> =>
  await sql<EventAttemptRow[]>`
    select * from event_attempts where delivery_id = any(${deliveryIds as string[]})
    order by generation, attempt`;

/** The kinds of several alerts, by id. */
export async function findAlertKinds(
  { sql }: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AlertKind>> {
  const rows = await sql<{ id: string; kind: AlertKind }[]>`
    select id, kind from alerts where id = any(${ids as string[]})`;
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

/** The alert that an event reports. */
export async function findReportedAlert({ sql }: Database, id: string): Promise<MailedAlert | undefined> {
  const [row] = await sql<MailedAlert[]>`
    select a.kind, a.about, a.raised_at, m.merchant_code
    from alerts a left join merchants m on m.id = a.merchant_id where a.id = ${id}`;
  return row;
}

/** Wakes events with an overdue delivery, after the given one. @returns their ids */
export async function wakeOverdueEvents(
  { sql }: Database,
  step: {
    readonly overdueBefore: Date;
    readonly parkedAfter: Date;
    readonly after: { readonly id: string } | null;
    readonly limit: number;
    readonly now: Date;
  },
): Promise<{ id: string; event: PlatformEvent }[]> {
  return await sql<{ id: string; event: PlatformEvent }[]>`
    select id, event from wake_overdue_platform_events(${step.overdueBefore}, ${step.parkedAfter},
      ${step.after?.id ?? null}, ${step.limit}, ${step.now})`;
}
