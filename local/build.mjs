// Compiles every room into dist/, bundles the workflow code once, so that a worker starts fast, and builds the payer's
// page and the console. --core leaves out what needs docs/schema.graphql: the types of operations and the console.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { bundleWorkflows } from './bundle-workflows.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const rooms = [
  'domain',
  'crypto',
  'channels',
  'statements',
  'db',
  'workflows',
  'steps',
  'temporal',
  'graph',
  'gateway',
  'local',
  'roles',
  'runtime',
];
const files = ['main.ts', 'config.ts'];
// The image is built without these rooms.
for (const room of ['simulator', 'bench', 'chaos'])
  if (existsSync(path.join(root, room))) rooms.push(room);
const core = process.argv.includes('--core');

if (!core) await import('./typegen.mjs');
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const require = createRequire(import.meta.url);
execFileSync(
  process.execPath,
  [require.resolve('@swc/cli/bin/swc.js'), ...rooms, ...files, '-d', 'dist', '-q'],
  { cwd: root, stdio: 'inherit' },
);
for (const folder of ['db/migrations', 'db/functions', 'db/sandbox'])
  cpSync(path.join(root, folder), path.join(root, 'dist', folder), { recursive: true });

await bundleWorkflows(path.join(root, 'dist'));

// The gateway serves its output, so it is part of the core.
const { build } = await import('vite');
const cashier = { configFile: path.join(root, 'cashier/vite.config.mjs'), logLevel: 'error' };
await build(cashier);
// Apart, so that each page's script is one file.
for (const page of ['keys', 'agents'])
  await build({
    ...cashier,
    build: {
      ...{ emptyOutDir: false, manifest: `manifest-${page}.json` },
      rollupOptions: { input: path.join(root, `cashier/${page}.ts`) },
    },
  });

if (!core && existsSync(path.join(root, 'console'))) {
  await build({ configFile: path.join(root, 'console/vite.config.mjs'), logLevel: 'error' });
  // Only for a sandbox: it is not served if its packages are not installed.
  if (existsSync(path.join(root, 'node_modules/graphiql')))
    await build({
      configFile: path.join(root, 'console/explorer/vite.config.mjs'),
      logLevel: 'error',
    });
}
