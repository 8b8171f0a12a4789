import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/client';
import { refusalOf } from '../db/refusals';
import { requireSchema } from '../db/release';
import type { Logger } from '../runtime/log';

/** How long a role waits before it asks a database again that was not there, milliseconds. */
const ASK_AGAIN_MS = 500;

/**
 * Waits for the database to answer.
 * @throws if its schema is not one that this program runs on, or our parent has ended
 */
export async function requireOwnSchema({ sql }: Pick<Database, 'sql'>, log: Logger): Promise<void> {
  for (;;) {
    try {
      await requireSchema(sql);
      return;
    } catch (error) {
      if (refusalOf(error)?.kind !== 'SERVICE_UNAVAILABLE' || orphaned()) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await sleep(ASK_AGAIN_MS);
    }
  }
}

const orphaned = (): boolean => process.send !== undefined && !process.connected;
