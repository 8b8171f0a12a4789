// The rooms that are compiled, and how.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** What the GraphQL schema is made of. */
export const SCHEMA_ROOMS = [...['domain', 'crypto', 'channels', 'statements', 'db', 'runtime', 'steps', 'graph']];
/** The image is built without the last ones. */
export const ROOMS = [
  ...SCHEMA_ROOMS,
  ...['workflows', 'temporal', 'gateway', 'local', 'roles', 'simulator', 'bench', 'chaos'],
].filter((room) => existsSync(path.join(root, room)));
/** The programs among what typegen.mjs makes. */
export const GENERATED = ['gateway/generated', 'local/generated'];

/** Compiles files and folders of the project into another folder. */
export function compile(sources, into) {
  const swc = require.resolve('@swc/cli/bin/swc.js');
  execFileSync(process.execPath, [swc, ...sources, '-d', into, '-q'], {
    ...{ cwd: root, stdio: 'inherit' },
  });
}
