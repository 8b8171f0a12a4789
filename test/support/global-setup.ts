import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { migrate } from '../../db/migrate';
import { startPostgres } from '../../local/postgres';
import { adminOf, sealTemplate } from './database';
import { freePort } from '../../local/ports';
import { killServers, makeRunFolder, pidFileOf, removeDeadRuns, shared } from './run-folder';

/** Before the first test: one PostgreSQL with a migrated template in it, and the workflows' code in one bundle. */
export default async function globalSetup(): Promise<void> {
  await removeDeadRuns();
  const folder = makeRunFolder();
  process.env[shared.folder] = folder;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      killServers(folder);
      process.exit(1);
    });
  await Promise.all([prepareDatabase(folder), bundleWorkflows(folder)]);
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
    logger: {
      ...{ trace: ignore, debug: ignore, info: ignore, log: ignore },
      ...{ warn: console.warn, error: console.error },
    },
  });
  const file = path.join(folder, 'workflow-bundle.js');
  writeFileSync(file, code);
  process.env[shared.workflowBundle] = file;
}

const ignore = (): void => undefined;
