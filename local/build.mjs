// Compiles every room into dist/, bundles the workflow code once, so that a worker starts fast, and builds the payer's
// page and the console. --core leaves out what needs docs/schema.graphql: the types of operations and the console.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { bundleWorkflows } from './bundle-workflows.mjs';
import { compile, GENERATED, ROOMS } from './rooms.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const core = process.argv.includes('--core');

async function runTypegen() {
  const typegen = spawn(process.execPath, ['local/typegen.mjs', 'dist'], {
    ...{ cwd: root, stdio: 'inherit' },
  });
  const code = await new Promise((resolve, reject) => typegen.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`typegen: exit code ${code}`);
}

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
compile([...ROOMS, 'main.ts', 'config.ts'], 'dist');
for (const folder of ['db/migrations', 'db/functions', 'db/sandbox'])
  cpSync(path.join(root, folder), path.join(root, 'dist', folder), { recursive: true });

// Beside the bundles that need no types.
const typed = core ? undefined : runTypegen();
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

await typed;
if (!core) compile(GENERATED, 'dist');
if (!core && existsSync(path.join(root, 'console'))) {
  await build({ configFile: path.join(root, 'console/vite.config.mjs'), logLevel: 'error' });
  // Only for a sandbox: it is not served if its packages are not installed.
  if (existsSync(path.join(root, 'node_modules/graphiql')))
    await build({
      configFile: path.join(root, 'console/explorer/vite.config.mjs'),
      logLevel: 'error',
    });
}
