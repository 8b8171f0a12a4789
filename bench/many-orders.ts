import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres, { type Sql } from 'postgres';
import { type Extent, type Lines, type Loaded, Past, type Table, TABLES } from './past';

/** Orders of one COPY. */
const CHUNK = 10_000;

const noLines = (): Lines => Object.fromEntries(Object.keys(TABLES).map((table) => [table, [] as string[]])) as Lines;

async function copy(sql: Sql, lines: Lines): Promise<void> {
  for (const table of Object.keys(TABLES) as Table[]) {
    if (lines[table].length === 0) continue;
    const into = await sql.unsafe(`copy ${table} (${TABLES[table]}) from stdin`).writable();
    await pipeline(Readable.from([`${lines[table].join('\n')}\n`]), into);
  }
}

/**
 * Fills a database with orders and everything that belongs to them, by COPY, and adds more. Triggers and foreign keys are
 * switched off (this needs a superuser), and indexes that are not unique are created at the end.
 */
export class ManyOrders {
  private past: Past | undefined;
  private orders = 0;

  constructor(private readonly url: string) {}

  /**
   * The first time it replaces all orders; then it adds those from the earlier time to the present one.
   * @param extent all of them
   */
  async grow(extent: Extent): Promise<Loaded> {
    const sql = postgres(this.url, { max: 1, onnotice: () => undefined });
    try {
      await sql`set session_replication_role = replica`;
      await sql`set synchronous_commit = off`;
      await sql`set maintenance_work_mem = '512MB'`;
      // Rows of earlier benches would have the same numbers. No row refers to the sums, so cascade misses them.
      const all = [...Object.keys(TABLES), 'ledger_sums', 'ledger_sum_ends'];
      if (!this.past) await sql.unsafe(`truncate ${all.join(', ')} cascade`);
      const indexes = await sql<{ name: string; definition: string }[]>`
        select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
        from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relname = any(${Object.keys(TABLES)}) and not i.indisunique`;
      for (const { name } of indexes) await sql`drop index ${sql(name)}`;
      const past = await this.pastUntil(sql, extent);
      let copying = Promise.resolve();
      for (let from = this.orders; from < extent.orders; from += CHUNK) {
        const lines = noLines();
        past.orders(lines, from, Math.min(extent.orders, from + CHUNK));
        await copying;
        copying = copy(sql, lines);
      }
      await copying;
      this.orders = extent.orders;
      const last = noLines();
      past.end(last);
      await copy(sql, last);
      for (const { definition } of indexes) await sql.unsafe(definition);
      await sql`vacuum analyze`;
      return past;
    } finally {
      await sql.end();
    }
  }

  private async pastUntil(sql: Sql, extent: Extent): Promise<Past> {
    if (this.past) {
      await endOpenOrders(sql);
      await sql`delete from merchant_balances`;
      this.past.continue(extent);
      return this.past;
    }
    const past = new Past(extent);
    const first = noLines();
    past.base(first);
    await copy(sql, first);
    this.past = past;
    return past;
  }
}

/** Lets the open orders expire and their callbacks arrive, as if time had passed. */
export async function endOpenOrders(sql: Sql): Promise<void> {
  await sql`
    update deposit_orders set status = 'EXPIRED', updated_at = expire_at where status = 'PENDING'`;
  await sql`
    update notification_logs set status = 'SUCCESS', next_attempt_at = null
    where status = 'WAITING_RETRY'`;
}

/** Replaces all orders. */
export async function loadOrders(url: string, extent: Extent): Promise<Loaded> {
  return await new ManyOrders(url).grow(extent);
}
