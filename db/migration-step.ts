import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';

/**
 * A step waits this long for a table's lock, and later statements queue behind it for as long. Shorter than
 * deadlock_timeout, so that in a deadlock the step gives up, not a role's statement.
 */
const LOCK_TIMEOUT = '500ms';
/** lock_not_available and deadlock_detected: a role holds the table. */
const IN_USE = ['55P03', '40P01'];
const PAUSE_MS = 500;
/** Including the waits: a minute at most. */
const TRIES = 60;

/**
 * Runs statements as one transaction. While a table that they need is in use, they are rolled back and retried. @throws
 * the error of the last try, if the table is still in use after a minute
 */
export async function runInTransaction(sql: Sql, statements: string): Promise<void> {
  // One text is one round trip, and one transaction.
  await untilTablesAreFree(async () => await sql.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}';\n${statements}`));
}

/** Retries a step while a table that it needs is in use. */
export async function untilTablesAreFree(step: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await step();
      return;
    } catch (error) {
      const inUse = error instanceof postgres.PostgresError && IN_USE.includes(error.code);
      if (!inUse || tried === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
