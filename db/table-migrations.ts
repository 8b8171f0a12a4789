import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sql } from 'postgres';
import { runInTransaction, untilTablesAreFree } from './migration-step';

interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
  readonly hash: string;
}

/** The list of migrations that drizzle-kit writes. */
interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

/**
 * Applies the migrations that the database does not have yet, each in a transaction of its own. One that builds
 * indexes concurrently has nothing else in it and runs outside a transaction.
 * @throws if one that was applied has changed since
 */
export async function applyMigrations(sql: Sql, folder: string): Promise<void> {
  const rows = await sql<{ name: string; hash: string }[]>`
    select name, hash from migrations.journal`;
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  for (const migration of readMigrations(folder)) {
    const hash = applied.get(migration.name);
    if (hash === undefined) await apply(sql, migration);
    else if (hash !== migration.hash) throw new Error(changed(migration.name));
  }
}

const changed = (name: string): string =>
  `The migration ${name} has changed since it was applied to this database: restore its text, or begin with an ` +
  'empty database (a sandbox: move the folder CAUSEWAY_DATA away).';

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
    throw new Error(
      `${name} builds indexes concurrently: what else it does goes into another migration`,
    );
  await untilTablesAreFree(async () => {
    for (const statement of [...statements, note]) await sql.unsafe(statement);
  });
}

const isConcurrent = (statement: string): boolean =>
  /\bindex\s+concurrently\b/i.test(statement.replace(/--.*$/gm, ''));
