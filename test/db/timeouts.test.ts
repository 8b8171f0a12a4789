import type { Sql } from 'postgres';
import { type Database, openDatabase } from '../../db/client';
import { refusalOf } from '../../db/refusals';
import { adminOf, createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

/**
 * The times for which a statement, a lock and an idle transaction may block others. The waits are a tenth of
 * production's.
 */
describe('the timeouts of a connection to PostgreSQL', () => {
  const PATIENCE = 0.1;
  let made: TestDatabase;
  let database: Database;
  /** Another client, without timeouts. */
  let other: Sql;

  beforeAll(async () => {
    made = await createTestDatabase();
    database = openDatabase({ url: made.url, applicationName: 'hasty', patience: PATIENCE });
    other = adminOf(made.url);
    await other`create table held (id int primary key, n int not null)`;
    await other`insert into held values (1, 0)`;
  });
  afterAll(async () => {
    await database.close();
    await other.end();
    await made.drop();
  });

  /** Runs work while another client holds the row's lock. */
  async function whileHeld(work: () => Promise<void>): Promise<void> {
    await other`begin`;
    await other`select from held where id = 1 for update`;
    try {
      await work();
    } finally {
      await other`rollback`;
    }
  }

  const failure = async (work: PromiseLike<unknown>): Promise<unknown> => {
    try {
      await work;
    } catch (error) {
      return error;
    }
    throw new Error('it was done');
  };

  it('are two seconds for a lock, and four for a statement and an idle transaction', async () => {
    const usual = openDatabase({ url: made.url, applicationName: 'usual' });
    const settings = async (sql: Sql): Promise<unknown> =>
      (
        await sql`select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`
      )[0];
    const short = { lock: '2s', statement: '4s', idle: '4s' };
    expect(await settings(usual.sql)).toEqual(short);
    expect(await usual.transaction(async (tx) => await settings(tx as unknown as Sql))).toEqual(short);
    expect(await settings(usual.read)).toEqual({ ...short, statement: '15s' });
    expect(await settings(usual.measure)).toEqual({ ...short, statement: '1s' });
    await usual.close();
  });

  it('answer OPTIMISTIC_LOCK_ERROR to a statement that waits for a held row', async () => {
    await whileHeld(async () => {
      const error = await failure(database.sql`update held set n = n + 1 where id = 1`);
      expect(error).toMatchObject({ code: '55P03' });
      expect(refusalOf(error)).toMatchObject({ kind: 'OPTIMISTIC_LOCK_ERROR' });
    });
  });

  it('answer OPTIMISTIC_LOCK_ERROR to a transaction that waits for a held row', async () => {
    await whileHeld(async () => {
      const step = database.transaction(async (tx) => await tx`delete from held where id = 1`);
      expect(refusalOf(await failure(step))).toMatchObject({ kind: 'OPTIMISTIC_LOCK_ERROR' });
    });
    expect(await other`select n from held`).toEqual([{ n: 0 }]);
  });

  it.each(['sql', 'read', 'measure'] as const)(
    'cancel a statement of the pool "%s" that lasts too long',
    async (pool) => {
      const error = await failure(database[pool]`select pg_sleep(30)`);
      expect(error).toMatchObject({ code: '57014' });
      expect(refusalOf(error)).toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
      await until('its end in PostgreSQL', async () => !(await isRunning('%pg_sleep%')));
    },
  );

  it('cancel a statement of a transaction that lasts too long', async () => {
    const step = database.transaction(async (tx) => await tx`select pg_sleep(30)`);
    expect(await failure(step)).toMatchObject({ code: '57014' });
  });

  it('end an idle transaction, so that its locks are free', async () => {
    const step = database.transaction(async (tx) => {
      await tx`update held set n = 99 where id = 1`;
      await until('its end in PostgreSQL', async () => !(await isRunning('update held set n = 99%')));
      await tx`select 1`;
    });
    expect(refusalOf(await failure(step))).toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
    await other`update held set n = n + 1 where id = 1`;
    expect(await other`select n from held`).toEqual([{ n: 1 }]);
    // The pool still works.
    expect(await database.transaction(async (tx) => await tx`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  /** Whether PostgreSQL has a connection of the pools whose last or current statement matches. */
  async function isRunning(like: string): Promise<boolean> {
    const [row] = await other<{ found: boolean }[]>`
      select exists (select from pg_stat_activity
        where application_name like 'hasty%' and query like ${like}
          and state in ('active', 'idle in transaction')) as found`;
    return row?.found ?? false;
  }
});
