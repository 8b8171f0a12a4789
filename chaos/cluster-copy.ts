import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { handOver, postgresUser } from '../local/postgres-user';

/** What a copy must not have of its original: its process, its slots, and its log. */
const NOT_COPIED = ['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot'];
const GONE = 'No such file or directory';

/**
 * Copies the cluster of a running server, without its log: a base backup, as tools for backups take it.
 * @param sql one connection of the superuser
 * @param from the folder that holds the server's cluster
 * @param to a folder of PostgreSQL's user, in which the copy replaces an older one
 * @param waits whether until the log that the copy needs is archived
 */
export async function copyRunning(sql: Sql, from: string, to: string, waits: boolean) {
  rmSync(path.join(to, 'cluster'), { recursive: true, force: true });
  await sql`select pg_backup_start('chaos', fast => true)`;
  copyFiles(path.join(from, 'cluster'), path.join(to, 'cluster'));
  const [backup] = await sql<{ labelfile: string }[]>`
    select labelfile from pg_backup_stop(wait_for_archive => ${waits})`;
  writeOwned(path.join(to, 'cluster', 'backup_label'), backup?.labelfile ?? '');
}

/** One connection of the superuser. @returns what the work returns */
export async function asOwner<Result>(url: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** A folder that PostgreSQL's user may write. */
export function makeOwned(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  handOver(folder, postgresUser());
}

export function writeOwned(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  handOver(file, postgresUser());
}

function copyFiles(source: string, target: string): void {
  makeOwned(target);
  const copied = readdirSync(source).filter((name) => !NOT_COPIED.includes(name));
  const { stderr } = spawnSync('cp', ['-a', ...copied.map((name) => path.join(source, name)), target], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  // A file may go while it is copied, such as a table's that was dropped.
  const problems = stderr.split('\n').filter((line) => line !== '' && !line.includes(GONE));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const folder of ['pg_wal', 'pg_replslot']) makeOwned(path.join(target, folder));
}
