import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { printCatalogue } from './catalogue';

const EXPECTED = path.join(__dirname, 'catalogue.txt');

let database: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  sql = postgres(database.url, { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/**
 * A change of the schema appears here as a diff. Record it with RECORD_CATALOGUE=1 and give the reason in the commit.
 */
test('the catalogue of a fresh database equals the recorded one', async () => {
  const catalogue = await printCatalogue(sql);
  if (process.env['RECORD_CATALOGUE']) writeFileSync(EXPECTED, catalogue);
  expect(catalogue).toBe(readFileSync(EXPECTED, 'utf8'));
});
