import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FailpointFolder } from '../local/failpoint-folder';
import { writeFileAtomically } from '../local/files';
import { freePort } from '../local/ports';
import { startPostgres, type Postgres, type PostgresOptions } from '../local/postgres';
import { postgresUser, prepareHome } from '../local/postgres-user';
import { readPidFile, signalFamily } from '../local/processes';
import { allSettledOrThrow } from '../local/promises';
import { databaseUrlOf, letProcessesIn } from '../local/database-users';
import { roleEnvironment } from '../local/role-environment';
import { type RoleCommand, RoleProcess } from '../local/role-process';
import { loadSecrets, type Secrets } from '../local/secrets';
import { locate, temporalCli } from '../local/servers';
import { startTemporalOverPostgres } from '../local/temporal-over-postgres';
import { startTemporal, temporalFiles, type TemporalOptions, type TemporalServer } from '../local/temporal-server';
import { Balancer } from './balancer';
import { Member } from './member';
import { PointInTime } from './point-in-time';
import { PostgresClock } from './postgres-clock';
import { PostgresPair } from './postgres-pair';
import { SmallDisk } from './small-disk';

/** The number of processes of each role. */
export interface Size {
  readonly gateways: number;
  readonly workers: number;
  /** One by default: it serves the operator. */
  readonly graphs?: number;
  /** Whether clients reach gateways and graphs through balancers, and those drain before they stop, as in production. */
  readonly balanced?: boolean;
  /** Whether each process, and PostgreSQL, has a clock that can be moved. */
  readonly movesClocks?: boolean;
  /** The size of the disk that each server's data has to itself, megabytes; by default it has no limit. */
  readonly disk?: number;
  /** Whether PostgreSQL is a primary with a synchronous standby. */
  readonly standby?: boolean;
  /** Whether PostgreSQL archives its log, so that it can be restored to a moment. */
  readonly archives?: boolean;
  /** Whether Temporal is the server of production, over a PostgreSQL of its own. It cannot be started again. */
  readonly temporalOverPostgres?: boolean;
}

/** A server of the platform. */
export type ServerName = 'postgres' | 'temporal';

const PROGRAM = path.join(__dirname, '..', 'main.js');
/** Loaded before the program of a process whose clock can be moved. */
const MOVED_CLOCK = path.join(__dirname, 'moved-clock.js');
/** Longer than a balancer takes to notice that a process is not ready. */
const DRAIN_SECONDS = 4;

/**
 * The whole platform as real processes on free ports, its data in one folder, each of whose parts can be killed, frozen
 * or restarted separately. PostgreSQL keeps what it commits, Temporal what it acknowledged.
 */
export class Platform {
  readonly failpoints: FailpointFolder;
  /** The program of its members, unless it was replaced. */
  readonly program = PROGRAM;
  readonly gateways: Member[] = [];
  readonly workers: Member[] = [];
  readonly graphs: Member[] = [];
  /** Of the gateways, and of the graphs, if there are any. */
  readonly balancers: Balancer[] = [];
  private readonly disks = new Map<ServerName, SmallDisk>();
  /** The clock of PostgreSQL, if clocks can be moved. */
  postgresClock: PostgresClock | undefined;
  private postgres: Postgres | undefined;
  private pointInTime: PointInTime | undefined;
  private temporal: TemporalServer | undefined;
  /** Where clients reach the gateways. Addresses stay the same over restarts. */
  gatewayUrls: readonly string[] = [];
  graphqlUrl = '';
  databaseUrl = '';
  temporalAddress = '';

  private constructor(
    readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly secrets: Secrets,
    private postgresOptions: PostgresOptions,
    private readonly temporalOptions: TemporalOptions,
    private readonly size: Size,
  ) {
    this.failpoints = new FailpointFolder(path.join(folder, 'failpoints'));
  }

  /** @throws with the end of a log if a part does not start; started parts are stopped then */
  static async start(folder: string, env: NodeJS.ProcessEnv, size: Size, signal: AbortSignal): Promise<Platform> {
    const secrets = loadSecrets(folder, {});
    const logs = path.join(folder, 'logs');
    const [postgresPort, temporalPort] = [await freePort(), await freePort()];
    const platform = new Platform(
      folder,
      env,
      secrets,
      {
        dataDir: path.join(folder, 'postgres'),
        port: postgresPort,
        password: secrets.POSTGRES_PASSWORD,
        database: 'causeway',
        log: path.join(logs, 'postgres.log'),
        signal,
      },
      {
        binary: locate(temporalCli, env),
        ...temporalFiles(path.join(folder, 'temporal')),
        port: temporalPort,
        log: path.join(logs, 'temporal.log'),
        signal,
      },
      size,
    );
    try {
      if (size.disk !== undefined) platform.mountDisks(size.disk);
      if (size.movesClocks === true) platform.makeClock();
      if (size.archives === true) platform.postgresOptions = platform.backups.archiving;
      await platform.open();
      return platform;
    } catch (error) {
      await platform.stop();
      throw error;
    }
  }

  private mountDisks(megabytes: number): void {
    const home = prepareHome(this.postgresOptions.dataDir, postgresUser());
    this.disks.set('postgres', SmallDisk.mount(home, megabytes));
    this.disks.set('temporal', SmallDisk.mount(path.join(this.folder, 'temporal'), megabytes));
  }

  private makeClock(): void {
    const home = prepareHome(this.postgresOptions.dataDir, postgresUser());
    this.postgresClock = PostgresClock.compile(home);
    this.postgresOptions = { ...this.postgresOptions, env: this.postgresClock.env };
  }

  /** The disk of a server's data. @throws if it has none to itself */
  diskOf(server: ServerName): SmallDisk {
    const disk = this.disks.get(server);
    if (!disk) throw new Error(`${server} has no disk to itself`);
    return disk;
  }

  private async open(): Promise<void> {
    const { size } = this;
    await allSettledOrThrow([this.startPostgres(), this.startTemporal()]);
    await this.runOnce('migrate');
    await letProcessesIn(this.databaseUrl);
    const { graphs = 1 } = size;
    const graphUrls = await this.listeners('graph', this.graphs, graphs);
    const gatewayUrls = await this.listeners('gateway', this.gateways, size.gateways);
    for (let n = 1; n <= size.workers; n++) this.workers.push((await this.member('worker', `worker-${n}`)).member);
    await Promise.all(this.members.map((member) => member.serves()));
    this.gatewayUrls = await this.balance(gatewayUrls);
    const [graphUrl = ''] = await this.balance(graphUrls);
    this.graphqlUrl = `${graphUrl}/graphql`;
  }

  /** Starts processes of a role that listens. @returns their addresses */
  private async listeners(role: 'gateway' | 'graph', members: Member[], many: number): Promise<string[]> {
    const urls: string[] = [];
    for (let n = 1; n <= many; n++) {
      const { member, url } = await this.member(role, `${role}-${n}`);
      members.push(member);
      urls.push(url);
    }
    return urls;
  }

  /** @returns the addresses for clients of processes at these */
  private async balance(urls: readonly string[]): Promise<readonly string[]> {
    if (this.size.balanced !== true) return urls;
    const balancer = await Balancer.listen(urls);
    this.balancers.push(balancer);
    return [balancer.url];
  }

  /** All processes that an order depends on, and the operators' graphs. */
  get members(): Member[] {
    return [...this.gateways, ...this.workers, ...this.graphs];
  }

  async startPostgres(): Promise<void> {
    this.postgres =
      this.size.standby === true
        ? await PostgresPair.start(this.postgresOptions)
        : await startPostgres(this.postgresOptions);
    this.databaseUrl = this.postgres.url;
  }

  /** The primary and its standby. @throws if PostgreSQL is a single server */
  get pair(): PostgresPair {
    if (this.postgres instanceof PostgresPair) return this.postgres;
    throw new Error('PostgreSQL has no standby');
  }

  /** The backups of PostgreSQL. */
  get backups(): PointInTime {
    return (this.pointInTime ??= new PointInTime(this.postgresOptions));
  }

  /** Starts a server again if it has ended by itself, as a supervisor does. @returns whether it had */
  async restartIfEnded(server: ServerName): Promise<boolean> {
    const isRunning = Symbol('running');
    const process_ = server === 'postgres' ? this.postgres : this.temporal;
    if ((await Promise.race([process_?.ended, sleep(0, isRunning)])) === isRunning) return false;
    await (server === 'postgres' ? this.startPostgres() : this.startTemporal());
    return true;
  }

  /** An orderly shutdown: statements are aborted, and the data is flushed. */
  async stopPostgres(): Promise<void> {
    await this.postgres?.stop();
  }

  /** At once: the next start recovers from the log. */
  async crashPostgres(): Promise<void> {
    this.postgres?.kill();
    await this.postgres?.stop();
  }

  /** PostgreSQL crashes, its disk is lost, and its backup replaces it. What was committed after a moment is lost. */
  async putBackPostgres(to: Date): Promise<void> {
    await this.crashPostgres();
    this.postgresOptions = this.backups.putBack(to);
    await this.startPostgres();
    await this.backups.isBack(this.databaseUrl);
  }

  /** Freezes PostgreSQL: it accepts connections and bytes, and does not answer. */
  freezePostgres(): void {
    this.signalPostgres('SIGSTOP');
  }

  thawPostgres(): void {
    this.signalPostgres('SIGCONT');
  }

  async startTemporal(): Promise<void> {
    this.temporal =
      this.size.temporalOverPostgres === true
        ? await this.startTemporalOverPostgres()
        : await startTemporal(this.temporalOptions);
    this.temporalAddress = this.temporal.address;
  }

  private async startTemporalOverPostgres(): Promise<TemporalServer> {
    const { pidFile, log } = this.temporalOptions;
    return await startTemporalOverPostgres({
      folder: path.dirname(pidFile),
      pidFile,
      logs: path.dirname(log),
      password: this.secrets.POSTGRES_PASSWORD,
      env: this.env,
      // onOwnPlatform has provided the server.
      say: () => undefined,
    });
  }

  async stopTemporal(): Promise<void> {
    await this.temporal?.stop();
  }

  /** At once: what it acknowledged is in its file. */
  async killTemporal(): Promise<void> {
    this.temporal?.kill();
    await this.temporal?.stop();
  }

  /** Temporal returns without any of its data, as from a lost disk. */
  async loseTemporal(): Promise<void> {
    await this.stopTemporal();
    rmSync(path.join(this.folder, 'temporal'), { recursive: true, force: true });
    await this.startTemporal();
  }

  /** Sets the clock of a process. @param byMs ahead of this machine's; 0: right */
  moveClock({ name }: Member, byMs: number): void {
    writeFileAtomically(this.clockOf(name), String(byMs));
  }

  private clockOf(name: string): string {
    return path.join(this.folder, 'clocks', name);
  }

  /** Runs a command of the program to its end. @throws with the end of its log if it fails */
  async runOnce(command: string, program = PROGRAM): Promise<void> {
    const run = new RoleProcess({ ...this.command(command, 0), program });
    const how = await run.ended;
    if (how !== 'exit code 0') throw run.failure(`failed (${how})`);
  }

  /** Clients of a server are stopped before it. Each is stopped, even if another failed. */
  async stop(): Promise<void> {
    this.thawPostgres();
    await Promise.allSettled(this.members.map((member) => member.stop()));
    for (const balancer of this.balancers) balancer.close();
    await Promise.allSettled([this.temporal?.stop(), this.postgres?.stop()]);
    for (const disk of this.disks.values()) disk.unmount();
  }

  private async member(role: 'gateway' | 'graph' | 'worker', name: string): Promise<{ member: Member; url: string }> {
    const port = role === 'worker' ? 0 : await freePort();
    const member = new Member(name, this.command(role, port, name));
    return { member, url: `http://127.0.0.1:${port}` };
  }

  private command(role: string, port: number, name = role): RoleCommand {
    const [logDir, pidDir] = [path.join(this.folder, 'logs'), path.join(this.folder, 'run')];
    for (const made of [logDir, pidDir, path.join(this.folder, 'clocks')]) mkdirSync(made, { recursive: true });
    return {
      program: PROGRAM,
      role,
      env: {
        ...roleEnvironment(this.env, {
          secrets: this.secrets,
          databaseUrl: databaseUrlOf(role, this.databaseUrl, false),
          temporalAddress: this.temporalAddress,
          temporalUi: null,
          markerFolder: path.join(this.folder, 'marker'),
          gatewayPort: port,
          graphPort: port,
          gatewayMetricsPort: 0,
          workerMetricsPort: 0,
        }),
        // Production rehearses no failures.
        ...(this.env['CAUSEWAY_ENV'] !== 'production' && {
          CAUSEWAY_FAILPOINTS: path.join(this.folder, 'failpoints'),
        }),
        ...(this.size.balanced === true && { DRAIN_SECONDS: String(DRAIN_SECONDS) }),
        ...(this.size.movesClocks === true && {
          NODE_OPTIONS: `--require ${JSON.stringify(MOVED_CLOCK)}`,
          CHAOS_CLOCK: this.clockOf(name),
        }),
      },
      logDir,
      pidDir,
    };
  }

  private signalPostgres(signal: NodeJS.Signals): void {
    const server = readPidFile(path.join(this.folder, 'postgres', 'postgres.pid'));
    if (server) signalFamily(server, signal);
  }
}
