import type { Database } from '../client';

/** PostgreSQL's NOTIFY channel of relays; it has no payload. */
const WORK_CHANNEL = 'causeway_work';

/**
 * Tells all relays that something may have been committed that they look for. Outside of any business transaction: NOTIFY
 * in a transaction takes a lock that all committers share. It is a hint only, as relays also look by themselves.
 */
export async function tellRelays({ sql }: Database): Promise<void> {
  await sql.notify(WORK_CHANNEL, '');
}

/**
 * Calls back for each hint, and whenever the connection begins again.
 * @returns false behind a connection pooler, where LISTEN does not work
 * @throws while PostgreSQL is unreachable
 */
export async function listenForWork({ sql, pooler }: Database, onWork: () => void): Promise<boolean> {
  if (pooler) return false;
  await sql.listen(WORK_CHANNEL, onWork, onWork);
  return true;
}
