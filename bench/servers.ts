import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import postgres, { type Sql } from 'postgres';
import { migrate } from '../db/migrate';
import { lockDataFolder } from '../local/data-folder';
import { freePort } from '../local/ports';
import { readPidFile } from '../local/processes';
import { allSettledOrThrow } from '../local/promises';
import { startPostgres, stopLeftoverPostgres } from '../local/postgres';
import { stopLeftoverRoles } from '../local/roles';
import type { ServerProcess } from '../local/server-process';
import { locate, temporalCli } from '../local/servers';
import { startTemporalOverPostgres } from '../local/temporal-over-postgres';
import { startTemporal, stopLeftoverTemporal, temporalFiles } from '../local/temporal-server';
import type { Watched } from './cpu';

/** Holds the servers' data while a bench runs; ignored by git. On a real disk, so that commits have their real cost. */
export const FOLDER = path.resolve('.causeway-bench');
/** Holds what Temporal keeps: the file of its development server, as `npm start` has it, or its PostgreSQL. */
const TEMPORAL = 'temporal';
const postgresIn = (folder: string): string => path.join(folder, 'postgres');
const temporalIn = (folder: string): string => path.join(folder, TEMPORAL);
const temporalPidIn = (folder: string): string => temporalFiles(temporalIn(folder)).pidFile;
/** Where a bench's roles record their processes, below the folder. */
export const PID_FOLDERS = ['platform', 'operator', 'another', 'floor'] as const;
const ROLES = ['gateway', 'graph', 'worker'];

/** The environment of a figure. */
export interface ServerDescription {
  readonly cores: number;
  readonly node: string;
  readonly postgres?: string;
  readonly temporal?: string;
}

export const THIS_MACHINE: ServerDescription = {
  cores: availableParallelism(),
  node: process.versions.node,
};

/** The servers of one bench. */
export interface Servers {
  readonly folder: string;
  /** A migrated, empty database. */
  readonly databaseUrl: string;
  /** host:port and namespace; undefined unless asked for. */
  readonly temporal: { readonly address: string; readonly namespace: string } | undefined;
  /** The servers that the bench itself started, to be watched. */
  readonly own: readonly Watched[];
  readonly description: ServerDescription;
  close(): Promise<void>;
}

/** What a bench needs beside PostgreSQL. */
export interface Needs {
  readonly temporal: boolean;
  /** Whether that is a server over PostgreSQL, as in production, instead of the development server. */
  readonly temporalOverPostgres?: boolean;
  /** Whether pg_stat_statements counts statements, if the server has it. */
  readonly countStatements: boolean;
}

/**
 * Starts PostgreSQL and, where it is needed, Temporal: as `npm start` does, with the same safety settings as
 * production. DATABASE_URL and TEMPORAL_ADDRESS name other servers to use; there the bench creates a database of its
 * own and drops it.
 * @param folder of their data
 * @throws if another bench runs there
 */
export async function openServers(needs: Needs, env: NodeJS.ProcessEnv, folder: string): Promise<Servers> {
  const release = lockDataFolder(folder);
  if (typeof release !== 'function') throw new Error(`another bench runs in this folder (process ${release.pid})`);
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of closing.reverse()) await step();
    release();
  };
  try {
    await removeLeftovers(folder);
    const place = { folder, env, closing };
    const [database, temporal] = await allSettledOrThrow([
      openDatabaseServer(needs, place),
      needs.temporal ? openTemporalServer(needs, place) : Promise.resolve(undefined),
    ]);
    return {
      folder,
      databaseUrl: database.url,
      temporal: temporal && { address: temporal.address, namespace: temporal.namespace },
      own: [
        ...watch('PostgreSQL', path.join(postgresIn(folder), 'postgres.pid'), true),
        ...watch('the Temporal server', temporalPidIn(folder)),
        ...watch("Temporal's PostgreSQL", path.join(postgresIn(temporalIn(folder)), 'postgres.pid'), true),
      ],
      description: {
        ...THIS_MACHINE,
        postgres: database.description,
        ...(temporal && { temporal: temporal.description }),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A killed bench leaves its servers and roles running. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const roles of PID_FOLDERS) await stopLeftoverRoles(path.join(folder, roles), ROLES);
  await stopLeftoverPostgres(postgresIn(folder));
  await stopLeftoverTemporal(temporalPidIn(folder));
  await stopLeftoverPostgres(postgresIn(temporalIn(folder)));
  for (const name of ['postgres', TEMPORAL, 'logs', 'secrets.json', ...PID_FOLDERS])
    rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** The process in a pid file, if it runs. */
export function watch(name: string, pidFile: string, family = false): Watched[] {
  const pid = readPidFile(pidFile)?.pid;
  return pid === undefined ? [] : [{ name, pid, family }];
}

/** What ends something, in the order of its start. */
export type Steps = (() => Promise<void>)[];

/** Where servers start. */
interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** How to stop what was started. */
  readonly closing: Steps;
}

const stopping =
  (server: ServerProcess): (() => Promise<void>) =>
  async () => {
    await server.stop();
  };

async function openDatabaseServer(
  { countStatements }: Needs,
  place: Place,
): Promise<{ url: string; description: string }> {
  const given = place.env['DATABASE_URL'] ?? '';
  const [url, kind] =
    given === ''
      ? [await startOwnPostgres(countStatements, place), 'embedded']
      : [await makeDatabase(given, place.closing), 'at DATABASE_URL'];
  await migrate(url, 'sandbox');
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return { url, description: await describePostgres(sql, kind) };
  } finally {
    await sql.end();
  }
}

async function startOwnPostgres(countStatements: boolean, { folder, closing }: Place): Promise<string> {
  const server = await startPostgres({
    dataDir: postgresIn(folder),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    database: 'causeway',
    log: path.join(folder, 'logs', 'postgres.log'),
    settings: countStatements ? ['shared_preload_libraries=pg_stat_statements'] : [],
  });
  closing.push(stopping(server));
  return server.url;
}

/** A database beside the given one, only for the bench. */
export async function makeDatabase(given: string, closing: Steps): Promise<string> {
  const name = `causeway_bench_${randomBytes(4).toString('hex')}`;
  const admin = postgres(given, { max: 1, onnotice: () => undefined });
  closing.push(async () => {
    await admin`drop database if exists ${admin(name)} with (force)`;
    await admin.end();
  });
  await admin`create database ${admin(name)}`;
  const url = new URL(given);
  url.pathname = `/${name}`;
  return url.href;
}

async function describePostgres(sql: Sql, kind: string): Promise<string> {
  const [row] = await sql<Record<'version' | 'fsync' | 'commit' | 'pages', string>[]>`
    select current_setting('server_version') as version, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages`;
  if (!row) throw new Error('PostgreSQL did not report its settings');
  const { version, fsync, commit, pages } = row;
  const durable = fsync === 'on' && commit === 'on' && pages === 'on';
  const settings = `fsync ${fsync}, synchronous_commit ${commit}, full_page_writes ${pages}`;
  return `${version}, ${kind}, ${durable ? 'durable' : 'NOT DURABLE'} (${settings})`;
}

interface TemporalPlace {
  readonly address: string;
  readonly namespace: string;
  readonly description: string;
}

async function openTemporalServer({ temporalOverPostgres }: Needs, place: Place): Promise<TemporalPlace> {
  const { env } = place;
  const given = env['TEMPORAL_ADDRESS'] ?? '';
  const own = given === '';
  const namespace = env['TEMPORAL_NAMESPACE'] ?? 'default';
  const start = temporalOverPostgres === true ? startOwnOverPostgres : startOwnTemporal;
  const address = own ? await start(place) : given;
  const ours = temporalOverPostgres === true ? 'over PostgreSQL' : 'development server, on disk';
  const kind = own ? ours : 'at TEMPORAL_ADDRESS';
  return { address, namespace, description: await describeTemporal(address, kind) };
}

async function startOwnTemporal({ folder, closing }: Place): Promise<string> {
  const server = await startTemporal({
    binary: locate(temporalCli, process.env),
    ...temporalFiles(temporalIn(folder)),
    port: await freePort(),
    log: path.join(folder, 'logs', 'temporal.log'),
  });
  closing.push(stopping(server));
  return server.address;
}

async function startOwnOverPostgres({ folder, closing }: Place): Promise<string> {
  const server = await startTemporalOverPostgres({
    folder: temporalIn(folder),
    password: randomBytes(16).toString('hex'),
    logs: path.join(folder, 'logs'),
    pidFile: temporalPidIn(folder),
    env: process.env,
    say: console.log,
  });
  closing.push(stopping(server));
  return server.address;
}

async function describeTemporal(address: string, kind: string): Promise<string> {
  const connection = await Connection.connect({ address });
  try {
    const { serverVersion, persistenceStore, historyShardCount } = await connection.workflowService.getClusterInfo({});
    return `${serverVersion}, ${kind} (persistence ${persistenceStore}, ${historyShardCount} shards)`;
  } finally {
    await connection.close();
  }
}
