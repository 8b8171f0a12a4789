import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { takeLock, type Release } from './lock';
import type { ProcessRecord } from './processes';

/**
 * Makes the data folder and locks it for this process.
 * @returns how to release it, or the process that holds it
 */
export function lockDataFolder(dataDir: string): Release | ProcessRecord {
  // PostgreSQL's own user must be able to enter it; the secret files in it have mode 0600.
  mkdirSync(dataDir, { recursive: true });
  chmodSync(dataDir, 0o755);
  return takeLock(path.join(dataDir, 'lock'));
}
