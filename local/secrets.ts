import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from './files';

/** Secrets that the roles of a sandbox share; generated once and kept with its data. */
export interface Secrets {
  /** 32 bytes, base64. */
  readonly CAUSEWAY_LOOKUP_KEY: string;
  /** 32 bytes, base64. */
  readonly CAUSEWAY_ENCRYPTION_KEY: string;
  /** 32 bytes, base64. */
  readonly CASHIER_TOKEN_SECRET: string;
  /** 32 bytes, base64. */
  readonly CAUSEWAY_AUDIT_KEY: string;
  readonly OPERATOR_LOGIN: string;
  readonly OPERATOR_PASSWORD: string;
  /** The operators who approve: `login:password`, comma-separated. */
  readonly SANDBOX_APPROVERS: string;
  /** The password of the embedded PostgreSQL. */
  readonly POSTGRES_PASSWORD: string;
}

/** No letters or digits that look alike. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/**
 * Reads `secrets.json`, or makes it with mode 0600. Values in the environment win and are not written. PostgreSQL's
 * password always comes from the file, because the cluster was created with it.
 */
export function loadSecrets(dataDir: string, env: NodeJS.ProcessEnv): Secrets {
  const file = path.join(dataDir, 'secrets.json');
  const found = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>) : {};
  // A file of an older version lacks newer secrets.
  const kept = { ...generate(), ...found };
  if (Object.keys(kept).length > Object.keys(found).length)
    writeFileAtomically(file, `${JSON.stringify(kept, null, 2)}\n`);
  const take = (name: keyof Secrets): string => env[name] ?? kept[name];
  return {
    CAUSEWAY_LOOKUP_KEY: take('CAUSEWAY_LOOKUP_KEY'),
    CAUSEWAY_ENCRYPTION_KEY: take('CAUSEWAY_ENCRYPTION_KEY'),
    CASHIER_TOKEN_SECRET: take('CASHIER_TOKEN_SECRET'),
    CAUSEWAY_AUDIT_KEY: take('CAUSEWAY_AUDIT_KEY'),
    OPERATOR_LOGIN: take('OPERATOR_LOGIN'),
    OPERATOR_PASSWORD: take('OPERATOR_PASSWORD'),
    SANDBOX_APPROVERS: take('SANDBOX_APPROVERS'),
    POSTGRES_PASSWORD: kept.POSTGRES_PASSWORD,
  };
}

/** The file of the keys that rotations add to the ring; empty at first. @returns its name */
export function ensureKeysFile(dataDir: string): string {
  const file = path.join(dataDir, 'keys');
  if (!existsSync(file)) writeFileAtomically(file, '');
  return file;
}

const generate = (): Secrets => ({
  CAUSEWAY_LOOKUP_KEY: randomBytes(32).toString('base64'),
  CAUSEWAY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  CASHIER_TOKEN_SECRET: randomBytes(32).toString('base64'),
  CAUSEWAY_AUDIT_KEY: randomBytes(32).toString('base64'),
  OPERATOR_LOGIN: 'admin',
  OPERATOR_PASSWORD: readable(16),
  SANDBOX_APPROVERS: ['approver-1', 'approver-2'].map((login) => `${login}:${readable(16)}`).join(),
  POSTGRES_PASSWORD: randomBytes(24).toString('base64url'),
});

/** 16 of these letters hold 79 bits. */
const readable = (length: number): string =>
  Array.from({ length }, () => READABLE.charAt(randomInt(READABLE.length))).join('');
