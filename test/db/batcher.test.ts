import { Batcher } from '../../db/batcher';
import { type Database, openDatabase } from '../../db/client';
import { createTestDatabase, type TestDatabase } from '../support/database';

describe('a batcher', () => {
  let made: TestDatabase;
  let database: Database;
  /** The items of each statement, in the order of sending. */
  let sent: (readonly number[])[];

  beforeAll(async () => {
    made = await createTestDatabase();
    database = openDatabase({ url: made.url, applicationName: 'test', max: 4 });
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });
  beforeEach(() => {
    sent = [];
  });

  /** One item makes the whole statement fail: a division by zero. */
  const divide = async (numbers: readonly number[]): Promise<number[]> => {
    sent.push(numbers);
    const rows = await database.sql<{ result: number }[]>`
      select 100 / n as result from unnest(${numbers as number[]}::int[]) with ordinality as t(n, place)
      order by place`;
    return rows.map(({ result }) => result);
  };

  it('sends the calls of one turn together, in order', async () => {
    const batcher = new Batcher(divide, { size: 3, underWay: 1 });
    const results = await Promise.all([1, 2, 4, 5, 10].map((n) => batcher.call(n)));
    expect(results).toEqual([100, 50, 25, 20, 10]);
    expect(sent).toEqual([
      [1, 2, 4],
      [5, 10],
    ]);
  });

  it('sends items that arrive while a statement is under way as the next one', async () => {
    const batcher = new Batcher(divide, { size: 3, underWay: 1 });
    const first = batcher.call(1);
    await new Promise(setImmediate);
    const others = [2, 4].map((n) => batcher.call(n));
    expect(await Promise.all([first, ...others])).toEqual([100, 50, 25]);
    expect(sent).toEqual([[1], [2, 4]]);
  });

  // Without patches/, postgres.js 3.4.9 begins the next answer on that connection with a hole.
  it('returns no rows that came before an error', async () => {
    await expect(divide([2, 4, 0])).rejects.toThrow('division by zero');
    for (let n = 0; n < 4; n++) expect(await divide([5])).toEqual([20]);
  });

  it('gives each item its own result if the statement for all was refused', async () => {
    const batcher = new Batcher(divide, { size: 10, underWay: 1 });
    const settled = await Promise.allSettled([1, 2, 0, 4].map((n) => batcher.call(n)));
    expect(settled.map((s) => (s.status === 'fulfilled' ? s.value : 'refused'))).toEqual([100, 50, 'refused', 25]);
  });

  it('never repeats an item whose outcome is unknown', async () => {
    const batcher = new Batcher(
      async (numbers: readonly number[]) => {
        sent.push(numbers);
        return await Promise.reject<number[]>(new Error('the connection is gone'));
      },
      { size: 10, underWay: 1 },
    );
    const settled = await Promise.allSettled([1, 2, 3].map((n) => batcher.call(n)));
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(sent).toEqual([[1, 2, 3]]);
  });

  it('gives up a statement without an answer, and continues', async () => {
    const never = new Promise<number[]>(() => undefined);
    const batcher = new Batcher(
      async ([number = 0]: readonly number[]) => await (number === 1 ? never : [100 / number]),
      { size: 10, underWay: 1, giveUpMs: 100 },
    );
    const first = batcher.call(1);
    await new Promise(setImmediate);
    const [silent, next] = await Promise.allSettled([first, batcher.call(4)]);
    expect(silent).toMatchObject({ reason: { kind: 'SERVICE_UNAVAILABLE' } });
    expect(next).toMatchObject({ value: 25 });
  });

  it('continues after a failure', async () => {
    const batcher = new Batcher(divide, { size: 10, underWay: 1 });
    await expect(batcher.call(0)).rejects.toThrow('division by zero');
    await expect(batcher.call(4)).resolves.toBe(25);
  });
});
