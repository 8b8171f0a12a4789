import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres, { type Sql } from 'postgres';
import { readFunctions, replaceFunctions } from './functions';

/** PostgreSQL 18 brings uuidv7() and generated columns as we use them. */
const OLDEST_SERVER = 180000;
/** Any number, the same for all: who migrates holds it. */
const MIGRATION_LOCK = 7_286_291;
/** lock_not_available and deadlock_detected: the roles hold the table, so the step is tried again. */
const TABLE_IN_USE = ['55P03', '40P01'];
const TRIES = 60;
const PAUSE_MS = 500;

/**
 * Brings the schema up to date: the tables by the migrations that are missing, then all functions if their text has
 * changed. Two callers at once wait for each other.
 * @throws if the server is older than PostgreSQL 18
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined, connect_timeout: 10 });
  try {
    const [server] = await sql<{ version: string }[]>`
      select current_setting('server_version_num') as version`;
    if (Number(server?.version) < OLDEST_SERVER)
      throw new Error(`PostgreSQL 18 or newer is needed; this server is ${server?.version ?? '?'}`);
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await runMigrations(drizzle(sql), { migrationsFolder: path.join(__dirname, 'migrations') });
    await bringFunctions(sql);
  } finally {
    // Ending the session frees the advisory lock.
    await sql.end({ timeout: 5 });
  }
}

async function bringFunctions(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create schema if not exists migrations;
    create table if not exists migrations.functions
      (only_row boolean primary key check (only_row), hash text not null)`);
  const functions = readFunctions();
  const [present] = await sql<{ hash: string }[]>`select hash from migrations.functions`;
  if (present?.hash === functions.hash) return;
  await untilTablesAreFree(async () => {
    await replaceFunctions(sql, functions);
  });
}

/** Runs a step that waits briefly for locks, again and again, so that the queue behind it never grows long. */
async function untilTablesAreFree(step: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await step();
      return;
    } catch (error) {
      const inUse = error instanceof postgres.PostgresError && TABLE_IN_USE.includes(error.code);
      if (!inUse || tried === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
