import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { stopLeftover, type StopStep } from './processes';
import { startServer, type ServerProcess } from './server-process';

export interface TemporalOptions {
  /** The Temporal CLI. */
  readonly binary: string;
  /** The file that keeps workflows over restarts; without it they are only in memory. */
  readonly dbFile?: string;
  readonly port: number;
  /** The port of the UI; without it there is none. */
  readonly uiPort?: number;
  /** Further settings of the server, by their names in its dynamic configuration. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  readonly log: string;
  readonly pidFile: string;
  readonly signal?: AbortSignal;
}

export interface TemporalServer extends ServerProcess {
  readonly address: string;
  readonly uiUrl: string | undefined;
}

/** The signals that stop a server, in their order. */
export const STOP: readonly StopStep[] = [
  ['SIGTERM', 5_000],
  ['SIGKILL', 2_000],
];

/** Settings of every server of ours, by their names in its dynamic configuration. */
export const SETTINGS = {
  // Long polls that a namespace may hold. A few workers and waiting updates together exceed the default of 1,200, and
  // refused polls are retried only after a pause.
  'frontend.namespaceCount': 20_000,
  // Within a priority, merchants take turns.
  'matching.enableFairness': true,
} as const;
const SQLITE_SETTINGS = {
  // SQLite runs one statement at a time. Many timers that fire at once, as when orders expire, must not delay all
  // calls.
  'history.timerProcessorSchedulerWorkerCount': 2,
  'history.transferProcessorSchedulerWorkerCount': 8,
  // The list of workflows has some forty indexes: a write to it costs as much as all else of a short workflow. One
  // writer lets the calls of money pass, and a workflow that ended meanwhile is written once instead of twice.
  'history.visibilityProcessorSchedulerWorkerCount': 1,
  // The development server would read its registered search attributes for each use, nine statements a workflow. So it
  // knows new ones two seconds later: until then the relay's rows are refused, and retried.
  'system.forceSearchAttributesCacheRefreshOnRead': false,
};

/**
 * Go's garbage collector runs at four times its usual distance, until the server holds so much memory: SQLite in Go makes
 * much garbage. The environment may say otherwise.
 */
const MEMORY = { GOGC: '400', GOMEMLIMIT: '1GiB' };

/**
 * With a write-ahead log a commit to the file needs no fsync; with SQLite's defaults it needs several. Nothing is lost when
 * the process ends. A power cut may lose the last commits: the sweeps then do as after the loss of all (docs/disaster.md).
 */
const FILE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];

/** The namespace of everything. */
export const NAMESPACE = 'default';

/** A server's files in the folder that is its own: its workflows, and its process. */
export const temporalFiles = (folder: string): { dbFile: string; pidFile: string } => ({
  dbFile: path.join(folder, 'temporal.db'),
  pidFile: path.join(folder, 'temporal.pid'),
});

/**
 * A Temporal development server on 127.0.0.1; resolves when its namespace answers.
 * @throws if it does not start, with the end of its log
 */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const { binary, dbFile, port, uiPort, log, pidFile, signal } = options;
  const settings = { ...SETTINGS, ...SQLITE_SETTINGS, ...options.settings };
  await stopLeftoverTemporal(pidFile);
  mkdirSync(path.dirname(pidFile), { recursive: true });
  if (dbFile !== undefined) {
    mkdirSync(path.dirname(dbFile), { recursive: true });
    // The server writes files that everybody may read: order numbers and amounts.
    chmodSync(path.dirname(dbFile), 0o700);
  }
  const address = `127.0.0.1:${port}`;
  const server = await startServer({
    name: 'Temporal',
    command: binary,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
      ...(dbFile === undefined
        ? []
        : [
            ...['--db-filename', path.resolve(dbFile)],
            ...FILE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
          ]),
      ...Object.entries(settings).flatMap(([name, value]) => [
        '--dynamic-config-value',
        `${name}=${JSON.stringify(value)}`,
      ]),
      ...['--log-level', 'warn'],
    ],
    env: { ...MEMORY, ...process.env },
    log,
    pidFile,
    stopSteps: STOP,
    killSignal: 'SIGKILL',
    isReady: () => serves(address),
    signal,
  });
  const uiUrl = uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`;
  return { ...server, address, uiUrl };
}

/**
 * Stops the server that a killed run left.
 * @returns whether there was one
 */
export const stopLeftoverTemporal = (pidFile: string): Promise<boolean> => stopLeftover(pidFile, STOP);

async function serves(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address, connectTimeout: 1_000 });
  try {
    await connection.withDeadline(Date.now() + 1_000, () =>
      connection.workflowService.describeNamespace({ namespace: NAMESPACE }),
    );
    return true;
  } catch {
    // Whatever the reason, it does not serve yet; startServer gives up after its deadline and shows the log.
    return false;
  } finally {
    await connection.close();
  }
}
