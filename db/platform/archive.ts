import type { ArchivedTable } from '../../domain/archive';
import { appendAudit, type AuditDigest, type AuditEntry } from '../audit/audit-log';
import type { Database, Transaction } from '../client';
import { idsOfTime } from '../pages';

/** A row that may leave the database. */
export interface OldRow {
  /** The row's id; of an attempt, that of its callback. */
  readonly id: string;
  /** Every column by its name, as one line of JSON. */
  readonly line: string;
}

/** Which rows are asked for: those before a time, after the last id of the previous batch. */
export interface OldRows {
  readonly before: Date;
  readonly after: string;
  /** At most so many rows, or callbacks with all of their attempts. */
  readonly limit: number;
}

/** A batch of 10,000 rows takes a second or two on a slow disk; milliseconds. */
const BATCH_MS = 60_000;

/**
 * Events of orders that have ended, attempts at callbacks that are done, and messages of channels, in the order of their
 * ids. Ids follow time, so the newer part of a table is not read. The last event stays, because the next one's number
 * follows it.
 */
export async function findOldRows(
  { transaction }: Pick<Database, 'transaction'>,
  table: ArchivedTable,
  rows: OldRows,
): Promise<OldRow[]> {
  return await transaction(async (tx) => {
    await tx.unsafe(`set local statement_timeout = ${BATCH_MS}`);
    return await OLD_ROWS[table](tx, rows);
  }, 'read only');
}

const OLD_ROWS = {
  order_events: async (tx: Transaction, { before, after, limit }: OldRows) =>
    await tx<OldRow[]>`
      select e.id, row_to_json(e)::text as line from order_events e
      where e.id > ${after} and ${idsOfTime(tx, 'e.id', { to: before })} and e.at < ${before}
        and e.seq < (select max(seq) from order_events)
        and not exists (select from deposit_orders d
          where d.id = e.order_id and d.status not in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED'))
        and not exists (select from withdrawal_orders w
          where w.id = e.order_id and w.status not in ('COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED'))
        and not exists (select from cashier_sessions s where s.id = e.order_id and s.status = 'PENDING')
      order by e.id limit ${limit}`,
  callback_attempts: async (tx: Transaction, { before, after, limit }: OldRows) =>
    await tx<OldRow[]>`
      with old as (
        select distinct a.notification_id as id
        from callback_attempts a join notification_logs n on n.id = a.notification_id
        where a.notification_id > ${after} and ${idsOfTime(tx, 'a.notification_id', { to: before })}
          and n.status in ('SUCCESS', 'FAILED') and n.updated_at < ${before}
        order by 1 limit ${limit}
      )
      select old.id, row_to_json(a)::text as line
      from old join callback_attempts a on a.notification_id = old.id
      order by old.id, a.generation, a.attempt`,
  channel_messages: async (tx: Transaction, { before, after, limit }: OldRows) =>
    await tx<OldRow[]>`
      select m.id, row_to_json(m)::text as line from channel_messages m
      where m.id > ${after} and ${idsOfTime(tx, 'm.id', { to: before })} and m.received_at < ${before}
      order by m.id limit ${limit}`,
} satisfies Record<ArchivedTable, unknown>;

/**
 * Deletes rows that a file holds, and records the file in the audit log, in one transaction.
 * @throws if other rows are there than the file holds: nothing is deleted then
 */
export async function dropOldRows(
  { transaction }: Pick<Database, 'transaction'>,
  table: ArchivedTable,
  rows: readonly OldRow[],
  entry: AuditEntry,
  digest: AuditDigest,
): Promise<void> {
  const ids = [...new Set(rows.map(({ id }) => id))];
  await transaction(async (tx) => {
    await tx.unsafe(`set local statement_timeout = ${BATCH_MS}`);
    const id = tx(table === 'callback_attempts' ? 'notification_id' : 'id');
    const gone = await tx<{ line: string }[]>`
      delete from ${tx(table)} t where ${id} = any(${ids}) returning row_to_json(t)::text as line`;
    const kept = new Set(rows.map(({ line }) => line));
    if (gone.length !== rows.length || !gone.every(({ line }) => kept.has(line)))
      throw new Error(`${table} has other rows than the file: run it again`);
    await appendAudit(tx, entry, digest);
  });
}
