import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from './files';
import { ensureKeysFile, loadSecrets, type Secrets } from './secrets';
import { readSettings } from './settings';

/** The keys of this machine's sandbox, as settings have them. */
export type SandboxKeys = Pick<Secrets, 'CAUSEWAY_LOOKUP_KEY' | 'CAUSEWAY_ENCRYPTION_KEY' | 'CASHIER_TOKEN_SECRET'> & {
  readonly CAUSEWAY_KEYS: string;
};

/** The keys of this machine's sandbox; null where the environment has keys of its own, or there is no sandbox. */
export function sandboxKeys(env: NodeJS.ProcessEnv): SandboxKeys | null {
  const { dataDir, databaseUrl } = readSettings(env);
  const own = ['CAUSEWAY_KEYS', 'CAUSEWAY_ENCRYPTION_KEY'].some((name) => (env[name] ?? '') !== '');
  if (own || databaseUrl !== undefined || !existsSync(path.join(dataDir, 'secrets.json'))) return null;
  const secrets = loadSecrets(dataDir, env);
  return { ...secrets, CAUSEWAY_KEYS: readFileSync(ensureKeysFile(dataDir), 'utf8') };
}

/** Adds a key to those of the sandbox. Its processes learn it within seconds. */
export function addSandboxKey(env: NodeJS.ProcessEnv, entry: string): void {
  const file = ensureKeysFile(readSettings(env).dataDir);
  writeFileAtomically(file, `${readFileSync(file, 'utf8')}${entry}\n`);
}
