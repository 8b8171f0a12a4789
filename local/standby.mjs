// A process that waits to become a role: `node local/standby.mjs ROLE`. It loads the packages that the role's last process
// had loaded, which is most of what a start takes. On the message `load` it loads the build, while the database is migrated
// or the old process ends, and on `serve` it is the role.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const [, , role] = process.argv;
const list = path.join(root, 'node_modules/.cache/packages', `${role}.json`);
const built = (file) => path.join(root, 'dist', file);

/** What cannot be loaded is loaded, or reported, by the module that needs it. */
function tryToLoad(file) {
  try {
    require(file);
  } catch {
    // The role says why.
  }
}

/** Without a list, or a folder for it, the packages are loaded with the build. */
function notedPackages() {
  try {
    return JSON.parse(readFileSync(list, 'utf8'));
  } catch {
    return [];
  }
}

function notePackages() {
  const packages = Object.keys(require.cache).filter((file) => file.includes('node_modules'));
  const written = `${list}.${process.pid}`;
  try {
    mkdirSync(path.dirname(list), { recursive: true });
    writeFileSync(written, JSON.stringify(packages));
    renameSync(written, list);
  } catch {
    // The next start is slower.
  }
}

const end = () => process.exit();
process.once('disconnect', end);
process.on('message', function obey(message) {
  if (message === 'load') ['roles/serve.js', `roles/${role}.js`].map(built).forEach(tryToLoad);
  if (message !== 'serve') return;
  process.off('disconnect', end).off('message', obey);
  // All that a role sends is that it is ready.
  const { send } = process;
  process.send = (...ready) => {
    notePackages();
    return send.apply(process, ready);
  };
  process.argv[1] = built('main.js');
  require(built('main.js'));
});

require('reflect-metadata');
notedPackages().forEach(tryToLoad);
