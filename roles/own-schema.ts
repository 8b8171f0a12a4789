import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/client';
import { refusalOf } from '../db/refusals';
import { type Environment, requireSchema } from '../db/release';
import { requireRestrictedUser } from '../db/rights';
import { requireTimeouts } from '../db/timeouts';
import type { Logger } from '../runtime/log';

type Queryable = Pick<Database, 'sql'>;

/** The pause before an unreachable database is asked again, milliseconds. */
const ASK_AGAIN_MS = 500;

/**
 * Checks that the database has a schema that this program runs on.
 * @returns false if the database is unreachable
 * @throws if the schema is not ours: missing, older or too new, or of the other environment; if sessions lack timeouts;
 *   if production's user could change the ledger or the schema
 */
export async function hasOwnSchema({ sql }: Queryable, environment: Environment): Promise<boolean> {
  try {
    await requireSchema(sql, environment);
    await requireTimeouts(sql);
    if (environment === 'production') await requireRestrictedUser(sql);
    return true;
  } catch (error) {
    if (refusalOf(error)?.kind === 'SERVICE_UNAVAILABLE') return false;
    throw error;
  }
}

/**
 * Waits until the database is reachable.
 * @throws if its schema is not ours, or our parent process has ended
 */
export async function awaitOwnSchema(database: Queryable, environment: Environment, log: Logger): Promise<void> {
  while (!(await hasOwnSchema(database, environment))) {
    if (orphaned()) throw new Error('The parent process ended before the database was reachable.');
    log.warn('waiting for the database');
    await sleep(ASK_AGAIN_MS);
  }
}

const orphaned = (): boolean => process.send !== undefined && !process.connected;
