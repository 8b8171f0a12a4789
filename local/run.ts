import { rmSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from './data-folder';
import { provisionDemoTenant, type DemoTenant, type DemoTenantOptions } from './demo-tenant';
import { writeFileAtomically } from './files';
import { claimPorts } from './ports';
import { aborted, allSettledOrThrow } from './promises';
import { startPostgres, stopLeftoverPostgres } from './postgres';
import { databaseUrlOf, letProcessesIn } from './database-users';
import { roleEnvironment } from './role-environment';
import { Roles, stopLeftoverRoles } from './roles';
import { ensureKeysFile, loadSecrets } from './secrets';
import { catchMails, type MailCatcher } from './mail-catcher';
import { locate, temporalCli } from './servers';
import type { ServerProcess } from './server-process';
import { readSettings, type LocalSettings, type PortName } from './settings';
import { watchStopRequests } from './stop-request';
import { describeSandbox, type Sandbox, sandboxOperators } from './sandbox';
import { startTemporal, stopLeftoverTemporal, temporalFiles } from './temporal-server';

/** Replacements of the real roles, for tests. */
export interface LocalParts {
  readonly program: string;
  /** Loads a role's modules and waits to become it (`local/standby.mjs`). */
  readonly standbyProgram?: string;
  /** Whether one waits for each role's next start, so that it starts afresh fast. */
  readonly keepsStandbys?: boolean;
  readonly provision: (options: DemoTenantOptions) => Promise<DemoTenant>;
}

/** Restarts these roles with the current code, after a migration of the database if one is due. */
export type StartAfresh = (migrate: boolean, roles: readonly string[]) => Promise<void>;

interface TemporalPlace {
  readonly address: string;
  readonly ui: string | null;
}

/** The long-running roles, each a process. */
const ROLES = ['gateway', 'graph', 'worker'] as const;

/** The roles of the build. */
export const MAIN: LocalParts = {
  program: path.join(__dirname, '..', 'main.js'),
  standbyProgram: path.join(__dirname, '..', '..', 'local', 'standby.mjs'),
  provision: provisionDemoTenant,
};

/**
 * Runs everything on one machine until a request to stop (`npm start`).
 * @returns the exit code: 0 after a requested stop, 1 after a failure, which the terminal shows
 */
export async function runLocal(
  env: NodeJS.ProcessEnv,
  parts: LocalParts = MAIN,
  onReady: (startAfresh: StartAfresh) => void = () => undefined,
): Promise<number> {
  const started = Date.now();
  const say = (line: string): void => {
    console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);
  };
  // A closed terminal must not end us before everything else has ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  let release = (): void => undefined;
  try {
    const settings = readSettings(env);
    release = lockData(settings.dataDir);
    return await new LocalRun(env, settings, parts, say, onReady).run();
  } catch (error) {
    console.error(`\n${explain(error)}`);
    return 1;
  } finally {
    release();
  }
}

/** @throws if another run uses this data */
function lockData(dataDir: string): () => void {
  const lock = lockDataFolder(dataDir);
  if (typeof lock === 'function') return lock;
  throw new Error(
    `Causeway runs on ${dataDir} already (process ${lock.pid}). Stop that one, ` +
      'or set CAUSEWAY_DATA to another folder and the ports to 0 for a second one beside it.',
  );
}

/** One run from start to stop. */
class LocalRun {
  private readonly stopAsked = new AbortController();
  private readonly inData = (...parts: string[]): string => path.join(this.settings.dataDir, ...parts);
  private readonly servers: ServerProcess[] = [];
  private roles: Roles | undefined;
  private mails: MailCatcher | undefined;
  /** Why everything stops without a request. */
  private failure: string | undefined;

  constructor(
    private readonly env: NodeJS.ProcessEnv,
    private readonly settings: LocalSettings,
    private readonly parts: LocalParts,
    private readonly say: (line: string) => void,
    private readonly onReady: (startAfresh: StartAfresh) => void,
  ) {}

  async run(): Promise<number> {
    const unwatch = watchStopRequests(
      () => {
        this.say('stopping (Ctrl-C again kills everything) ...');
        this.stopAsked.abort();
      },
      () => {
        this.killAll();
      },
    );
    try {
      await this.startAll();
      await aborted(this.stopAsked.signal);
    } catch (error) {
      // Failures caused by the stop itself are not reported.
      if (!this.stopAsked.signal.aborted) this.failure = explain(error);
    }
    rmSync(this.inData('sandbox.json'), { force: true });
    await this.stopAll();
    unwatch();
    if (this.failure === undefined) {
      this.say('stopped; the data is kept');
      return 0;
    }
    console.error(`\n${this.failure}`);
    if (this.servers.length > 0) console.error('Everything was stopped; the data is kept. Start again with npm start.');
    return 1;
  }

  private async startAll(): Promise<void> {
    rmSync(this.inData('sandbox.json'), { force: true });
    await this.stopLeftovers();
    const ports = await claimPorts(this.settings.ports);
    const secrets = loadSecrets(this.settings.dataDir, this.env);
    const [databaseUrl, temporal] = await allSettledOrThrow([
      this.startDatabase(ports.postgres, secrets.POSTGRES_PASSWORD),
      this.startTemporal(ports),
    ]);
    const mailFolder = this.inData('mails');
    const mails = await catchMails(mailFolder);
    this.mails = mails;
    const purges = this.env['SANDBOX_PURGE_DAYS'] !== undefined;
    const roles = new Roles({
      program: this.parts.program,
      standbyProgram: this.parts.standbyProgram,
      keepsStandbys: this.parts.keepsStandbys,
      envOf: (role) =>
        roleEnvironment(this.env, {
          secrets,
          databaseUrl: this.ownsDatabase ? databaseUrlOf(role, databaseUrl, purges) : databaseUrl,
          temporalAddress: temporal.address,
          temporalUi: temporal.ui,
          markerFolder: this.inData('marker'),
          keysFile: ensureKeysFile(this.settings.dataDir),
          mail: { smtpUrl: mails.url, folder: mailFolder },
          ledgerHeads: this.inData('ledger-heads.jsonl'),
          gatewayPort: ports.gateway,
          gatewayProcesses: this.settings.gatewayProcesses,
          graphPort: ports.graph,
          gatewayMetricsPort: ports.gatewayMetrics,
          workerMetricsPort: ports.workerMetrics,
          graphMetricsPort: ports.graphMetrics || undefined,
        }),
      logDir: this.inData('logs'),
      pidDir: this.inData('run'),
      say: this.say,
      onGivenUp: (message) => {
        this.giveUp(message);
      },
    });
    this.roles = roles;
    // A gateway of several processes loads nothing itself.
    const oneGateway = this.settings.gatewayProcesses === '1';
    roles.prepare(ROLES.filter((role) => role !== 'gateway' || oneGateway));
    await this.unlessStopped(roles.runToEnd('migrate'));
    if (this.ownsDatabase) await letProcessesIn(databaseUrl);
    this.say('database migrated');
    const urls = await this.unlessStopped(this.startRoles(roles));
    const gateway = urls.gateway ?? `http://127.0.0.1:${ports.gateway}`;
    const graph = urls.graph ?? `http://127.0.0.1:${ports.graph}`;
    const operator = { login: secrets.OPERATOR_LOGIN, password: secrets.OPERATOR_PASSWORD };
    const graphql = `${graph}/graphql`;
    const tenant = await this.unlessStopped(
      this.parts.provision({ graphUrl: graphql, operator, dataDir: this.settings.dataDir }),
    );
    const sandbox: Sandbox = {
      merchantApi: `${gateway}/api/v1/merchant`,
      cashier: this.env['CASHIER_URL'] ?? `${gateway}/cashier`,
      graphql,
      console: `${graph}/console/`,
      temporalUi: temporal.ui,
      temporalAddress: temporal.address,
      databaseUrl,
      metrics: {
        gateway: `http://127.0.0.1:${ports.gatewayMetrics}/metrics`,
        graph: `${ports.graphMetrics ? `http://127.0.0.1:${ports.graphMetrics}` : graph}/metrics`,
        worker: `http://127.0.0.1:${ports.workerMetrics}/metrics`,
      },
      ...tenant,
      operator,
      operators: sandboxOperators(secrets),
      mails: mailFolder,
    };
    writeFileAtomically(this.inData('sandbox.json'), `${JSON.stringify(sandbox, null, 2)}\n`);
    this.say('ready');
    console.log(`\n${describeSandbox(sandbox, this.inData('sandbox.json'))}\n`);
    this.onReady(async (migrate, changed) => {
      if (migrate) await roles.runToEnd('migrate');
      await roles.startAfresh(changed);
    });
  }

  private async stopLeftovers(): Promise<void> {
    const pidDir = this.inData('run');
    const roles = await stopLeftoverRoles(pidDir, ['migrate', ...ROLES]);
    const temporal = await stopLeftoverTemporal(this.temporalFiles.pidFile);
    const postgres = await stopLeftoverPostgres(this.inData('postgres'));
    if (roles || temporal || postgres) this.say('stopped what a killed run had left running');
  }

  /** Where the server is another's, its owner says who connects as whom. */
  private get ownsDatabase(): boolean {
    return this.settings.databaseUrl === undefined;
  }

  private async startDatabase(port: number, password: string): Promise<string> {
    if (this.settings.databaseUrl !== undefined) {
      this.say('PostgreSQL: the one at DATABASE_URL');
      return this.settings.databaseUrl;
    }
    const server = await startPostgres({
      dataDir: this.inData('postgres'),
      port,
      password,
      database: 'causeway',
      log: this.inData('logs', 'postgres.log'),
      signal: this.stopAsked.signal,
    });
    this.watch('PostgreSQL', 'postgres.log', server);
    return server.url;
  }

  private get temporalFiles(): ReturnType<typeof temporalFiles> {
    return temporalFiles(this.inData('temporal'));
  }

  private async startTemporal(ports: Record<PortName, number>): Promise<TemporalPlace> {
    const { temporalAddress } = this.settings;
    if (temporalAddress !== undefined) {
      this.say('Temporal: the one at TEMPORAL_ADDRESS');
      return { address: temporalAddress, ui: this.env['TEMPORAL_UI_URL'] ?? null };
    }
    const server = await startTemporal({
      binary: locate(temporalCli, this.env),
      ...this.temporalFiles,
      port: ports.temporal,
      uiPort: ports.temporalUi,
      log: this.inData('logs', 'temporal.log'),
      signal: this.stopAsked.signal,
    });
    this.watch('Temporal', 'temporal.log', server);
    return { address: server.address, ui: server.uiUrl ?? null };
  }

  /** The roles depend on the servers: a server's end stops everything. */
  private watch(name: string, log: string, server: ServerProcess): void {
    this.servers.push(server);
    this.say(`${name} serves`);
    void server.ended.then((how) => {
      this.giveUp(`${name} ended (${how}). Its log: ${this.inData('logs', log)}`);
    });
  }

  private async startRoles(roles: Roles): Promise<Record<(typeof ROLES)[number], string | undefined>> {
    const start = async (role: string): Promise<string | undefined> => {
      const url = await roles.start(role);
      this.say(`${role} serves${url === undefined ? '' : ` at ${url}`}`);
      return url;
    };
    const [gateway, graph, worker] = await Promise.all([start('gateway'), start('graph'), start('worker')]);
    return { gateway, graph, worker };
  }

  private giveUp(message: string): void {
    if (this.stopAsked.signal.aborted) return;
    this.failure = message;
    this.stopAsked.abort();
  }

  private unlessStopped<T>(work: Promise<T>): Promise<T> {
    return Promise.race([
      work,
      aborted(this.stopAsked.signal).then(() => Promise.reject(new Error('stopped during the start'))),
    ]);
  }

  /** Stops the users of a server before the server. Each is tried, even if another failed. */
  private async stopAll(): Promise<void> {
    const steps = [
      () => this.roles?.stop(),
      () => this.mails?.close(),
      ...this.servers.map((server) => () => server.stop()).reverse(),
    ];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        this.failure = [this.failure, explain(error)].filter(Boolean).join('\n');
      }
    }
  }

  private killAll(): void {
    this.say('killing everything');
    this.roles?.kill();
    for (const server of this.servers) server.kill();
  }
}

/** An Error of ours says what to do; any other class is a bug, and its stack shows where. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.constructor === Error ? error.message : (error.stack ?? error.message);
}
