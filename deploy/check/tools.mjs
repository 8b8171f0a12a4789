// Programs of Go that the checks need, each at a fixed version, compiled once into the user's cache folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUFFER = { maxBuffer: 256 * 1024 * 1024 };

/** The package of each program, and its version. */
const TOOLS = {
  helm: ['helm.sh/helm/v3/cmd/helm', 'v3.22.0'],
  kubeconform: ['github.com/yannh/kubeconform/cmd/kubeconform', 'v0.8.0'],
  promtool: ['github.com/prometheus/prometheus/cmd/promtool', 'v0.316.0'],
  // Makes a collector of the parts that its manifest names.
  builder: ['go.opentelemetry.io/collector/cmd/builder', 'v0.165.0'],
};
/** What `docker compose` reads a file with, and the package of it that deploy/check/compose uses. */
const COMPOSE = ['github.com/compose-spec/compose-go/v2/cli', 'v2.16.2'];
/** Of a collector that takes and passes on OTLP over HTTP, as versions of `builder`. */
const COLLECTOR_PARTS = {
  receivers: 'go.opentelemetry.io/collector/receiver/otlpreceiver',
  exporters: 'go.opentelemetry.io/collector/exporter/otlphttpexporter',
};

const here = path.dirname(fileURLToPath(import.meta.url));
const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);

const base = process.env.XDG_CACHE_HOME;
export const cache = path.join(
  base && path.isAbsolute(base) ? base : path.join(homedir(), '.cache'),
  'causeway',
  'deploy-tools',
);

const go = () =>
  [...(process.env.PATH ?? '').split(path.delimiter), '/usr/local/go/bin']
    .map((folder) => path.join(folder, 'go'))
    .find((file) => existsSync(file));

/** An OpenTelemetry collector, compiled if it is not in the cache yet. @throws with the reason if it cannot be had */
export async function provideCollector(say) {
  const [, version] = TOOLS.builder;
  const folder = path.join(cache, `collector-${version}`);
  const program = path.join(folder, 'collector');
  if (existsSync(program)) return program;
  const builder = await provide('builder', say);
  say(`collector ${version}: compiling, which takes minutes ...`);
  const unfinished = `${folder}.tmp-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    const parts = Object.entries(COLLECTOR_PARTS).map(([kind, module]) => [kind, [{ gomod: `${module} ${version}` }]]);
    const manifest = {
      dist: { name: 'collector', output_path: unfinished, go: go() },
      ...Object.fromEntries(parts),
    };
    const file = path.join(unfinished, 'builder.json');
    writeFileSync(file, JSON.stringify(manifest));
    await call(builder, ['--config', file]);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return program;
}

/** Our reader of Compose files, compiled if it is not in the cache yet. @throws with the reason if it cannot be had */
export async function provideCompose(say) {
  const [source, version] = COMPOSE;
  const file = path.join(here, 'compose/main.go');
  const folder = path.join(cache, `compose-${version}-${digestOf(file)}`);
  const program = path.join(folder, 'compose');
  if (existsSync(program)) return program;
  say(`compose-go ${version}: compiling ...`);
  const unfinished = `${folder}.tmp-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    copyFileSync(file, path.join(unfinished, 'main.go'));
    const at = { cwd: unfinished };
    await runGo(['mod', 'init', 'causeway/compose'], {}, at);
    await runGo(['get', `${source}@${version}`], {}, at);
    await runGo(['build', '-o', 'compose', '.'], {}, at);
    renameSync(unfinished, folder);
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim();
    throw new Error(`compose-go ${version} cannot be compiled: ${said.split('\n').at(-1)}`, {
      cause: error,
    });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return program;
}

/** Go's own command. @throws if there is none, or it fails */
export async function runGo(args, env = {}, options = {}) {
  const program = go();
  if (program === undefined) throw new Error('Go is not on this machine');
  const { stdout } = await run(program, args, {
    ...{ ...BUFFER, ...options, env: { ...process.env, ...env } },
  });
  return stdout;
}

/**
 * The program, compiled if it is not in the cache yet.
 * @throws with the reason if it cannot be had
 */
export async function provide(name, say) {
  const [source, version] = TOOLS[name];
  const folder = path.join(cache, `${name}-${version}`);
  const program = path.join(folder, name);
  if (existsSync(program)) return program;
  say(`${name} ${version}: compiling, which takes minutes ...`);
  const unfinished = `${folder}.tmp-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    await runGo(['install', `${source}@${version}`], { GOBIN: unfinished });
    const [made] = readdirSync(unfinished);
    renameSync(path.join(unfinished, made), path.join(unfinished, name));
    renameSync(unfinished, folder);
  } catch (error) {
    const said = String(error.stderr ?? error.message).trim();
    throw new Error(`${name} ${version} cannot be compiled: ${said.split('\n').at(-1)}`, {
      cause: error,
    });
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return program;
}

/** The folder of a Go module's sources, fetched if needed. */
export async function moduleFolder(name, version) {
  return JSON.parse(await runGo(['mod', 'download', '-json', `${name}@${version}`])).Dir;
}

/**
 * Runs a program.
 * @returns what it printed
 * @throws with that, if it fails
 */
export async function call(program, args, { input, ...options } = {}) {
  const running = run(program, args, { ...BUFFER, ...options });
  if (input !== undefined) running.child.stdin.end(input);
  try {
    const { stdout, stderr } = await running;
    return { stdout, stderr };
  } catch (error) {
    const said = [error.stdout, error.stderr].filter(Boolean).join('\n').trim();
    throw new Error(`${path.basename(program)} ${args[0] ?? ''}: ${said || error.message}`, {
      cause: error,
    });
  }
}
