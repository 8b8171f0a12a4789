import { readFile } from 'node:fs/promises';
import { type Kms, VAULT_PREFIX, vaultTransit } from './kms';
import { refuseUnverified } from './production';

type Env = NodeJS.ProcessEnv;

/** Settings that hold keys of the platform: they may be wrapped by a KMS. */
const KEYS = [
  'CAUSEWAY_KEYS',
  'CAUSEWAY_AUDIT_KEY',
  'CAUSEWAY_LOOKUP_KEY',
  'CAUSEWAY_ENCRYPTION_KEY',
  'CASHIER_TOKEN_SECRET',
] as const;

/** Settings that may be read from a file, whose path is in NAME_FILE. */
const SECRETS = [
  ...KEYS,
  'DATABASE_URL',
  'OIDC_CLIENT_SECRET',
  'OPERATOR_PASSWORD',
  'SMTP_URL',
  'TEMPORAL_API_KEY',
  'VAULT_TOKEN',
] as const;

/** A setting, or the content of its file, trimmed. @throws if both are set, or there is no file */
async function textOf(env: Env, name: (typeof SECRETS)[number]): Promise<string | undefined> {
  const file = env[`${name}_FILE`];
  if (file === undefined || file === '') return env[name];
  if (env[name] !== undefined && env[name] !== '')
    throw new Error(`${name} and ${name}_FILE are both set: one of them is enough`);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new Error(`${name}_FILE: ${file} cannot be read`, { cause });
  }
}

/** The KMS that the settings name; null if none. @throws if a part of them is missing */
export async function kmsOf(env: Env): Promise<Kms | null> {
  const address = env['VAULT_ADDR'];
  if (address === undefined || address === '') return null;
  const token = await textOf(env, 'VAULT_TOKEN');
  const key = env['VAULT_TRANSIT_KEY'];
  if (token === undefined || token === '') throw new Error('VAULT_ADDR needs VAULT_TOKEN');
  if (key === undefined || key === '') throw new Error('VAULT_ADDR needs VAULT_TRANSIT_KEY');
  return vaultTransit({ address, token, key, mount: env['VAULT_TRANSIT_MOUNT'] ?? 'transit' });
}

/** The keys in a setting, as texts: separated by commas or white space. */
export const keyTextsOf = (text: string | undefined): readonly string[] =>
  (text ?? '').split(/[\s,]+/).filter((entry) => entry !== '');

/** A setting of keys with those unwrapped that a KMS has wrapped. */
async function unwrapped(name: string, text: string, kms: () => Promise<Kms | null>): Promise<string> {
  const entries = keyTextsOf(text).map(async (entry) => {
    if (!entry.startsWith(VAULT_PREFIX)) return entry;
    const service = await kms();
    if (!service) throw new Error(`${name} has a key that is wrapped by Vault: set VAULT_ADDR`);
    return (await service.unwrap(entry)).toString('base64');
  });
  return (await Promise.all(entries)).join(',');
}

/**
 * The environment with its secrets in the clear: secrets in files are read, and wrapped ones are unwrapped by the KMS.
 * @param names by default all
 * @throws with the setting's name, also where production would not verify the KMS's certificate
 */
export async function withSecrets(env: Env, names: readonly (typeof SECRETS)[number][] = SECRETS): Promise<Env> {
  refuseUnverified(env);
  let kms: Promise<Kms | null> | undefined;
  const read = names.map(async (name): Promise<readonly [string, string | undefined]> => {
    const text = await textOf(env, name);
    if (text === undefined || !KEYS.some((key) => key === name)) return [name, text];
    const keys = await unwrapped(name, text, async () => await (kms ??= kmsOf(env)));
    // An empty list of keys is none.
    return [name, keys === '' ? undefined : keys];
  });
  return { ...env, ...Object.fromEntries(await Promise.all(read)) };
}
