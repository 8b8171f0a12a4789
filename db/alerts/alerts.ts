import type { JSONValue } from 'postgres';
import type { AlertKind } from '../../domain/alert';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { alerts } from '../schema/alerts';

/** A condition that operators should look at, in its present state. */
export type AlertRow = Omit<RowOf<typeof alerts>, 'key' | 'mailedAt' | 'position'>;

/** A numbered alert. */
export type PublishedAlert = AlertRow & { readonly seq: bigint };

/** As the driver reads it. */
export type RawAlert = Omit<AlertRow, 'seq'> & { readonly seq: string | null };

/** The alert of a row. */
export const alertOf = (row: RawAlert): AlertRow => ({
  ...row,
  seq: row.seq === null ? null : BigInt(row.seq),
});

/** The columns of an alert. */
export const alertColumns = (sql: Database['sql'] | Transaction) => sql`
  id, kind, merchant_id, about, raised_at, acknowledged_at, acknowledged_by, seq`;

/** Alerts whose last change was published after a number, in their present state, by these numbers. */
export async function findAlertsAfter({ sql }: Database, seq: bigint, limit: number): Promise<PublishedAlert[]> {
  const rows = await sql<RawAlert[]>`
    select ${alertColumns(sql)} from alerts where seq > ${seq.toString()}::bigint order by seq limit ${limit}`;
  return rows.map((row) => ({ ...row, seq: BigInt(row.seq ?? '') }));
}

/** The highest number in use; 0 before the first. */
export async function lastAlertNumber({ sql }: Database): Promise<bigint> {
  const [row] = await sql<{ seq: string | null }[]>`select max(seq)::text as seq from alerts`;
  return BigInt(row?.seq ?? '0');
}

/** One alert. */
export async function findAlert({ sql }: Database, id: string): Promise<AlertRow | undefined> {
  const [row] = await sql<RawAlert[]>`select ${alertColumns(sql)} from alerts where id = ${id}`;
  return row && alertOf(row);
}

/** Acknowledges an alert and publishes it again. @returns undefined if it was acknowledged before */
export async function acknowledgeAlert(
  tx: Transaction,
  id: string,
  operatorId: string,
  now: Date,
): Promise<AlertRow | undefined> {
  const [row] = await tx<RawAlert[]>`
    update alerts set acknowledged_at = ${now}, acknowledged_by = ${operatorId}, seq = null
    where id = ${id} and acknowledged_at is null
    returning ${alertColumns(tx)}`;
  return row && alertOf(row);
}

/** What is raised. */
interface NewAlert {
  readonly kind: AlertKind;
  readonly key: string;
  readonly merchantId?: string | null;
  readonly about: JSONValue;
}

/** Raises an alert, once for each key. Most alerts are raised by triggers. */
export async function raiseAlert(
  { sql }: { readonly sql: Database['sql'] | Transaction },
  { kind, key, merchantId = null, about }: NewAlert,
  now: Date,
): Promise<void> {
  await sql`select raise_alert(${kind}, ${key}, ${merchantId}::uuid, ${sql.json(about)}, ${now})`;
}

/** Notes an alert that somebody has seen already: it is mailed and reported to nobody. */
export async function noteSeenAlert(
  tx: Transaction,
  { kind, key, merchantId = null, about }: NewAlert,
  operatorId: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into alerts (id, kind, key, merchant_id, about, raised_at, acknowledged_at, acknowledged_by, mailed_at)
    values (new_id(${now}), ${kind}, ${key}, ${merchantId}, ${tx.json(about)}, ${now}, ${now}, ${operatorId}, ${now})
    on conflict (key) do nothing`;
}
