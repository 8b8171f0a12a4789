import { OUTBOX_RANK } from '../../domain/outbox';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { outbox } from '../schema/outbox';

/** A workflow to start or wake. */
export interface OutboxRow extends Omit<RowOf<typeof outbox>, 'dueAt' | 'parkedAt' | 'lastError'> {
  /** Whether the start of the same workflow still waits too: Temporal has not got it yet. */
  readonly startWaits: boolean;
}

/** How many rows to claim: of money, and of everything else. */
export interface ClaimLimits {
  readonly money: number;
  /** Codes of merchants of whom only payouts are claimed now, no credits; none by default. */
  readonly heldBack?: readonly string[];
  readonly rest: number;
  /** Whether the rest may include starts of workflows that have nothing to do yet; true by default. */
  readonly starts?: boolean;
  /** Such starts are claimed once they are as old as this, milliseconds; at once by default. */
  readonly startsAfterMs?: number;
}

/** Merchants take turns among the money that is younger than this, seconds; older money goes strictly by its age. */
const TURNS_SECONDS = 5;
/** The oldest rows of money among which merchants take turns: bounds what a claim reads. */
const LOOKED_AT = 500;
/** The same while some merchants are held back: rows of others behind this many of theirs wait with them. */
const LOOKED_PAST = 5_000;

/**
 * Claims due rows: no other relay gets them before `leaseUntil`, after which they are due again if this relay dies.
 * Several relays claim different rows. Ids are in the order of creation, so a retried row keeps its place.
 */
export const claimOutbox = async (
  { sql }: Database,
  { money, heldBack = [], rest, starts = true, startsAfterMs = 0 }: ClaimLimits,
  leaseUntil: Date,
  now: Date,
): Promise<OutboxRow[]> => {
  const turnsSince = new Date(now.getTime() - TURNS_SECONDS * 1000);
  const startsUntil = new Date(now.getTime() - startsAfterMs);
  return await sql<OutboxRow[]>`
    with oldest as (
      select id, created_at > ${turnsSince} as takes_turns,
        row_number() over (partition by arguments ->> 'merchantCode' order by id) as turn
      from (
        select id, created_at, noun, arguments from outbox
        where rank = ${OUTBOX_RANK.money} and due_at <= ${now} and parked_at is null
        order by id limit ${heldBack.length > 0 ? LOOKED_PAST : LOOKED_AT}
      ) due
      where noun = 'withdrawal' or (arguments ->> 'merchantCode' = any(${[...heldBack]})) is not true
    ), money as (
      select id from outbox
      where due_at <= ${now} and parked_at is null and id = any(array(
        select id from oldest order by takes_turns, case when takes_turns then turn end, id limit ${money}))
      for update skip locked
    ), rest as (
      select id from outbox
      where rank > ${OUTBOX_RANK.money} and rank <= ${starts ? OUTBOX_RANK.start : OUTBOX_RANK.work}
        and due_at <= ${now} and parked_at is null
        and (rank < ${OUTBOX_RANK.start} or created_at <= ${startsUntil})
      order by rank, id limit ${rest} for update skip locked
    )
    update outbox o set due_at = ${leaseUntil}
    where id in (select id from money union all select id from rest)
    returning id, noun, key, arguments, rank, start_at, refusals, created_at,
      exists (select from outbox s where s.key = o.key and s.start_at is not null) as start_waits`;
};

/**
 * Deletes rows that Temporal has accepted. With a row that woke its workflow it also deletes the start that became
 * needless: an order that is paid at once is one call to Temporal instead of two.
 */
export async function deleteOutbox(
  { sql }: Database,
  rows: readonly Pick<OutboxRow, 'id' | 'key' | 'startAt'>[],
): Promise<void> {
  const woken = rows.filter(({ startAt }) => startAt === null).map(({ key }) => key);
  await sql`
    delete from outbox
    where id = any(${rows.map(({ id }) => id)}) or key = any(${woken}) and start_at is not null`;
}

/** Returns rows for a later retry. @param refused whether Temporal refused them; false: Temporal was unavailable */
export async function delayOutbox(
  { sql }: Database,
  ids: readonly string[],
  error: string,
  refused: boolean,
  dueAt: Date,
): Promise<void> {
  await sql`
    update outbox
    set due_at = ${dueAt}, last_error = ${error}, refusals = refusals + ${refused ? 1 : 0}
    where id = any(${ids as string[]})`;
}

/** Parks a row until a person releases it: Temporal refuses it as it is. */
export async function parkOutbox({ sql }: Database, id: string, error: string, now: Date): Promise<void> {
  await sql`update outbox set parked_at = ${now}, last_error = ${error} where id = ${id}`;
}

/** A row as operators see it: `parkedAt` is set while it is parked. */
export interface OutboxView extends Pick<
  RowOf<typeof outbox>,
  'id' | 'noun' | 'key' | 'refusals' | 'parkedAt' | 'lastError' | 'createdAt'
> {
  /** The number of its order; null for a noun without one. */
  readonly orderNo: string | null;
}

/** The columns that operators see. */
export const view = (sql: Database['sql']) => sql`
  id, noun, key, refusals, arguments ->> 'orderNo' as order_no, parked_at, last_error, created_at`;

/** One row, parked or not. */
export const findOutbox = async ({ sql }: Database, id: string): Promise<OutboxView | undefined> =>
  (await sql<OutboxView[]>`select ${view(sql)} from outbox where id = ${id}`)[0];

/** Releases a parked row to the relay, as if it were new. @returns undefined if it is not parked */
export const releaseOutbox = async (tx: Transaction, id: string, now: Date): Promise<OutboxView | undefined> =>
  (
    await tx<OutboxView[]>`
      update outbox set parked_at = null, refusals = 0, due_at = ${now}
      where id = ${id} and parked_at is not null
      returning ${view(tx)}`
  )[0];

/** A parked row, locked until the transaction ends; undefined if it is gone or no longer parked. */
export const lockParked = async (tx: Transaction, id: string): Promise<OutboxView | undefined> =>
  (
    await tx<OutboxView[]>`
      select ${view(tx)} from outbox where id = ${id} and parked_at is not null for update`
  )[0];

/** Deletes a parked row: what it would have woken stays as it is. */
export async function dropParked(tx: Transaction, id: string): Promise<void> {
  await tx`delete from outbox where id = ${id} and parked_at is not null`;
}

/** How many rows are parked, and since when the first is. */
export async function parkedOutbox({ sql }: Database): Promise<{ rows: number; oldest: Date | null }> {
  const [row] = await sql<{ rows: number; oldest: Date | null }[]>`
    select count(*)::int as rows, min(parked_at) as oldest from outbox where parked_at is not null`;
  return row ?? { rows: 0, oldest: null };
}
