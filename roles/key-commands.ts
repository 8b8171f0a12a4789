import { randomBytes } from 'node:crypto';
import { keyIdOf, KeyRing } from '../crypto/key-ring';
import { readKeys, ringKeys } from '../crypto/key-settings';
import { openDatabase } from '../db/client';
import { readClock } from '../db/clock';
import { addSandboxKey, sandboxKeys } from '../local/sandbox-keys';
import type { Kms } from '../runtime/kms';
import type { DatabaseSettings } from '../runtime/server-settings';
import { checkKeys, isPending, rotateKeys, type RotationDeps } from './key-rotation';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** A new key for a setting: wrapped if there is a KMS. */
async function newKey(kms: Kms | null): Promise<{ readonly id: string; readonly entry: string }> {
  const key = randomBytes(32);
  return { id: keyIdOf(key), entry: kms ? await kms.wrap(key) : key.toString('base64') };
}

/** Prints a new key for CAUSEWAY_KEYS or CAUSEWAY_AUDIT_KEY, and its id. */
export async function newKeyOnce(kms: Kms | null): Promise<void> {
  const { id, entry } = await newKey(kms);
  process.stderr.write(`the key ${id}${kms ? ', wrapped by the KMS' : ''}:\n`);
  say(entry);
}

async function withRotation(
  env: NodeJS.ProcessEnv,
  settings: DatabaseSettings,
  work: (deps: RotationDeps) => Promise<boolean>,
): Promise<boolean> {
  const { ring } = readKeys(sandboxKeys(env) ?? env, env['CAUSEWAY_ENV'] === 'production');
  const database = openDatabase({ ...settings, applicationName: 'causeway-keys' });
  try {
    const clock = async (): Promise<Date> => await readClock(database);
    return await work({ database, ring: new KeyRing(ring), clock, say });
  } finally {
    await database.close();
  }
}

/**
 * Rotates to the new key of the ring; a sandbox makes one if it has none.
 * @param env with the secrets in the clear
 * @param args the id of the new key, if there are several
 * @returns whether all was done
 */
export const rotateKeysOnce = async (
  env: NodeJS.ProcessEnv,
  settings: DatabaseSettings,
  [wanted]: readonly string[],
): Promise<boolean> =>
  await withRotation(env, settings, async (deps) => {
    if (sandboxKeys(env) !== null && !(await isPending(deps))) {
      const { entry } = await newKey(null);
      addSandboxKey(env, entry);
      deps.ring.learn(ringKeys(entry));
    }
    return await rotateKeys(deps, wanted ?? null);
  });

/** Prints what still needs older keys. @returns whether nothing does */
export const checkKeysOnce = async (env: NodeJS.ProcessEnv, settings: DatabaseSettings): Promise<boolean> =>
  await withRotation(env, settings, checkKeys);
