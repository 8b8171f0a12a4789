import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadSecrets } from './secrets';
import { readSettings } from './settings';

/** The settings that signed the audit log, and the look-up key that signed it before it had a key of its own. */
export interface AuditKeyTexts {
  readonly CAUSEWAY_AUDIT_KEY?: string | undefined;
  readonly CAUSEWAY_LOOKUP_KEY?: string | undefined;
}

const isSet = (text: string | undefined): boolean => text !== undefined && text !== '';

/**
 * The keys with which this machine's audit log is verified: those of the environment, else the sandbox's own.
 * @throws if neither exists
 */
export function localAuditKeys(env: NodeJS.ProcessEnv): AuditKeyTexts {
  const { dataDir, databaseUrl } = readSettings(env);
  // A sandbox keeps those that the environment lacks.
  if (databaseUrl === undefined && existsSync(path.join(dataDir, 'secrets.json'))) return loadSecrets(dataDir, env);
  const { CAUSEWAY_AUDIT_KEY, CAUSEWAY_LOOKUP_KEY } = env;
  if (!isSet(CAUSEWAY_AUDIT_KEY) && !isSet(CAUSEWAY_LOOKUP_KEY))
    throw new Error(
      'Set CAUSEWAY_AUDIT_KEY to the values that the audit log was written with, and CAUSEWAY_LOOKUP_KEY for its older rows.',
    );
  return { CAUSEWAY_AUDIT_KEY, CAUSEWAY_LOOKUP_KEY };
}
