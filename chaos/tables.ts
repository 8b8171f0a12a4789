import postgres from 'postgres';
import { CURRENCY } from './provision';
import { until } from './until';

/** A merchant's balance, as PostgreSQL has it. */
export interface BalanceRow {
  readonly merchantId: string;
  readonly available: string;
  readonly frozen: string;
}

/** A busy connection ends a moment after it is cut. */
const GONE_WITHIN_MS = 2_000;

/** Reads the tables directly, without the platform's code, and cuts its connections. */
export class Tables {
  protected readonly sql: postgres.Sql;

  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  }

  async balances(): Promise<BalanceRow[]> {
    return await this.sql<BalanceRow[]>`
      select merchant_id as "merchantId", available::text, frozen::text from merchant_balances`;
  }

  /** The sums of the ledger's accounts in a currency, by kind. */
  async sums(currencyCode = CURRENCY): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql<{ kind: string; sum: string }[]>`
      select split_part(account, ':', 1) as kind, sum(amount)::text as sum from ledger_entries
      where currency_code = ${currencyCode} group by 1`;
    return new Map(rows.map(({ kind, sum }) => [kind, sum]));
  }

  /** Ends every connection of the workers and waits until they are gone. @returns how many */
  async cutWorkers(): Promise<number> {
    const rows = await this.sql<{ pid: number; ends: boolean }[]>`
      select pid, pg_terminate_backend(pid) as ends from pg_stat_activity
      where application_name like 'causeway-worker%'`;
    const pids = rows.filter(({ ends }) => ends).map(({ pid }) => pid);
    const areGone = async (): Promise<boolean> =>
      (await this.sql`select from pg_stat_activity where pid = any(${pids})`).length === 0;
    await until(areGone, GONE_WITHIN_MS);
    return pids.length;
  }

  /** Ends the file that PostgreSQL logs into, so that it needs another one. @throws if it gets none */
  async switchLog(): Promise<void> {
    // A segment without a record is not ended.
    await this.sql`select pg_create_restore_point('chaos')`;
    await this.sql`select pg_switch_wal()`;
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 2 });
  }
}
