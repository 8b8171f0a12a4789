import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import * as schema from './schema';

/** Connections to PostgreSQL. */
export interface Database {
  /**
   * Business steps: tagged statements, prepared, with short lock and statement timeouts. Columns arrive in
   * camelCase, numeric as string, timestamptz as Date.
   */
  readonly sql: Sql;
  /** What operators look at: the query builder on a small pool of its own, so that a long list delays no money. */
  readonly read: PostgresJsDatabase<typeof schema>;
  close(): Promise<void>;
}

/** How to reach PostgreSQL, and as whom. */
export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity: the role. */
  readonly applicationName: string;
  /** Connections for business steps. */
  readonly max?: number;
}

/** A step waits this long for a row lock, milliseconds; then OPTIMISTIC_LOCK_ERROR. */
const LOCK_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 4_000;
const READ_STATEMENT_TIMEOUT_MS = 15_000;

/** One statement a connection at a time, so that a blocked one delays no other (an option that the types leave out). */
const ONE_AT_A_TIME = { max_pipeline: 1 };

/** Opens the pools; they connect when they are first used. Outages show as errors of the statements (db/refusals.ts). */
export function openDatabase({ url, applicationName, max = 16 }: DatabaseOptions): Database {
  const common = {
    // A reconnect is tried at once and then every 200 ms: recovery should not wait for a back-off.
    backoff: () => 0.2,
    connect_timeout: 3,
    idle_timeout: 60,
    onnotice: () => undefined,
  };
  const sql = postgres(url, {
    ...common,
    max,
    ...ONE_AT_A_TIME,
    transform: { column: { from: postgres.toCamel } },
    connection: {
      application_name: applicationName,
      lock_timeout: LOCK_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      TimeZone: 'UTC',
    },
  });
  const readSql = postgres(url, {
    ...common,
    max: 4,
    connection: {
      application_name: `${applicationName}-read`,
      statement_timeout: READ_STATEMENT_TIMEOUT_MS,
      TimeZone: 'UTC',
    },
  });
  return {
    sql,
    read: drizzle(readSql, { schema }),
    close: async () => {
      await Promise.all([sql.end({ timeout: 2 }), readSql.end({ timeout: 2 })]);
    },
  };
}
