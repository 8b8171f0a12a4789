import { readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PostgresOptions } from '../local/postgres';
import { postgresUser, prepareHome } from '../local/postgres-user';
import { asOwner, copyRunning, makeOwned, writeOwned } from './cluster-copy';
import { until } from './until';

const WITHIN_MS = 60_000;

/**
 * A base backup of the running PostgreSQL and the log that it archives, by PostgreSQL's own means: what a tool for
 * backups keeps elsewhere. From them it is restored to any moment since the backup.
 */
export class PointInTime {
  private readonly home: string;
  private readonly archive: string;
  private readonly base: string;

  constructor(private readonly options: PostgresOptions) {
    this.home = prepareHome(options.dataDir, postgresUser());
    [this.archive, this.base] = [path.join(this.home, 'archive'), path.join(this.home, 'base')];
    for (const folder of [this.archive, this.base]) makeOwned(folder);
  }

  /** Of a server that archives its log. */
  get archiving(): PostgresOptions {
    const to = `"${this.archive}/%f"`;
    return {
      ...this.options,
      settings: ['archive_mode=on', `archive_command=test ! -f ${to} && cp "%p" ${to}`],
    };
  }

  /** Copies the running server. */
  async takeBase(url: string): Promise<void> {
    await asOwner(url, async (sql) => {
      await copyRunning(sql, this.home, this.base, true);
    });
  }

  /** A moment to which the server may be restored, by its own clock: what commits later is lost. */
  async moment(url: string): Promise<Date> {
    return await asOwner(url, async (sql) => {
      const [row] = await sql<{ at: Date }[]>`select clock_timestamp() + interval '1 millisecond' as at`;
      if (!row) throw new Error('PostgreSQL has no time');
      return row.at;
    });
  }

  /** Ends the segment of the log that is being written. @returns how many are archived, when it is */
  async archiveNow(url: string): Promise<number> {
    return await asOwner(url, async (sql) => {
      const [row] = await sql<{ segment: string }[]>`
        select pg_walfile_name(pg_switch_wal()) as segment`;
      const isThere = (): boolean => this.archived.includes(row?.segment ?? '');
      if (!(await until(isThere, WITHIN_MS))) throw new Error('the log is not archived');
      return this.archived.length;
    });
  }

  /** Puts the backup in place of a lost cluster. @returns how to start the server, which goes to that moment */
  putBack(to: Date): PostgresOptions {
    const cluster = path.join(this.home, 'cluster');
    rmSync(cluster, { recursive: true });
    renameSync(path.join(this.base, 'cluster'), cluster);
    writeOwned(path.join(cluster, 'recovery.signal'), '');
    const { settings = [] } = this.archiving;
    return {
      ...this.options,
      settings: [
        ...settings,
        `restore_command=cp "${this.archive}/%f" "%p"`,
        // It knows no `Z` before it has read the names of time zones.
        `recovery_target_time=${to.toISOString().replace('Z', '+00')}`,
        'recovery_target_action=promote',
      ],
    };
  }

  /** Waits until a server that was restored takes writes again. */
  async isBack(url: string): Promise<void> {
    let cause: unknown;
    const writes = async (): Promise<boolean> => {
      try {
        return await asOwner(url, async (sql) => {
          const [row] = await sql<{ back: boolean }[]>`select not pg_is_in_recovery() as back`;
          return row?.back === true;
        });
      } catch (error) {
        // A server that recovers may reset connections.
        cause = error;
        return false;
      }
    };
    if (!(await until(writes, WITHIN_MS))) throw new Error('PostgreSQL is still in recovery', { cause });
  }

  private get archived(): string[] {
    return readdirSync(this.archive);
  }
}
