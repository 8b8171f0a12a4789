import { mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { migrate } from '../../db/migrate';
import { OWN_SCHEMA, type Schema } from '../../db/release';
import type { TestDatabase } from '../support/database';
import { temporaryFolder } from '../support/temporary-folder';
import { Tenant } from '../support/tenant';
import { printCatalogue } from './catalogue';
import { fillEmptyTables } from './rows';
import { beginningOf, countMigrations, createEmptyDatabase, laterSchema } from './schemas';

const folder = temporaryFolder();
const subfolder = (): string => mkdtempSync(path.join(folder, 'schema-'));
const later = (migration: string): Schema => laterSchema(subfolder(), { migrations: { '9999_later': migration } });

let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createEmptyDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>[]>>;

/** All rows, by table. */
async function allRows(): Promise<Rows> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const { name } of tables)
    rows[name] = (await sql<{ row: Record<string, unknown> }[]>`select to_jsonb(r) as row from ${sql(name)} r`).map(
      ({ row }) => row,
    );
  return rows;
}

/** Migrates as a deployment does from the baseline on: each later migration meets rows in every table. */
async function migrateWithRows(schema: Schema): Promise<{ atBaseline: Rows }> {
  let atBaseline: Rows = {};
  for (let n = 1; n <= countMigrations(schema); n++) {
    await migrate(database.url, 'sandbox', beginningOf(subfolder(), schema, n));
    await fillEmptyTables(sql);
    if (n === 1) atBaseline = await allRows();
  }
  await migrate(database.url, 'sandbox', schema);
  return { atBaseline };
}

const withoutSeeds = (catalogue: string): string => catalogue.split('-- seeds')[0] ?? '';

test('a database with rows in every table migrates to the current schema', async () => {
  const { atBaseline } = await migrateWithRows(OWN_SCHEMA);
  const now = await allRows();
  expect(Object.keys(now).filter((table) => now[table]?.length === 0)).toEqual([]);
  for (const [table, rows] of Object.entries(atBaseline))
    // A migration may add rows, such as a role's.
    expect(now[table]).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row) as unknown)));

  const recorded = readFileSync(path.join(__dirname, 'catalogue.txt'), 'utf8');
  expect(withoutSeeds(await printCatalogue(sql))).toBe(withoutSeeds(recorded));
  const tenant = await Tenant.create({
    url: database.url,
    drop: async () => {
      await Promise.resolve();
    },
  });
  await tenant.account();
  const { orderNo } = await tenant.deposit(await tenant.merchant());
  await tenant.close();
  const [order] = await sql`select status from deposit_orders where order_no = ${orderNo}`;
  expect(order).toEqual({ status: 'PENDING' });
});

test('a migration that works on empty tables only is refused', async () => {
  const required = later('alter table banks add column note text not null;');
  await migrate(database.url, 'sandbox', required);
  await sql.unsafe('drop schema public cascade; drop schema migrations cascade; create schema public');
  await expect(migrateWithRows(required)).rejects.toThrow('column "note" of relation "banks" contains null values');
});

test('a new table gets a row, too', async () => {
  const added = later('create table notes (id uuid primary key, text text not null);');
  await migrateWithRows(added);
  expect(await sql`select text from notes`).toEqual([{ text: 'x' }]);
});
