// `npm run dev`: runs the platform as `npm start` does, and follows changes of the code. Compiles only the changed file
// and restarts the roles that load it; PostgreSQL, Temporal and the data stay. For the console's pages run
// `npx vite console` beside it.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflows } from './bundle-workflows.mjs';
import { rolesThatLoad } from './loaded-by.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { transformFile } = require('@swc/core');
const inRoot = (...parts) => path.join(root, ...parts);

/** An editor may write several files at once, each in several steps. */
const SETTLE_MS = 100;
/** Rooms whose change the roles cannot see. */
const OTHER_ROOMS = new Set(['dist', 'docs', 'console', 'test', 'bench', 'chaos', 'simulator']);

async function compile(file) {
  const target = inRoot('dist', file.replace(/\.ts$/, '.js'));
  if (!existsSync(inRoot(file))) return rmSync(target, { force: true });
  const { code, map } = await transformFile(inRoot(file), { cwd: root, sourceFileName: file });
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(`${target}.map`, map);
  writeFileSync(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map`);
}

async function buildChanged(files) {
  const some = (pattern) => files.some((file) => pattern.test(file));
  for (const file of files) {
    if (file.endsWith('.ts') && !file.startsWith('cashier/')) await compile(file);
    if (/^db\/.*\.(sql|json)$/.test(file) && existsSync(inRoot(file)))
      cpSync(inRoot(file), inRoot('dist', file), { recursive: true });
  }
  if (some(/\.graphql$/)) {
    execFileSync(process.execPath, [inRoot('local/typegen.mjs'), 'dist'], { stdio: 'inherit' });
    await compile('gateway/generated/operations.ts');
  }
  if (some(/^(workflows|domain)\//)) await bundleWorkflows(path.join(root, 'dist'));
  if (some(/^cashier\//)) {
    const { build } = await import('vite');
    await build({ configFile: inRoot('cashier/vite.config.mjs'), logLevel: 'error' });
  }
}

/** Calls for one change after the other, each with the files that changed since the previous one. */
async function follow(change) {
  const changed = new Set();
  let wake = () => {};
  const note = (file) => {
    if (!/\.(ts|sql|json|graphql|css)$/.test(file) || file.includes('generated/')) return;
    changed.add(file);
    wake();
  };
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules' || OTHER_ROOMS.has(name)) continue;
    if (entry.isDirectory())
      watch(inRoot(name), { recursive: true }, (_event, file) => file && note(path.join(name, file)));
  }
  watch(root, (_event, file) => ['main.ts', 'config.ts'].includes(file) && note(file));
  for (;;) {
    if (changed.size === 0) await new Promise((resolve) => (wake = resolve));
    await sleep(SETTLE_MS);
    const files = [...changed];
    changed.clear();
    await change(files);
  }
}

const { MAIN, runLocal } = require(inRoot('dist/local/run.js'));
// Node.js 22 and newer cache compiled modules, so that a role restarts faster.
const env = {
  NODE_COMPILE_CACHE: inRoot('node_modules/.cache/compiled'),
  // Several would be forked from it, and no standby.
  GATEWAY_PROCESSES: '1',
  ...process.env,
};
process.exitCode = await runLocal(env, { ...MAIN, keepsStandbys: true }, (startAfresh) => {
  console.log('Follows changes of the code.');
  /** Changed, and not yet running. */
  const waiting = new Set();
  void follow(async (changed) => {
    const started = Date.now();
    changed.forEach((file) => waiting.add(file));
    const files = [...waiting];
    try {
      await buildChanged(files);
      const roles = rolesThatLoad(files, inRoot('dist'));
      await startAfresh(
        files.some((file) => file.startsWith('db/')),
        roles,
      );
      waiting.clear();
      console.log(
        `${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${files} changed: ${roles.join(', ')} running again`,
      );
    } catch (error) {
      console.error(`${error.message}\n${files} changed: does not run. Waiting for the next change.`);
    }
  });
});
process.exit();
