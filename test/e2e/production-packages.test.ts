import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/temporary-folder';

const run = promisify(execFile);
const root = path.join(__dirname, '..', '..');
const folder = temporaryFolder();
const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean }>;
};

/** Prints at exit which packages a process has loaded. */
const report = path.join(folder, 'report.cjs');

beforeAll(() => {
  writeFileSync(
    report,
    `process.on('exit', () => {
       const folders = Object.keys(require.cache).flatMap((file) => {
         const at = file.match(/^.*node_modules[/](@[^/]+[/])?[^/]+/);
         return at ? [at[0].slice(process.cwd().length + 1)] : [];
       });
       console.log(JSON.stringify([...new Set(folders)]));
     });`,
  );
});

// An image is made with `npm prune --omit=dev` and runs these from dist/.
it.each([
  ['gateway', 'fastify'],
  ['graph', '@apollo/server'],
  ['worker', '@temporalio/worker'],
  ['migrate', 'postgres'],
  ['ledger:verify', 'postgres'],
  ['audit:verify', 'postgres'],
])('%s loads no package of development', async (role, own) => {
  // Without its settings it exits at once, after loading all its modules.
  const args = ['--require', report, 'dist/main.js', role];
  const env = { PATH: process.env['PATH'], CAUSEWAY_DATA: path.join(folder, 'none') };
  const failed = await run(process.execPath, args, { cwd: root, env }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const loaded = JSON.parse(failed.stdout.trim().split('\n').at(-1) ?? '[]') as string[];
  expect(loaded).toContain(`node_modules/${own}`);
  expect(loaded.filter((name) => lock.packages[name]?.dev ?? false)).toEqual([]);
});
