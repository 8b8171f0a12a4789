import path from 'node:path';
import type { Sql } from 'postgres';
import { type Functions, readFunctions } from './functions';
import { DataRefused } from '../runtime/data-refused';

/** A release's schema: what its roles need, and what its `migrate` creates. */
export interface Schema {
  /** Rises with every published version that changes the migrations or the functions. */
  readonly release: number;
  /** The oldest release whose roles may still run on this schema. */
  readonly compatibleFrom: number;
  /** Folders. */
  readonly migrations: string;
  readonly functions: string;
  /** Functions only for sandboxes: production's database never has them. */
  readonly sandbox?: string;
}

/** This program's: 0.9.0. All states before it had the number 1, and their programs do not run on this schema. */
export const OWN_SCHEMA: Schema = {
  release: 2,
  compatibleFrom: 2,
  migrations: path.join(__dirname, 'migrations'),
  functions: path.join(__dirname, 'functions'),
  sandbox: path.join(__dirname, 'sandbox'),
};

/** The environment: simulated money and keys, or real ones. */
export type Environment = 'sandbox' | 'production';

/** The functions that a database of the environment has. */
export const functionsOf = (
  { functions, sandbox }: Pick<Schema, 'functions' | 'sandbox'>,
  environment: Environment,
): Functions => readFunctions(functions, ...(environment === 'sandbox' && sandbox !== undefined ? [sandbox] : []));

/** The schema that a database has. */
export interface SchemaInForce {
  /** Written once by the first `migrate`; null in a database that no `migrate` of this release takes. */
  readonly environment: Environment | null;
  readonly release: number;
  readonly compatibleFrom: number;
  /** The hash of its functions. */
  readonly functions: string;
}

/** Undefined where nothing was migrated yet. */
export async function schemaInForce(sql: Sql): Promise<SchemaInForce | undefined> {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('migrations.release') is not null as there`;
  if (!table?.there) return undefined;
  const [row] = await sql<SchemaInForce[]>`
    select release, compatible_from as "compatibleFrom", functions, to_jsonb(r) ->> 'environment' as environment
    from migrations.release r`;
  return row;
}

const NAMES: Readonly<Record<Environment, string>> = {
  sandbox: "a sandbox's",
  production: "production's",
};

/**
 * @throws DataRefused if the database belongs to the other environment
 */
export function requireEnvironment(own: Environment, { environment }: Pick<SchemaInForce, 'environment'>): void {
  if (environment !== null && environment !== own)
    throw new DataRefused(
      `This database is ${NAMES[environment]}, and this program runs as ${own} (CAUSEWAY_ENV): ` +
        'give each environment a database of its own.',
    );
}

/**
 * @throws DataRefused if the database's schema is newer and no longer compatible with this release
 */
export function requireCompatible(own: Schema, inForce: SchemaInForce): void {
  if (inForce.release > own.release && inForce.compatibleFrom > own.release)
    throw new DataRefused(
      `The database has the schema of release ${inForce.release}, which takes programs of release ` +
        `${inForce.compatibleFrom} or newer; this program is release ${own.release}.`,
    );
}

/**
 * @throws DataRefused if this program cannot use the database's schema: it is missing, too old, too new, or of the other
 * environment
 */
export async function requireSchema(sql: Sql, environment: Environment, own: Schema = OWN_SCHEMA): Promise<void> {
  const inForce = await schemaInForce(sql);
  if (!inForce) throw new DataRefused('The database has no schema yet: run `migrate` first.');
  requireEnvironment(environment, inForce);
  requireCompatible(own, inForce);
  if (inForce.release < own.release)
    throw new DataRefused(
      `The database has the schema of release ${inForce.release} and this program is release ${own.release}: ` +
        'run its `migrate` first.',
    );
  if (inForce.release === own.release && inForce.functions !== functionsOf(own, environment).hash)
    throw new DataRefused('The functions in the database are not those of this program: run its `migrate` first.');
}
