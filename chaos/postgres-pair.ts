import path from 'node:path';
import { freePort } from '../local/ports';
import { type Postgres, type PostgresOptions, startPostgres } from '../local/postgres';
import { postgresUser, prepareHome } from '../local/postgres-user';
import { Address } from './address';
import { asOwner, copyRunning, writeOwned } from './cluster-copy';
import { until } from './until';

/** The folders of the two servers, beside each other. */
export const PAIR_FOLDERS = ['postgres', 'postgres-b'] as const;

const KEPT_LOG = 'wal_keep_size=512MB';
const STREAMS_WITHIN_MS = 60_000;

interface Member {
  readonly options: PostgresOptions;
  readonly server: Postgres;
}

/**
 * A primary, its synchronous standby, and the address that leads to the primary: what the operators of a cluster run.
 * They, not the platform, notice that a primary is gone, and promote the standby.
 */
export class PostgresPair implements Postgres {
  /** The campaign has ended it. */
  readonly ended = new Promise<string>(() => undefined);
  readonly url: string;
  private standby: Member | undefined;
  private former: Member | undefined;
  private made = 1;

  private constructor(
    private readonly address: Address,
    private primary: Member,
  ) {
    const url = new URL(primary.server.url);
    url.port = String(address.port);
    this.url = url.href;
    address.leadTo(primary.options.port);
  }

  /** @param options of the first primary */
  static async start(options: PostgresOptions): Promise<PostgresPair> {
    const first = { ...options, settings: [KEPT_LOG] };
    const server = await startPostgres(first);
    const pair = new PostgresPair(await Address.listen(), { options: first, server });
    try {
      await pair.addStandby();
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** Copies the running primary, and has it wait for the copy with each commit from then on. */
  async addStandby(): Promise<void> {
    const { primary } = this;
    const { options } = primary;
    await this.former?.server.stop();
    this.former = undefined;
    const folder = path.join(path.dirname(options.dataDir), PAIR_FOLDERS[this.made++ % PAIR_FOLDERS.length] ?? '');
    const home = prepareHome(folder, postgresUser());
    await asOwner(primary.server.url, async (sql) => {
      // The standby fetches the log itself.
      await copyRunning(sql, options.dataDir, home, false);
    });
    writeOwned(path.join(home, 'cluster', 'standby.signal'), '');
    writeOwned(path.join(home, 'initialised'), '');
    const conninfo = `host=127.0.0.1 port=${options.port} user=causeway password=${options.password}`;
    const own = {
      ...options,
      dataDir: folder,
      port: await freePort(),
      settings: [KEPT_LOG, `primary_conninfo=${conninfo}`],
    };
    this.standby = { options: own, server: await startPostgres(own) };
    await asOwner(primary.server.url, async (sql) => {
      await sql`alter system set synchronous_standby_names = '*'`;
      await sql`select pg_reload_conf()`;
      const isSynchronous = async (): Promise<boolean> =>
        (await sql`select from pg_stat_replication where sync_state = 'sync'`).length === 1;
      if (!(await until(isSynchronous, STREAMS_WITHIN_MS))) throw new Error('the standby does not follow');
    });
  }

  /** The primary ends at once, with all transactions under way. */
  async crashPrimary(): Promise<void> {
    this.primary.server.kill();
    await this.primary.server.stop();
  }

  /** The primary takes no more writes; it still serves reads. */
  async makeReadOnly(): Promise<void> {
    await asOwner(this.primary.server.url, async (sql) => {
      await sql`alter system set default_transaction_read_only = on`;
      await sql`select pg_reload_conf()`;
    });
  }

  /** Promotes the standby, and then leads the address to it. The former primary runs on if it did not crash. */
  async failOver(): Promise<void> {
    const { standby } = this;
    if (!standby) throw new Error('there is no standby');
    await asOwner(standby.server.url, async (sql) => {
      const [row] = await sql<{ promoted: boolean }[]>`select pg_promote() as promoted`;
      if (row?.promoted !== true) throw new Error('the standby was not promoted');
    });
    this.former = this.primary;
    this.primary = standby;
    this.standby = undefined;
    this.address.leadTo(standby.options.port);
  }

  async stop(): Promise<void> {
    await this.address.close();
    // The standby first: a primary waits at its shutdown for a standby that lacks a part of its log.
    for (const member of [this.standby, this.primary, this.former]) await member?.server.stop();
  }

  kill(): void {
    for (const member of [this.standby, this.primary, this.former]) member?.server.kill();
  }
}
