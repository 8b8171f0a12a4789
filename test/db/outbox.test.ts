import { type Database, openDatabase } from '../../db/client';
import { claimOutbox, delayOutbox, type OutboxRow } from '../../db/events/outbox';
import { OUTBOX_RANK } from '../../domain/outbox';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { rowsRead } from '../support/rows-read';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

describe('claims of the outbox', () => {
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
  beforeEach(async () => {
    await database.sql`truncate outbox`;
  });

  async function put(key: string, rank: number, seconds: number, merchantCode = 'A', noun = 'deposit') {
    const at = ago(seconds);
    await database.sql`
      insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
      values (new_id(${at}), ${noun}, ${key}, ${database.sql.json({ merchantCode })},
        ${rank}, ${at}, 0, ${at})`;
  }
  const claim = async (money: number, rest: number): Promise<OutboxRow[]> =>
    await claimOutbox(database, { money, rest }, new Date(NOW.getTime() + 30_000), NOW);
  const keys = (rows: readonly OutboxRow[]): string[] => rows.map(({ key }) => key).sort();

  it('take money before older tasks, and tasks before older starts', async () => {
    await put('start', OUTBOX_RANK.start, 9);
    await put('work', OUTBOX_RANK.work, 8);
    await put('money', OUTBOX_RANK.money, 7);
    expect(keys(await claim(1, 1))).toEqual(['money', 'work']);
    expect(keys(await claim(1, 1))).toEqual(['start']);
  });

  it('take money only in its own places, and other tasks only in theirs', async () => {
    for (const n of [1, 2, 3]) await put(`money ${n}`, OUTBOX_RANK.money, n);
    for (const n of [1, 2, 3]) await put(`start ${n}`, OUTBOX_RANK.start, n);
    expect(keys(await claim(0, 2))).toEqual(['start 2', 'start 3']);
    expect(keys(await claim(5, 0))).toEqual(['money 1', 'money 2', 'money 3']);
  });

  it('read each waiting row once, and those that they take by their ids', async () => {
    await database.sql`
      insert into outbox (id, noun, key, arguments, rank, due_at, refusals, created_at)
      select new_id(${NOW}), 'deposit', 'deposit ' || n, '{"merchantCode": "A"}', ${OUTBOX_RANK.money}, ${NOW}, 0, ${NOW}
      from generate_series(1, 400) n`;
    const read = await database.transaction(
      async (tx) =>
        await rowsRead(tx, 'outbox', async () => {
          const claimed = await claimOutbox(
            { sql: tx } as unknown as Database,
            { money: 10, rest: 0 },
            new Date(NOW.getTime() + 30_000),
            NOW,
          );
          expect(claimed).toHaveLength(10);
        }),
    );
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(600);
  });

  it('keep the place of a row that is retried', async () => {
    await put('first', OUTBOX_RANK.money, 60);
    await put('second', OUTBOX_RANK.money, 50);
    const [first] = await claim(1, 0);
    await delayOutbox(database, [first?.id ?? ''], 'away', false, ago(0));
    expect(keys(await claim(1, 0))).toEqual(['first']);
  });

  it('skip a row that another relay holds or that is parked', async () => {
    await put('held', OUTBOX_RANK.money, 3);
    await put('parked', OUTBOX_RANK.money, 2);
    await claim(1, 0);
    await database.sql`update outbox set parked_at = ${NOW} where key = 'parked'`;
    expect(await claim(5, 5)).toEqual([]);
  });

  it('alternate between merchants among money that is younger than five seconds', async () => {
    for (const n of [1, 2, 3, 4]) await put(`A ${n}`, OUTBOX_RANK.money, 4.9 - n / 10, 'A');
    await put('B', OUTBOX_RANK.money, 1, 'B');
    await put('C', OUTBOX_RANK.money, 0.5, 'C');
    expect(keys(await claim(3, 0))).toEqual(['A 1', 'B', 'C']);
    expect(keys(await claim(3, 0))).toEqual(['A 2', 'A 3', 'A 4']);
  });

  it('take money that is older than five seconds strictly in order', async () => {
    for (const n of [1, 2, 3]) await put(`A ${n}`, OUTBOX_RANK.money, 9 - n, 'A');
    await put('B', OUTBOX_RANK.money, 1, 'B');
    expect(keys(await claim(3, 0))).toEqual(['A 1', 'A 2', 'A 3']);
  });

  it('skip the deposits and callbacks of merchants that are held back, and take all other money', async () => {
    await put('A deposit', OUTBOX_RANK.money, 9, 'A');
    await put('A callback', OUTBOX_RANK.money, 8, 'A', 'callback');
    await put('A payout', OUTBOX_RANK.money, 7, 'A', 'withdrawal');
    await put('B deposit', OUTBOX_RANK.money, 6, 'B');
    await put('work', OUTBOX_RANK.work, 5, 'A');
    const held = { money: 5, heldBack: ['A', 'C'], rest: 5 };
    const passed = await claimOutbox(database, held, new Date(NOW.getTime() + 30_000), NOW);
    expect(keys(passed)).toEqual(['A payout', 'B deposit', 'work']);
    expect(keys(await claim(5, 0))).toEqual(['A callback', 'A deposit']);
  });

  it('leave starts for later while money waits', async () => {
    await put('work', OUTBOX_RANK.work, 5);
    await put('start', OUTBOX_RANK.start, 9);
    const rows = await claimOutbox(database, { money: 5, rest: 5, starts: false }, NOW, NOW);
    expect(keys(rows)).toEqual(['work']);
  });

  it('leave starts until they have the given age, and no other row', async () => {
    await put('work', OUTBOX_RANK.work, 1);
    await put('young start', OUTBOX_RANK.start, 1.9);
    await put('start', OUTBOX_RANK.start, 2);
    const limits = { money: 5, rest: 5, startsAfterMs: 2_000 };
    const rows = await claimOutbox(database, limits, NOW, NOW);
    expect(keys(rows)).toEqual(['start', 'work']);
  });
});
