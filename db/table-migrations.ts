import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sql } from 'postgres';
import { runInTransaction, untilTablesAreFree } from './migration-step';
import { DataRefused } from '../runtime/data-refused';

interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  readonly hash: string;
}

/** The list of migrations that drizzle-kit writes. */
interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

/** What to do with a database that no `migrate` brings up to date. */
const REMEDY =
  'move the data folder of `npm start` away (.causeway, or CAUSEWAY_DATA); on a server of your own, keep a dump and ' +
  'begin with an empty database';

/**
 * Reads only: a database that it refuses stays as it is.
 * @throws DataRefused if the database was built by migrations that this program does not have, or by other texts of
 *   those that it has
 */
export async function requireOwnJournal(sql: Sql, folder: string): Promise<void> {
  const own = new Map(readMigrations(folder).map(({ name, hash }) => [name, hash]));
  const applied = await journalOf(sql);
  const unknown = [...applied.keys()].filter((name) => !own.has(name)).sort();
  if (unknown.length > 0)
    throw new DataRefused(
      `The database was built by migrations that this release does not have (the newest is ${unknown.at(-1)}), and ` +
        `cannot be migrated: ${REMEDY}.`,
    );
  for (const [name, hash] of applied)
    if (own.get(name) !== hash)
      throw new DataRefused(
        `The migration ${name} has changed since it was applied to this database: restore its text, or ${REMEDY}.`,
      );
}

/** The hashes of the applied migrations, by name. */
async function journalOf(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const [found] = await sql<{ own: boolean; oldest: boolean }[]>`
    select to_regclass('migrations.journal') is not null as own,
      to_regclass('drizzle.__drizzle_migrations') is not null as oldest`;
  if (found?.oldest === true) return new Map([['drizzle.__drizzle_migrations', '']]);
  if (found?.own !== true) return new Map();
  const rows = await sql<{ name: string; hash: string }[]>`
    select name, hash from migrations.journal`;
  return new Map(rows.map(({ name, hash }) => [name, hash]));
}

/**
 * Applies the migrations that the database does not have yet, each in a transaction of its own. One that builds
 * indexes concurrently has nothing else in it and runs outside a transaction.
 */
export async function applyMigrations(sql: Sql, folder: string): Promise<void> {
  const applied = await sql<{ name: string }[]>`select name from migrations.journal`;
  const names = new Set(applied.map(({ name }) => name));
  for (const migration of readMigrations(folder)) if (!names.has(migration.name)) await apply(sql, migration);
}

function readMigrations(folder: string): Migration[] {
  const journal = readFileSync(path.join(folder, 'meta', '_journal.json'), 'utf8');
  return (JSON.parse(journal) as Journal).entries.map(({ tag }) => {
    const text = readFileSync(path.join(folder, `${tag}.sql`), 'utf8');
    return {
      name: tag,
      statements: text.split('--> statement-breakpoint'),
      hash: createHash('sha256').update(text).digest('hex'),
    };
  });
}

async function apply(sql: Sql, { name, statements, hash }: Migration): Promise<void> {
  const note = `insert into migrations.journal (name, hash, applied_at) values ('${name}', '${hash}', now())`;
  const concurrent = statements.filter(isConcurrent);
  if (concurrent.length === 0) {
    await runInTransaction(sql, [...statements, note].join('\n;\n'));
    return;
  }
  if (concurrent.length < statements.length)
    throw new Error(`${name} builds indexes concurrently: what else it does goes into another migration`);
  await untilTablesAreFree(async () => {
    for (const statement of [...statements, note]) await sql.unsafe(statement);
  });
}

const isConcurrent = (statement: string): boolean => /\bindex\s+concurrently\b/i.test(statement.replace(/--.*$/gm, ''));
