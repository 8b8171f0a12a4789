import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import postgres, { type Sql } from 'postgres';
import { migrate } from '../../db/migrate';
import { OWN_SCHEMA, requireSchema, type Schema } from '../../db/release';
import { hasOwnSchema } from '../../roles/own-schema';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { temporaryFolder } from '../support/temporary-folder';
import { createEmptyDatabase, laterSchema } from './schemas';

const folder = temporaryFolder();
const OWN = OWN_SCHEMA.release;
const NEXT_TEXT = `create or replace function hands_out(p_account bank_accounts) returns boolean
  language sql immutable as 'select null::boolean';`;

let database: TestDatabase;
let sql: Sql;
const open = async (made: Promise<TestDatabase>): Promise<void> => {
  database = await made;
  sql = postgres(database.url, {
    max: 1,
    onnotice: () => undefined,
    // With the settings of a role's sessions: a role requires them.
    connection: {
      lock_timeout: 10_000,
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  });
};
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const later = (changes: Parameters<typeof laterSchema>[1]): Schema =>
  laterSchema(mkdtempSync(path.join(folder, 'later-')), changes);
const bodyOfHandsOut = async (): Promise<string> => {
  const [row] = await sql<{ body: string }[]>`
    select prosrc as body from pg_proc where proname = 'hands_out'`;
  return row?.body ?? '';
};

describe('a role starts', () => {
  test('on the schema of its own release', async () => {
    await open(createTestDatabase());
    await expect(hasOwnSchema({ sql }, 'sandbox')).resolves.toBe(true);
  });

  test('never on an empty database', async () => {
    await open(createEmptyDatabase());
    await expect(hasOwnSchema({ sql }, 'sandbox')).rejects.toThrow(
      'The database has no schema yet: run `migrate` first.',
    );
  });

  test('never on the schema of an older release', async () => {
    await open(createTestDatabase());
    await expect(requireSchema(sql, 'sandbox', later({ release: OWN + 1 }))).rejects.toThrow(
      `The database has the schema of release ${OWN} and this program is release ${OWN + 1}: run its \`migrate\` first.`,
    );
  });

  test('on the schema of a newer release that accepts it', async () => {
    await open(createTestDatabase());
    await migrate(database.url, 'sandbox', later({ release: OWN + 1, compatibleFrom: OWN }));
    await expect(hasOwnSchema({ sql }, 'sandbox')).resolves.toBe(true);
  });

  test('never on the schema of a newer release that does not accept it', async () => {
    await open(createTestDatabase());
    await migrate(database.url, 'sandbox', later({ release: OWN + 2, compatibleFrom: OWN + 1 }));
    await expect(hasOwnSchema({ sql }, 'sandbox')).rejects.toThrow(
      `The database has the schema of release ${OWN + 2}, which takes programs of release ${OWN + 1} or newer; ` +
        `this program is release ${OWN}.`,
    );
  });

  test('never on a database of the other environment', async () => {
    await open(createTestDatabase());
    await expect(hasOwnSchema({ sql }, 'production')).rejects.toThrow(
      "This database is a sandbox's, and this program runs as production (CAUSEWAY_ENV): " +
        'give each environment a database of its own.',
    );
  });

  test("never on production's database as a user that could change the schema", async () => {
    await open(createEmptyDatabase());
    await migrate(database.url, 'production');
    await expect(hasOwnSchema({ sql }, 'production')).rejects.toThrow('is a superuser or owns the tables');
    await sql`set role causeway_gateway`;
    await expect(hasOwnSchema({ sql }, 'production')).resolves.toBe(true);
    await expect(hasOwnSchema({ sql }, 'sandbox')).rejects.toThrow("This database is production's");
  });

  test('never with other functions of its own release', async () => {
    await open(createTestDatabase());
    await migrate(database.url, 'sandbox', later({ functions: { later: NEXT_TEXT } }));
    await expect(hasOwnSchema({ sql }, 'sandbox')).rejects.toThrow(
      'The functions in the database are not those of this program: run its `migrate` first.',
    );
  });
});

describe('migrate', () => {
  test('of an older release never restores its own functions', async () => {
    await open(createTestDatabase());
    const next = { release: OWN + 1, compatibleFrom: OWN, functions: { later: NEXT_TEXT } };
    expect(await migrate(database.url, 'sandbox', later(next))).toBe(OWN + 1);
    expect(await migrate(database.url, 'sandbox')).toBe(OWN + 1);
    expect(await bodyOfHandsOut()).toBe('select null::boolean');
  });

  test('of an older release refuses a schema that does not accept its programs', async () => {
    await open(createTestDatabase());
    await migrate(database.url, 'sandbox', later({ release: OWN + 1, compatibleFrom: OWN + 1 }));
    await expect(migrate(database.url, 'sandbox')).rejects.toThrow(`release ${OWN + 1} or newer`);
  });

  test('of the other environment refuses, and changes nothing', async () => {
    await open(createTestDatabase());
    const next = later({ release: OWN + 1, functions: { later: NEXT_TEXT } });
    await expect(migrate(database.url, 'production', next)).rejects.toThrow("This database is a sandbox's");
    await expect(hasOwnSchema({ sql }, 'sandbox')).resolves.toBe(true);
  });

  test('of the same release applies its own functions', async () => {
    await open(createTestDatabase());
    const before = await bodyOfHandsOut();
    await migrate(database.url, 'sandbox', later({ functions: { later: NEXT_TEXT } }));
    expect(await migrate(database.url, 'sandbox')).toBe(OWN);
    expect(await bodyOfHandsOut()).toBe(before);
  });

  describe('refuses the database of another history, names it and the remedy, and changes nothing:', () => {
    const REMEDY =
      'move the data folder of `npm start` away (.causeway, or CAUSEWAY_DATA); on a server of your own, keep a dump ' +
      'and begin with an empty database';
    /** Everything that a migration could change, as one text. */
    const state = async (): Promise<string> => {
      const [row] = await sql<{ text: string }[]>`
        select (select string_agg(format('%s.%s %s', attrelid::regclass, attname, atttypid), ',' order by attrelid, attnum)
            from pg_attribute a join pg_class c on c.oid = a.attrelid
            where c.relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace)
              and c.relkind in ('r', 'i', 'S')) as text`;
      return row?.text ?? '';
    };
    /** Migrates. @returns why that was refused, after the state was compared */
    const refusal = async (): Promise<unknown> => {
      const before = await state();
      const why: unknown = await migrate(database.url, 'sandbox').catch((error: unknown) => error);
      expect(await state()).toBe(before);
      return why;
    };
    const refused = (message: string) => expect.objectContaining({ name: 'DataRefused', message }) as Error;

    test('migrations that this release does not have', async () => {
      await open(createTestDatabase());
      await sql`
        insert into migrations.journal (name, hash, applied_at)
        values ('0001_platform', 'x', now()), ('0122_balance_chain', 'y', now())`;
      await sql`update migrations.release set functions = 'x'`;
      expect(await refusal()).toEqual(
        refused(
          'The database was built by migrations that this release does not have (the newest is 0122_balance_chain), ' +
            `and cannot be migrated: ${REMEDY}.`,
        ),
      );
      const [row] = await sql`select functions from migrations.release`;
      expect(row).toEqual({ functions: 'x' });
    });

    test('another baseline', async () => {
      await open(createTestDatabase());
      await sql`update migrations.journal set hash = 'x' where name = '0000_baseline'`;
      expect(await refusal()).toEqual(
        refused(
          'The migration 0000_baseline has changed since it was applied to this database: restore its text, ' +
            `or ${REMEDY}.`,
        ),
      );
    });

    test('the migrations that drizzle itself had applied', async () => {
      await open(createEmptyDatabase());
      await sql`create schema drizzle`;
      await sql`create table drizzle.__drizzle_migrations (id serial, hash text, created_at bigint)`;
      expect(await refusal()).toEqual(
        refused(
          'The database was built by migrations that this release does not have (the newest is ' +
            `drizzle.__drizzle_migrations), and cannot be migrated: ${REMEDY}.`,
        ),
      );
    });
  });
});
