import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { freePort } from './ports';
import { startPostgres } from './postgres';
import { startServer } from './server-process';
import { provide, temporalServer } from './servers';
import { NAMESPACE, SETTINGS, STOP, type TemporalServer } from './temporal-server';

export interface TemporalOverPostgresOptions {
  /** The folder of its data, which is new. */
  readonly folder: string;
  readonly password: string;
  readonly logs: string;
  /** Where the server's process is recorded. */
  readonly pidFile: string;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

const run = promisify(execFile);

const PLUGIN = 'postgres12';
const USER = 'causeway';
/** The database of each schema of the server. */
const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' } as const;
/** A single machine needs few. It can never be changed. */
const SHARDS = 4;
const CONNECTIONS = { temporal: 20, visibility: 10 } as const;
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
const ALREADY_EXISTS = 6;

/**
 * A Temporal server as production runs it, in one process on 127.0.0.1, over a PostgreSQL of its own; resolves when its
 * namespace answers. The server is compiled the first time, which takes minutes and needs Go.
 * @throws if it does not start, with the end of its log
 */
export async function startTemporalOverPostgres(options: TemporalOverPostgresOptions): Promise<TemporalServer> {
  const { folder, password, logs, pidFile, env, say } = options;
  const program = await provide(temporalServer, env, say);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const postgres = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    port,
    password,
    database: DATABASES.temporal,
    log: path.join(logs, 'temporal-postgres.log'),
  });
  try {
    await makeSchemas(path.join(path.dirname(program), 'sql'), port, password);
    const ports = await servicePorts();
    const address = `127.0.0.1:${ports.frontend.grpc}`;
    const server = await startServer({
      name: 'Temporal',
      command: program,
      args: ['--config-file', writeConfig(folder, port, password, ports), '--allow-no-auth', 'start'],
      log: path.join(logs, 'temporal.log'),
      pidFile,
      stopSteps: STOP,
      killSignal: 'SIGKILL',
      isReady: () => hasNamespace(address),
    });
    return {
      ...server,
      address,
      uiUrl: undefined,
      stop: async () => {
        await server.stop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** Creates the tables of the server's two databases with its own tool. */
async function makeSchemas(tool: string, port: number, password: string): Promise<void> {
  for (const [schema, database] of Object.entries(DATABASES)) {
    const place = [
      ...['--plugin', PLUGIN, '--endpoint', '127.0.0.1', '--port', String(port)],
      ...['--user', USER, '--password', password, '--database', database],
    ];
    const tells = async (...command: string[]): Promise<void> => {
      await run(tool, [...place, ...command]);
    };
    if (database !== DATABASES.temporal) await tells('create-database', '--defaultdb', 'postgres');
    await tells('setup-schema', '--version', '0.0');
    await tells('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

type ServicePorts = Readonly<Record<(typeof SERVICES)[number], { readonly grpc: number; readonly membership: number }>>;

async function servicePorts(): Promise<ServicePorts> {
  const entries: [string, { grpc: number; membership: number }][] = [];
  for (const service of SERVICES) entries.push([service, { grpc: await freePort(), membership: await freePort() }]);
  return Object.fromEntries(entries) as ServicePorts;
}

/** Writes the server's configuration; JSON is YAML too. @returns its file */
function writeConfig(folder: string, port: number, password: string, ports: ServicePorts): string {
  const dynamic = path.join(folder, 'dynamic.yaml');
  const settings = Object.entries(SETTINGS).map(([name, value]) => [name, [{ value }]] as const);
  writeFileSync(dynamic, JSON.stringify(Object.fromEntries(settings)));
  const store = (schema: keyof typeof DATABASES) => ({
    sql: {
      pluginName: PLUGIN,
      databaseName: DATABASES[schema],
      connectProtocol: 'tcp',
      connectAddr: `127.0.0.1:${port}`,
      user: USER,
      password,

      maxConns: CONNECTIONS[schema],
      maxIdleConns: CONNECTIONS[schema],
      maxConnLifetime: '1h',
    },
  });
  const services = SERVICES.map((service) => {
    const { grpc, membership } = ports[service];
    return [service, { rpc: { grpcPort: grpc, membershipPort: membership, bindOnLocalHost: true } }] as const;
  });
  const config = {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: SHARDS,
      datastores: { default: store('temporal'), visibility: store('visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(services),
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.frontend.grpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '60s' },
  };
  const file = path.join(folder, 'config.yaml');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/** Creates the namespace, once the server serves. @returns whether it does */
async function hasNamespace(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address, connectTimeout: 1_000 });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.registerNamespace({
        namespace: NAMESPACE,
        workflowExecutionRetentionPeriod: msToTs('1 day'),
      }),
    );
    return true;
  } catch (error) {
    // Whatever else the reason, it does not serve yet; startServer gives up after its deadline and shows the log.
    return isGrpcServiceError(error) && (error.code as number) === ALREADY_EXISTS;
  } finally {
    await connection.close();
  }
}
