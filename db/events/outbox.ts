import type { JSONValue } from 'postgres';
import type { WorkflowNoun } from '../../domain/ids';
import type { Database, Transaction } from '../client';

/** A workflow to start or wake. */
export interface OutboxRow {
  readonly id: string;
  readonly noun: WorkflowNoun;
  /** The workflow id. */
  readonly key: string;
  readonly arguments: JSONValue;
  /** How often Temporal refused it as it is. */
  readonly refusals: number;
  readonly createdAt: Date;
}

/**
 * Takes rows that are due, leaving each to nobody else until `leaseUntil`: a relay that dies with them loses
 * nothing. Several relays take different rows.
 */
export const claimOutbox = async (
  { sql }: Database,
  limit: number,
  leaseUntil: Date,
  now: Date,
): Promise<OutboxRow[]> =>
  await sql<OutboxRow[]>`
    with due as (
      select id from outbox where due_at <= ${now} and parked_at is null
      order by due_at limit ${limit} for update skip locked
    )
    update outbox set due_at = ${leaseUntil}
    where id in (select id from due)
    returning id, noun, key, arguments, refusals, created_at`;

/** Drops rows that Temporal has taken. */
export async function deleteOutbox({ sql }: Database, ids: readonly string[]): Promise<void> {
  await sql`delete from outbox where id = any(${ids as string[]})`;
}

/** Puts rows back to be tried again later. @param refused whether Temporal refused them, rather than was away */
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

/** Sets a row aside for a person: Temporal refuses it as it is. */
export async function parkOutbox(
  { sql }: Database,
  id: string,
  error: string,
  now: Date,
): Promise<void> {
  await sql`update outbox set parked_at = ${now}, last_error = ${error} where id = ${id}`;
}

/** A row as operators see it: `parkedAt` is set while it waits for one of them. */
export interface OutboxView extends Pick<OutboxRow, 'id' | 'noun' | 'key' | 'refusals'> {
  /** Of the order that it is about; null for a noun that has none. */
  readonly orderNo: string | null;
  readonly parkedAt: Date | null;
  /** Temporal's last error. */
  readonly lastError: string | null;
  readonly createdAt: Date;
}

/** The columns that operators see. */
export const view = (sql: Database['sql']) => sql`
  id, noun, key, refusals, arguments ->> 'orderNo' as order_no, parked_at, last_error, created_at`;

/** One row, parked or not. */
export const findOutbox = async ({ sql }: Database, id: string): Promise<OutboxView | undefined> =>
  (await sql<OutboxView[]>`select ${view(sql)} from outbox where id = ${id}`)[0];

/** Gives a parked row to the relay again, as if it were new. @returns undefined if it is not parked */
export const releaseOutbox = async (
  tx: Transaction,
  id: string,
  now: Date,
): Promise<OutboxView | undefined> =>
  (
    await tx<OutboxView[]>`
      update outbox set parked_at = null, refusals = 0, due_at = ${now}
      where id = ${id} and parked_at is not null
      returning ${view(tx)}`
  )[0];

/** How many rows wait for a person, and since when the first does. */
export async function parkedOutbox({
  sql,
}: Database): Promise<{ rows: number; oldest: Date | null }> {
  const [row] = await sql<{ rows: number; oldest: Date | null }[]>`
    select count(*)::int as rows, min(parked_at) as oldest from outbox where parked_at is not null`;
  return row ?? { rows: 0, oldest: null };
}
