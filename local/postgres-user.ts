import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, existsSync, lstatSync } from 'node:fs';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { isExitCode } from './processes';

/** PostgreSQL refuses to run as root, so root starts it as this user. */
const NAME = 'postgres';
/** Where a cluster lives when its user may not enter the project's own folder, for example under /root. */
const OUTSIDE = '/var/lib/causeway';

export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that PostgreSQL runs as; undefined means ourselves.
 * @throws if we are root, there is no such user, and none can be created
 */
export function postgresUser(): PostgresUser | undefined {
  if (userInfo().uid !== 0) return undefined;
  try {
    return lookUp();
  } catch {
    // There is no such user yet: it is created below, and a second failure is reported.
  }
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', NAME], {
      stdio: 'pipe',
    });
    return lookUp();
  } catch (cause) {
    throw new Error(
      'PostgreSQL does not run as root, and a user for it could not be created. ' +
        `Create one (useradd --system ${NAME}), start as an ordinary user, or set DATABASE_URL to a server of yours.`,
      { cause },
    );
  }
}

function lookUp(): PostgresUser {
  const id = (flag: string): number => Number(execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: 'pipe' }));
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * The folder for a cluster: the requested one or, if PostgreSQL's user may not enter it, one outside, to which the
 * requested path links. The link owns the data: an outside folder without a link is a leftover.
 */
export function prepareHome(folder: string, user: PostgresUser | undefined): string {
  const wanted = path.resolve(folder);
  mkdirSync(path.dirname(wanted), { recursive: true });
  if (!user || canEnter(path.dirname(wanted), user)) {
    mkdirSync(wanted, { recursive: true, mode: 0o755 });
    if (user) chmodSync(wanted, 0o755);
    return realpathSync(wanted);
  }
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const home = path.join(OUTSIDE, name);
  if (!lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(home, { recursive: true, force: true });
    rmSync(wanted, { recursive: true, force: true });
    symlinkSync(home, wanted);
  }
  mkdirSync(home, { recursive: true, mode: 0o755 });
  for (const folder of [OUTSIDE, home]) chmodSync(folder, 0o755);
  return home;
}

/** The server's programs in a place where its user may run them: the original, or a copy outside, made once. */
export function reachablePrograms(programs: string, user: PostgresUser | undefined, version: string): string {
  if (!user || canEnter(path.join(programs, 'bin'), user)) return programs;
  const copy = path.join(OUTSIDE, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}.tmp`;
  cpSync(programs, unfinished, { recursive: true, verbatimSymlinks: true });
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, copy);
  return copy;
}

export function handOver(file: string, user: PostgresUser | undefined): void {
  if (user) chownSync(file, user.uid, user.gid);
}

/** Asks the system itself, so that access lists and mounts count too. */
function canEnter(folder: string, user: PostgresUser): boolean {
  try {
    execFileSync('test', ['-x', folder, '-a', '-r', folder], { ...user, cwd: '/', stdio: 'pipe' });
    return true;
  } catch (error) {
    if (isExitCode(error, 1)) return false;
    throw error;
  }
}
