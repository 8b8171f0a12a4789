import { openDatabase, type Database } from '../../db/client';
import { createTestDatabase, type TestDatabase } from '../support/database';

const NOW = new Date('2026-01-02T03:04:05.678Z');

describe('new ids', () => {
  let own: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    own = await createTestDatabase();
    database = openDatabase({ url: own.url, applicationName: 'test' });
  });
  afterAll(async () => {
    await database.close();
    await own.drop();
  });

  /** How far from NOW the ids of NOW are, milliseconds. */
  const offsets = async (before = ''): Promise<number[]> =>
    await database.transaction(async (tx) => {
      if (before) await tx.unsafe(before);
      const made = await tx<{ at: Date }[]>`
        select uuid_extract_timestamp(new_id(${NOW})) as at from generate_series(1, 20)`;
      return made.map(({ at }) => at.getTime() - NOW.getTime());
    });

  it('hold the time of the caller', async () => {
    const made = await offsets();
    expect(made).toHaveLength(20);
    // A busy machine may stop between the two readings of its clock.
    for (const offset of made) expect(offset).toBeLessThan(1_000);
    for (const offset of made) expect(offset).toBeGreaterThanOrEqual(0);
  });

  it('hold it in a connection whose ids were made while the server’s clock was ten minutes ahead', async () => {
    // As such a connection's: uuidv7() goes on from its latest id.
    const made = await offsets(`
      create schema ahead;
      create function ahead.uuidv7() returns uuid volatile return pg_catalog.uuidv7(interval '10 minutes');
      create function ahead.uuidv7(shift interval) returns uuid volatile
        return pg_catalog.uuidv7(shift + interval '10 minutes');
      set local search_path = ahead, pg_catalog, public`);
    expect(made).toHaveLength(20);
    for (const offset of made) expect(offset).toBeLessThan(1_000);
    for (const offset of made) expect(offset).toBeGreaterThanOrEqual(0);
  });
});
