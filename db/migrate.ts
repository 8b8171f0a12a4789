import path from 'node:path';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';

/** PostgreSQL 18 brings uuidv7() and generated columns as we use them. */
const OLDEST_SERVER = 180000;
/** Any number, the same for all: who migrates holds it. */
const MIGRATION_LOCK = 7_286_291;

/**
 * Brings the schema up to date. Two callers at once wait for each other.
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
  } finally {
    // Ending the session frees the advisory lock.
    await sql.end({ timeout: 5 });
  }
}
