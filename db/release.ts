import path from 'node:path';
import type { Sql } from 'postgres';
import { readFunctions } from './functions';

/** A release's schema: what its roles need, and what its `migrate` makes. */
export interface Schema {
  /** Rises with every published version that changes the migrations or the functions. */
  readonly release: number;
  /** The oldest release whose roles may still run on this schema. */
  readonly compatibleFrom: number;
  /** Folders. */
  readonly migrations: string;
  readonly functions: string;
}

/** This program's. */
export const OWN_SCHEMA: Schema = {
  release: 1,
  compatibleFrom: 1,
  migrations: path.join(__dirname, 'migrations'),
  functions: path.join(__dirname, 'functions'),
};

/** The schema that a database has. */
export interface SchemaInForce {
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
    select release, compatible_from as "compatibleFrom", functions from migrations.release`;
  return row;
}

/** @throws if the database's schema is newer and does not take programs of the own release any more */
export function requireCompatible(own: Schema, inForce: SchemaInForce): void {
  if (inForce.release > own.release && inForce.compatibleFrom > own.release)
    throw new Error(
      `The database has the schema of release ${inForce.release}, which takes programs of release ` +
        `${inForce.compatibleFrom} or newer; this program is release ${own.release}.`,
    );
}

/** @throws if the database does not have a schema that this program runs on: none, an older or too new a one */
export async function requireSchema(sql: Sql, own: Schema = OWN_SCHEMA): Promise<void> {
  const inForce = await schemaInForce(sql);
  if (!inForce) throw new Error('The database has no schema yet: run `migrate` first.');
  requireCompatible(own, inForce);
  if (inForce.release < own.release)
    throw new Error(
      `The database has the schema of release ${inForce.release} and this program is release ${own.release}: ` +
        'run its `migrate` first.',
    );
  if (inForce.release === own.release && inForce.functions !== readFunctions(own.functions).hash)
    throw new Error(
      'The functions in the database are not those of this program: run its `migrate` first.',
    );
}
