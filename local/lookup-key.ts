import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadSecrets } from './secrets';
import { readSettings } from './settings';

/**
 * The look-up key of this machine's database: CAUSEWAY_LOOKUP_KEY, else the sandbox's own.
 * @returns base64
 * @throws if neither exists
 */
export function localLookupKey(env: NodeJS.ProcessEnv): string {
  const given = env['CAUSEWAY_LOOKUP_KEY'];
  if (given !== undefined && given !== '') return given;
  const { dataDir, databaseUrl } = readSettings(env);
  if (databaseUrl !== undefined || !existsSync(path.join(dataDir, 'secrets.json')))
    throw new Error('Set CAUSEWAY_LOOKUP_KEY to the value that the database was set up with.');
  return loadSecrets(dataDir, env).CAUSEWAY_LOOKUP_KEY;
}
