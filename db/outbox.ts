import type { JSONValue } from 'postgres';
import type { WorkflowNoun } from '../domain/ids';
import type { Database } from './client';

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
