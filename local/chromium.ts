import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const WAY_OUT =
  'Install Chromium (Debian, Ubuntu: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.';
const INSTALL_WITHIN_MS = 300_000;

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser for the console's tests: CHROMIUM_PATH, else on PATH, else Debian's place. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') {
    if (isProgram(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which is not a program. ${WAY_OUT}`);
  }
  const folders = [...(env['PATH'] ?? '').split(path.delimiter), '/usr/bin'].filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram);
}

/** @throws with the way to install one, if there is none */
export function locateChromium(env: NodeJS.ProcessEnv): string {
  const found = findChromium(env);
  if (found === undefined) throw new Error(`The console's tests need a browser. ${WAY_OUT}`);
  return found;
}

/**
 * Makes sure that there is a browser; installs Debian's package if this user may.
 * @throws with the way to install one, if there is none and none could be installed
 */
export async function provideChromium(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<void> {
  const found = findChromium(env);
  if (found !== undefined) {
    say(`browser: ${found}`);
    return;
  }
  if (process.getuid?.() === 0 && isProgram('/usr/bin/apt-get')) {
    say('browser: installing the package chromium ...');
    const options = {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: INSTALL_WITHIN_MS,
    };
    await run('apt-get', ['update', '-q'], options).catch(() => undefined);
    await run('apt-get', ['install', '-qy', 'chromium'], options).catch(() => undefined);
  }
  say(`browser: ${locateChromium(env)}`);
}
