import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { migrate } from '../../db/migrate';
import { startPostgres } from '../../local/postgres';
import { freePort } from '../../local/ports';
import { adminOf, sealTemplate } from './database';
import { startEarlyRuns } from './early-runs';
import { killServers, makeRunFolder, pidFileOf, placeOfRuns, removeDeadRuns, shared } from './run-folder';
import { prepareData } from './whole-platform';

/**
 * Before the first test: starts one PostgreSQL with a migrated template, and bundles the workflows' code. In a run of
 * all suites, also starts what takes long and needs no jest worker, which continues beside the first suites.
 */
export default async function globalSetup({
  testPathPatterns,
  onlyFailures,
}: {
  /** The suites that were requested; none in a run of all. */
  readonly testPathPatterns: { readonly patterns: readonly string[] };
  /** For suites that failed in the previous run. */
  readonly onlyFailures: boolean;
}): Promise<void> {
  for (const place of new Set([placeOfRuns(), tmpdir()])) await removeDeadRuns(place);
  const isWhole = testPathPatterns.patterns.length === 0 && !onlyFailures;
  if (isWhole && process.env['SUITES'] !== 'all') process.env[shared.inShort] = '1';
  const folder = makeRunFolder();
  process.env[shared.folder] = folder;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      killServers(folder);
      process.exit(1);
    });
  await Promise.all([prepareDatabase(folder), bundleWorkflows(folder)]);
  if (!isWhole) return;
  startEarlyRuns(folder);
  if (process.env[shared.inShort] !== undefined) return;
  // If it fails, the first suite that needs it tries again, and shows the reason.
  void prepareData().catch(ignore);
}

async function prepareDatabase(folder: string): Promise<void> {
  const template = `causeway_template_${process.pid}`;
  const server = process.env['TEST_DATABASE_URL'] ?? (await startCluster(folder));
  process.env[shared.serverUrl] = server;
  process.env[shared.template] = template;
  const admin = adminOf(server);
  try {
    await admin`create database ${admin(template)}`;
    const url = new URL(server);
    url.pathname = `/${template}`;
    await migrate(url.href, 'sandbox');
    await sealTemplate(admin, template);
  } finally {
    await admin.end();
  }
}

async function startCluster(folder: string): Promise<string> {
  const { url } = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    port: await freePort(),
    password: randomBytes(16).toString('hex'),
    database: 'postgres',
    log: path.join(folder, 'postgres.log'),
    pidFile: pidFileOf(folder, 'postgres'),
    durable: false,
  });
  return url;
}

async function bundleWorkflows(folder: string): Promise<void> {
  const workflows = path.join(__dirname, '..', '..', 'workflows');
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(workflows, 'index.ts'),
    workflowInterceptorModules: [path.join(workflows, 'trace.ts')],
    // As a worker's bundle (local/bundle-workflows.mjs).
    preloadModules: [path.join(workflows, 'index.ts'), path.join(workflows, 'trace.ts')],
    logger: {
      trace: ignore,
      debug: ignore,
      info: ignore,
      log: ignore,
      warn: console.warn,
      error: console.error,
    },
  });
  const file = path.join(folder, 'workflow-bundle.js');
  writeFileSync(file, code);
  process.env[shared.workflowBundle] = file;
}

const ignore = (): void => undefined;
