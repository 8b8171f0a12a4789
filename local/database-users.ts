import { createHmac } from 'node:crypto';
import postgres from 'postgres';

/** The processes that connect with rights of their own, and the database's role that `migrate` gives these rights. */
const USERS: Readonly<Record<string, string>> = {
  gateway: 'causeway_gateway',
  graph: 'causeway_graph',
  worker: 'causeway_worker',
};

const passwordOf = (user: string, ownersPassword: string): string =>
  createHmac('sha256', ownersPassword).update(user).digest('base64url');

/**
 * Where a process connects: as its own user on a server that is ours.
 * @param process gateway, graph or worker; any other, such as migrate, connects as the owner
 * @param purges whether the sandbox takes old orders away, which only the owner may: its worker connects as the owner
 */
export function databaseUrlOf(process: string, ownersUrl: string, purges: boolean): string {
  const user = USERS[process];
  if (user === undefined || (purges && process === 'worker')) return ownersUrl;
  const url = new URL(ownersUrl);
  url.password = passwordOf(user, decodeURIComponent(url.password));
  url.username = user;
  return url.href;
}

/** Lets the processes log in, on a server that is ours. After each `migrate`, which makes the users. */
export async function letProcessesIn(ownersUrl: string): Promise<void> {
  const sql = postgres(ownersUrl, { max: 1, onnotice: () => undefined });
  try {
    for (const [process, user] of Object.entries(USERS)) {
      const { password } = new URL(databaseUrlOf(process, ownersUrl, false));
      // Of letters, digits, - and _.
      await sql.unsafe(`alter role ${user} login password '${password}'`);
    }
  } finally {
    await sql.end();
  }
}
