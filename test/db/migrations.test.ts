import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { openDatabase } from '../../db/client';
import { migrate } from '../../db/migrate';
import { functionsOf, OWN_SCHEMA, type Schema } from '../../db/release';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/until';
import { laterSchema } from './schemas';

const folder = temporaryFolder();
let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 3, onnotice: () => undefined });
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const later = (changes: Parameters<typeof laterSchema>[1]): Schema =>
  laterSchema(mkdtempSync(path.join(folder, 'later-')), changes);
const columnsOfBanks = async (): Promise<string[]> => {
  const rows = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = 'banks'::regclass and attnum > 0 and not attisdropped`;
  return rows.map(({ name }) => name);
};
const migrationWaits = async (): Promise<boolean> => {
  const [row] = await sql<{ waits: boolean }[]>`
    select exists (select from pg_locks l join pg_stat_activity a using (pid)
      where not l.granted and a.datname = current_database()) as waits`;
  return row?.waits === true;
};

/** Holds a table's lock until `work` has waited for it and given up once. */
async function whileHeld(table: string, work: () => Promise<unknown>): Promise<void> {
  const holder = openDatabase({ url: database.url, applicationName: 'holder', patience: 10 });
  let working: Promise<unknown> | undefined;
  await holder.transaction(async (tx) => {
    await tx.unsafe(`lock table ${table} in row exclusive mode`);
    working = work();
    await until('the migration to wait for the table', migrationWaits);
    await until('the migration to give up', async () => !(await migrationWaits()));
  });
  await working;
  await holder.close();
}

test('a migration gives up on a locked table, and succeeds once it is free', async () => {
  const next = later({ migrations: { '0001_note': 'alter table banks add column note text' } });
  await whileHeld('banks', async () => await migrate(database.url, 'sandbox', next));
  expect(await columnsOfBanks()).toContain('note');
});

test('functions and triggers give up on a locked table, and are applied once it is free', async () => {
  const next = later({ functions: { later: '-- Another text.' } });
  await whileHeld('ledger_entries', async () => await migrate(database.url, 'sandbox', next));
  const [row] = await sql<{ functions: string }[]>`select functions from migrations.release`;
  expect(row?.functions).toBe(functionsOf(next, 'sandbox').hash);
});

test('a migration that fails leaves nothing behind, and is applied once it is corrected', async () => {
  const add = 'alter table banks add column note text';
  const broken = later({
    migrations: { '0001_note': `${add};\n--> statement-breakpoint\nselect 1 / 0` },
  });
  await expect(migrate(database.url, 'sandbox', broken)).rejects.toThrow('division by zero');
  expect(await columnsOfBanks()).not.toContain('note');
  await migrate(database.url, 'sandbox', later({ migrations: { '0001_note': add } }));
  expect(await columnsOfBanks()).toContain('note');
});

test('migrate refuses a migration that has changed since it was applied', async () => {
  await migrate(database.url, 'sandbox', later({ migrations: { '0001_note': 'select 1' } }));
  await expect(migrate(database.url, 'sandbox', later({ migrations: { '0001_note': 'select 2' } }))).rejects.toThrow(
    'The migration 0001_note has changed since it was applied to this database',
  );
});

describe('an index that is built concurrently', () => {
  const build = `drop index concurrently if exists banks_by_name;
--> statement-breakpoint
create index concurrently banks_by_name on banks (name);`;

  test('is built outside a transaction', async () => {
    await migrate(database.url, 'sandbox', later({ migrations: { '0001_index': build } }));
    const [row] = await sql<{ valid: boolean }[]>`
      select indisvalid as valid from pg_index where indexrelid = 'banks_by_name'::regclass`;
    expect(row?.valid).toBe(true);
  });

  test('needs a migration of its own', async () => {
    const mixed = `${build}\n--> statement-breakpoint\nalter table banks add column note text;`;
    await expect(migrate(database.url, 'sandbox', later({ migrations: { '0001_index': mixed } }))).rejects.toThrow(
      '0001_index builds indexes concurrently',
    );
  });
});

describe('the functions', () => {
  const { text } = functionsOf(OWN_SCHEMA, 'sandbox');

  // migrate does not check bodies, because they may name functions of a later file.
  test('have bodies that PostgreSQL accepts', async () => {
    await expect(sql.unsafe(`set local check_function_bodies = on;\n${text}`)).resolves.toBeDefined();
  });

  test('are those of the files, except for the one that index expressions use', async () => {
    const rows = await sql<{ name: string }[]>`
      select distinct proname as name from pg_proc where pronamespace = 'public'::regnamespace order by 1`;
    const files = [...text.matchAll(/^create or replace function (\w+)/gm)].map(([, name]) => name);
    expect(rows.map(({ name }) => name)).toEqual([...new Set(files), 'bank_reference_key'].sort());
  });
});
