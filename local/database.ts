import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from './data-folder';
import { freePort } from './ports';
import { startPostgres } from './postgres';
import type { Sandbox } from './sandbox';
import { loadSecrets } from './secrets';
import { readSettings } from './settings';

/**
 * Gives a command this machine's database: the one at DATABASE_URL, that of the running sandbox, or the sandbox's own,
 * started for the command.
 * @throws if there is no data yet
 */
export async function withLocalDatabase<Result>(
  env: NodeJS.ProcessEnv,
  work: (databaseUrl: string) => Promise<Result>,
): Promise<Result> {
  const { dataDir, databaseUrl } = readSettings(env);
  if (databaseUrl !== undefined) return await work(databaseUrl);
  if (!existsSync(path.join(dataDir, 'postgres')))
    throw new Error(`There is no data in ${dataDir} yet: run npm start, or set DATABASE_URL.`);
  const lock = lockDataFolder(dataDir);
  if (typeof lock !== 'function') return await work(databaseOfRunning(dataDir));
  try {
    const server = await startPostgres({
      dataDir: path.join(dataDir, 'postgres'),
      port: await freePort(),
      password: loadSecrets(dataDir, env).POSTGRES_PASSWORD,
      database: 'causeway',
      log: path.join(dataDir, 'logs', 'postgres.log'),
    });
    try {
      return await work(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    lock();
  }
}

function databaseOfRunning(dataDir: string): string {
  const file = path.join(dataDir, 'sandbox.json');
  if (!existsSync(file)) throw new Error(`Causeway is starting or stopping on ${dataDir}: try again in a moment.`);
  return (JSON.parse(readFileSync(file, 'utf8')) as Sandbox).databaseUrl;
}
