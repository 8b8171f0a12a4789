// What npm start, npm test and npm run demo do first (launch.mjs): prepares a fresh clone so that its code can run, or
// finds quickly that nothing is missing. Plain Node: there may be no node_modules yet. The next run repairs a kill at any
// moment, because the record of a finished step is written last.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isFetched, isIn } from './node.mjs';
import { repair } from './repair.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const started = Date.now();

const inRoot = (...parts) => path.join(root, ...parts);
/** The command that is running. */
const childFile = inRoot('.causeway-setup', 'child');
const say = (line) => console.log(`${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

/** Ends the set-up with advice. */
class SetupError extends Error {}

/** Of package.json's engines, such as "^20.19 || ^22.12 || >=24", whose last one is the one to install. */
function checkNode() {
  const { engines } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  if (isIn(engines.node, process.versions.node)) return;
  const newest = /(\d+)[\d.]*$/.exec(engines.node)[1];
  throw new SetupError(
    `Node.js ${engines.node} is needed, this is ${process.versions.node}: install Node.js ${newest}.`,
  );
}

/**
 * Waits for a set-up that another terminal runs; breaks the lock of a dead one.
 * @returns a function that releases the lock
 */
async function takeLock() {
  const file = inRoot('.causeway-setup', 'lock');
  const own = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(own, `${process.pid} ${path.basename(process.argv[1])}`);
  let announced = false;
  try {
    for (;;) {
      try {
        linkSync(own, file);
        const release = () => {
          rmSync(file, { force: true });
          process.off('exit', release);
        };
        process.once('exit', release);
        return release;
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = readIfThere(file);
      const [pid, command] = holder.split(' ');
      if (isProcess(Number(pid), command)) {
        if (!announced) say(`waiting for the set-up that runs already (process ${pid})`);
        announced = true;
        await sleep(200);
      } else {
        breakLock(file, holder);
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

function breakLock(file, holder) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    // Another process was faster and has the lock: give it back.
    if (readIfThere(aside) !== holder) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

/** The number may belong to another process now, so the command line is compared where possible. */
function isProcess(pid, command) {
  if (!pid || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, 'utf8').includes(command);
}

/** A set-up that was killed may leave its npm or compiler running, which must not write while the next one runs. */
function stopLeftover() {
  const [pid, command] = readIfThere(childFile).split(' ');
  rmSync(childFile, { force: true });
  if (!pid) return;
  const leaderIsGone = !isProcess(Number(pid), '');
  if (leaderIsGone || isProcess(Number(pid), command)) signalGroup(Number(pid), 'SIGKILL');
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

async function install() {
  const lockfile = readFileSync(inRoot('package-lock.json'));
  const wanted = createHash('sha256')
    .update(lockfile)
    .update(readFileSync(inRoot('package.json')))
    .digest('hex');
  const marker = inRoot('node_modules', '.causeway-installed');
  if (readIfThere(marker) === wanted) {
    say('dependencies: in place');
    repairInstalled();
    return;
  }
  if (isInstalled(JSON.parse(lockfile))) {
    say('dependencies: in place, from your own npm install');
  } else {
    say('dependencies: npm ci ...');
    // npm's own record of a finished install is deleted first: after an interruption it would vouch for a partial
    // folder.
    rmSync(inRoot('node_modules', '.package-lock.json'), { force: true });
    await run('npm', ['ci', '--loglevel=error'], 'dependencies: still installing').catch(() => {
      throw new SetupError(
        'npm ci failed: see its output above. It needs the npm registry: behind a proxy or with a mirror ' +
          'set HTTPS_PROXY or npm_config_registry, then run the same command again.',
      );
    });
    say('dependencies: installed');
  }
  repairInstalled();
  writeFileSync(marker, wanted);
}

/** However they were installed: npm may have run neither their scripts nor ours. */
function repairInstalled() {
  try {
    for (const line of repair(root)) say(`dependencies: ${line}`);
  } catch (error) {
    throw new SetupError(error.message, { cause: error });
  }
}

/** Whether npm's record of node_modules agrees with the lock file. */
function isInstalled(lockfile) {
  const record = readIfThere(inRoot('node_modules', '.package-lock.json'));
  if (record === '') return false;
  const { packages } = JSON.parse(record);
  return Object.entries(lockfile.packages).every(
    ([name, wanted]) =>
      name === '' || (packages[name] ? packages[name].version === wanted.version : wanted.optional === true),
  );
}

/** Also beside a finished build, which has made them, they may be missing, and jest and eslint read them. */
async function makeTypes() {
  const script = inRoot('local', 'typegen.mjs');
  await run(process.execPath, [script, 'dist'], 'types: still generating').catch(() => {
    throw new SetupError('The types of GraphQL operations could not be generated: see above.');
  });
}

async function build() {
  const marker = inRoot('dist', '.causeway-built');
  const wanted = hashSources();
  if (readIfThere(marker) === wanted) return say('build: up to date');
  say('build: compiling ...');
  await run(process.execPath, [inRoot('local', 'build.mjs')], 'build: still compiling').catch(() => {
    throw new SetupError('The build failed: see its output above.');
  });
  writeFileSync(marker, wanted);
  say('build: done');
}

/** Hashes everything that the build reads: our sources, and the compilers. */
function hashSources() {
  const hash = createHash('sha256');
  const take = (file) => hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  const skipped = new Set(['node_modules', 'dist', 'coverage', 'docs', 'generated']);
  const walk = (folder) => {
    for (const { name } of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (name.startsWith('.') || skipped.has(name)) continue;
      const file = path.join(folder, name);
      if (statSync(file).isDirectory()) walk(file);
      else if (/\.(ts|tsx|mjs|cjs|js|json|sql|graphql|css|html|svg)$/.test(name)) take(file);
    }
  };
  walk(root);
  take(inRoot('.swcrc'));
  return hash.update(process.versions.node).digest('hex');
}

/** The code just built decides which servers there are, and their sources. */
async function provideServers(purpose) {
  const script = inRoot('dist', 'local', 'provide-servers.js');
  await run(process.execPath, [script, purpose], 'servers: still fetching').catch(() => {
    throw new SetupError('A server is missing: see above.');
  });
}

/** Runs a command; prints each of its lines with the time, and a line every 15 seconds while it is silent. */
async function run(command, args, patience) {
  const sign = setInterval(() => say(patience), 15_000);
  // In a group of its own, so that it can be stopped with everything that it started.
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const passOn = (signal) => {
    if (child.pid) signalGroup(child.pid, 'SIGTERM');
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  signals.forEach((signal) => process.once(signal, passOn));
  try {
    if (child.pid) writeFileSync(childFile, `${child.pid} ${path.basename(args[0])}`);
    createInterface({ input: child.stdout }).on('line', (line) => line.trim() && say(line));
    await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))));
    });
  } finally {
    rmSync(childFile, { force: true });
    signals.forEach((signal) => process.off(signal, passOn));
    clearInterval(sign);
  }
}

/**
 * Sets up for a purpose: `build`, or `start` or `test`, which also need servers.
 * @returns whether everything is in place; if not, the next step has been printed, and the exit code is 1
 */
export async function setUp(purpose) {
  try {
    if (!['start', 'test', 'build'].includes(purpose))
      throw new SetupError(`Nothing is set up for ${purpose}: start, test or build.`);
    checkNode();
    const instead = isFetched() ? ' from the cache, because this machine has an older one' : '';
    say(`Node.js ${process.versions.node}${instead}`);
    const release = await takeLock();
    try {
      stopLeftover();
      await install();
      await build();
      await makeTypes();
      if (purpose !== 'build') await provideServers(purpose);
    } finally {
      release();
    }
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
    return false;
  }
}
