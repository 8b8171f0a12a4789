import postgres, { type Sql } from 'postgres';
import { metrics } from '../runtime/metrics';
import { isTracing, traced } from '../runtime/tracing';
import { type DatabaseAddress, sslOf } from './tls';
import { tracedSql } from './traced-sql';
import { type Transaction, TransactionPool } from './transaction-pool';

export type { Transaction } from './transaction-pool';

/** Connections to PostgreSQL. */
export interface Database {
  /**
   * Business steps: tagged statements, prepared, with short lock and statement timeouts. Columns arrive in
   * camelCase, numeric as string, timestamptz as Date.
   */
  readonly sql: Sql;
  /**
   * Runs work in a transaction of its own, on the pool for transactions.
   * @param mode such as `isolation level repeatable read read only`
   * @throws what the work throws, after rolling back
   */
  readonly transaction: <Result>(work: (tx: Transaction) => Promise<Result>, mode?: string) => Promise<Result>;
  /**
   * Operators' queries, on a small pool of their own, so that a long list does not delay money. Each statement is
   * planned for its own values: the rarest one decides which index a page uses.
   */
  readonly read: Sql;
  /** For metrics: one connection and a short timeout, so that a scrape delays no request. */
  readonly measure: Sql;
  /** The factor by which timeouts are longer than those of business steps. */
  readonly patience: number;
  /** A pooler is between: a session's settings, and LISTEN, are lost with its next statement. */
  readonly pooler: boolean;
  close(): Promise<void>;
}

/** PostgreSQL's address and user. */
export interface DatabaseOptions extends DatabaseAddress {
  /** Shown in pg_stat_activity: the role. */
  readonly applicationName: string;
  /** Connections for single statements, for transactions, and for operators' queries. */
  readonly max?: number;
  readonly transactions?: number;
  readonly readers?: number;
  /**
   * The URL leads to a pooler in transaction mode, such as pgbouncer: nothing is prepared, and the timeouts are those of
   * the user (requireTimeouts).
   */
  readonly pooler?: boolean;
  /** Accepts a read-only server: for programs that only read, such as a proof of the books on a standby. */
  readonly readsOnly?: boolean;
  /** Sees each statement as it is sent, for benches and tests that count or explain them. */
  readonly watch?: (statement: string, parameters: readonly unknown[]) => void;
  /** The factor by which timeouts are longer, except for metrics: for tests on a busy machine. */
  readonly patience?: number;
}

/** A step waits this long for a row lock, milliseconds; then OPTIMISTIC_LOCK_ERROR. */
const LOCK_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 4_000;
const READ_STATEMENT_TIMEOUT_MS = 15_000;
const MEASURE_STATEMENT_TIMEOUT_MS = 1_000;
/** Connections of one process: for single statements, for transactions, and for operators' queries. */
const CONNECTIONS = { max: 16, transactions: 8, readers: 4 } as const;
/**
 * An unused connection stays open for this long, seconds. A new one plans each statement again and compiles each function:
 * a rush after a quiet minute would open twenty at once.
 */
const IDLE_SECONDS = 900;

/**
 * One statement a connection at a time, so that a blocked one delays no other (an option that the types leave out).
 * Such a pool must never see `begin`: see TransactionPool.
 */
const ONE_AT_A_TIME = { max_pipeline: 1 };
/** A generic plan would treat a rare status as a common one, or the other way round. Pages are too short for JIT. */
const PLANNED_EACH_TIME = { plan_cache_mode: 'force_custom_plan', jit: 'off' };

/**
 * Refuses to connect to a read-only server (patches/ makes postgres.js recognise standbys). Otherwise a connection to a
 * former primary, through a proxy or an old DNS answer, would stay open for an hour.
 */
const WRITABLE = { target_session_attrs: 'read-write' } as const;

/** A parameter that PostgreSQL reports at the beginning of a session and when it changes; `on`: read-only. */
const READ_ONLY_SIGNS = ['default_transaction_read_only', 'in_hot_standby'];

/** A metric of what the latest connection reported. */
function watchReadOnly(): (parameter: string, value: unknown) => void {
  const signs = new Set<string>();
  return (parameter, value) => {
    if (!READ_ONLY_SIGNS.includes(parameter)) return;
    if (value === 'on') signs.add(parameter);
    else signs.delete(parameter);
    metrics.postgresReadOnly.set(signs.size > 0 ? 1 : 0);
  };
}

const TRANSACTION = () => ({ name: 'transaction', kind: 'client' }) as const;

/** A date stays `YYYY-MM-DD`: it is a day of some zone, not a time. */
const DAY = {
  to: 1082,
  from: [1082],
  parse: (text: string): string => text,
  serialize: (day: string | Date): string => (day instanceof Date ? day.toISOString() : day),
};

/** Opens the pools; they connect when they are first used. Outages show as errors of the statements (db/refusals.ts). */
export function openDatabase({
  url,
  tls,
  applicationName,
  max = CONNECTIONS.max,
  transactions: mostTransactions = CONNECTIONS.transactions,
  readers = CONNECTIONS.readers,
  pooler = false,
  readsOnly = false,
  watch,
  patience = 1,
}: DatabaseOptions): Database {
  const pool = (
    name: string,
    size: number,
    statementTimeout: number,
    own: object = {},
    settings: Readonly<Record<string, string>> = {},
  ): Sql => {
    const client = postgres(url, {
      // A reconnect is tried at once and then every 200 ms: recovery should not wait for a back-off.
      backoff: () => 0.2,
      connect_timeout: 3 * patience,
      idle_timeout: IDLE_SECONDS,
      max: size,
      onnotice: () => undefined,
      types: { day: DAY },
      // A pooler chooses the server itself, and may not pass its parameters on.
      ...(!readsOnly && !pooler && WRITABLE),
      prepare: !pooler,
      ...sslOf({ url, tls }),
      transform: { column: { from: postgres.toCamel } },
      ...(watch && {
        debug: (_connection: number, statement: string, parameters: unknown[]) => {
          watch(statement, parameters);
        },
      }),
      connection: {
        application_name: name,
        TimeZone: 'UTC',
        ...(!pooler && {
          lock_timeout: LOCK_TIMEOUT_MS * patience,
          statement_timeout: statementTimeout,
          idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS * patience,
          // A business step's plan does not depend on its values: PostgreSQL plans it once for each connection, not for
          // each of the first five calls.
          plan_cache_mode: 'force_generic_plan',
          ...settings,
        }),
      },
      ...own,
    });
    return isTracing() ? tracedSql(client) : client;
  };
  const sql = pool(applicationName, max, STATEMENT_TIMEOUT_MS * patience, {
    ...ONE_AT_A_TIME,
    onparameter: watchReadOnly(),
  });
  const transactions = new TransactionPool(
    (onclose) => pool(`${applicationName}-transaction`, 1, STATEMENT_TIMEOUT_MS * patience, { onclose }),
    mostTransactions,
  );
  const read = pool(
    `${applicationName}-read`,
    readers,
    READ_STATEMENT_TIMEOUT_MS * patience,
    ONE_AT_A_TIME,
    PLANNED_EACH_TIME,
  );
  const measure = pool(`${applicationName}-measure`, 1, MEASURE_STATEMENT_TIMEOUT_MS);
  return {
    sql,
    transaction: async (work, mode) => await traced(TRANSACTION, async () => await transactions.run(work, mode)),
    read,
    measure,
    patience,
    pooler,
    close: async () => {
      await Promise.all([
        ...[sql, read, measure].map(async (own) => {
          await own.end({ timeout: 2 });
        }),
        transactions.close(),
      ]);
    },
  };
}
