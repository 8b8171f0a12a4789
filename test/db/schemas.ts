import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { OWN_SCHEMA, type Schema } from '../../db/release';
import { adminOf, type TestDatabase } from '../support/database';
import { fromSetup } from '../support/run-folder';

/** A database without any migration. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  const url = new URL(fromSetup('serverUrl'));
  const admin = adminOf(url.href);
  await admin`create database ${admin(name)}`;
  await admin.end();
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      const last = adminOf(fromSetup('serverUrl'));
      await last`drop database ${last(name)} with (force)`;
      await last.end();
    },
  };
}

interface Changes {
  readonly release?: number;
  readonly compatibleFrom?: number;
  /** Texts of further migrations, by name. */
  readonly migrations?: Readonly<Record<string, string>>;
  /** Texts of further function files, by name: later names in the alphabet win. */
  readonly functions?: Readonly<Record<string, string>>;
}

/** Writes a folder with our schema as a later release might have it. */
export function laterSchema(
  folder: string,
  {
    release = OWN_SCHEMA.release,
    compatibleFrom = OWN_SCHEMA.compatibleFrom,
    migrations = {},
    functions = {},
  }: Changes,
): Schema {
  const schema = {
    release,
    compatibleFrom,
    migrations: path.join(folder, 'migrations'),
    functions: path.join(folder, 'functions'),
    ...(OWN_SCHEMA.sandbox !== undefined && { sandbox: OWN_SCHEMA.sandbox }),
  };
  cpSync(OWN_SCHEMA.migrations, schema.migrations, { recursive: true });
  cpSync(OWN_SCHEMA.functions, schema.functions, { recursive: true });
  const { journalFile, journal } = journalOf(schema);
  for (const [name, text] of Object.entries(migrations)) {
    journal.entries.push({ tag: name });
    writeFileSync(path.join(schema.migrations, `${name}.sql`), text);
  }
  writeFileSync(journalFile, JSON.stringify(journal));
  for (const [name, text] of Object.entries(functions)) writeFileSync(path.join(schema.functions, `${name}.sql`), text);
  return schema;
}

/** Writes a folder with the first migrations of a schema, without functions. */
export function beginningOf(folder: string, of: Schema, migrations: number): Schema {
  const schema = {
    ...of,
    migrations: path.join(folder, 'migrations'),
    functions: path.join(folder, 'functions'),
  };
  cpSync(of.migrations, schema.migrations, { recursive: true });
  mkdirSync(schema.functions);
  const { journalFile, journal } = journalOf(schema);
  writeFileSync(journalFile, JSON.stringify({ entries: journal.entries.slice(0, migrations) }));
  return schema;
}

/** The number of a schema's migrations. */
export const countMigrations = (schema: Schema): number => journalOf(schema).journal.entries.length;

function journalOf({ migrations }: Schema): {
  journalFile: string;
  journal: { entries: { tag: string }[] };
} {
  const journalFile = path.join(migrations, 'meta', '_journal.json');
  return {
    journalFile,
    journal: JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { tag: string }[] },
  };
}
