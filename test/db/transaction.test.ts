import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openDatabase } from '../../db/client';
import { registry } from '../../runtime/metrics';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { Scrape } from '../support/prometheus';

describe('transactions on a small, busy pool', () => {
  let created: TestDatabase;
  let database: ReturnType<typeof openDatabase>;
  beforeAll(async () => {
    created = await createTestDatabase();
    database = openDatabase({ url: created.url, applicationName: 'busy', max: 4 });
    await database.sql`create table notes (id integer primary key)`;
  });
  afterAll(async () => {
    await database.close();
    await created.drop();
  });

  const count = async (): Promise<number> => {
    const [row] = await database.sql<{ count: string }[]>`select count(*) from notes`;
    return Number(row?.count);
  };

  it('lose nothing and refuse nothing when many run at once with single statements', async () => {
    const before = await count();
    const work = Array.from({ length: 300 }, async (_, n) => {
      if (n % 2) await database.sql`insert into notes values (${n})`;
      else
        await database.transaction(async (tx) => {
          await tx`select pg_sleep(0.002)`;
          await tx`insert into notes values (${n})`;
        });
    });
    const outcomes = await Promise.allSettled(work);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await count()).toBe(before + 300);
    const [open] = await database.sql<{ count: string }[]>`
      select count(*) from pg_stat_activity
      where application_name like 'busy%' and state like 'idle in transaction%'`;
    expect(open?.count).toBe('0');
    const scraped = new Scrape(await registry.metrics());
    // The pool has eight connections: the rest of the 150 waited.
    expect(scraped.value('causeway_postgres_transaction_wait_seconds_count')).toBe(142);
    expect(scraped.value('causeway_postgres_transactions_waiting')).toBe(0);
  });

  it('roll back on failure and return the connection', async () => {
    const before = await count();
    const failing = Array.from({ length: 20 }, async (_, n) => {
      await database.transaction(async (tx) => {
        await tx`insert into notes values (${1_000 + n})`;
        throw new Error('no');
      });
    });
    const outcomes = await Promise.allSettled(failing);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await count()).toBe(before);
  });

  it('survive connections that die in the middle', async () => {
    const before = await count();
    const dying = Array.from({ length: 4 }, async (_, n) => {
      await database.transaction(async (tx) => {
        await tx`insert into notes values (${2_000 + n})`;
        await tx`select pg_terminate_backend(pg_backend_pid())`;
      });
    });
    const outcomes = await Promise.allSettled(dying);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    const after = Array.from({ length: 40 }, async (_, n) => {
      await database.transaction(async (tx) => {
        await tx`insert into notes values (${3_000 + n})`;
      });
    });
    await Promise.all(after);
    expect(await count()).toBe(before + 40);
  });

  describe('behind a server that resets its connections', () => {
    const sockets = new Set<Socket>();
    let resets = 0;
    let proxy: Server;
    let database: ReturnType<typeof openDatabase>;
    beforeAll(async () => {
      const { hostname, port } = new URL(created.url);
      proxy = createServer((client) => {
        const server = connect(Number(port), hostname);
        for (const socket of [client, server]) socket.on('error', () => undefined);
        // After the first bytes the client counts as connected and waits for the answer.
        if (resets > 0) client.once('data', () => client.resetAndDestroy());
        else client.pipe(server).pipe(client);
        resets -= 1;
        sockets.add(client);
      });
      await new Promise<void>((resolve) => {
        proxy.listen(0, '127.0.0.1', resolve);
      });
      database = openDatabase({ url: throughProxy(), applicationName: 'reset' });
    });
    afterAll(async () => {
      await database.close();
      proxy.close();
    });
    const throughProxy = (): string => {
      const url = new URL(created.url);
      url.hostname = '127.0.0.1';
      url.port = String((proxy.address() as AddressInfo).port);
      return url.href;
    };
    const one = async ({ transaction } = database): Promise<unknown> =>
      await transaction(async (tx) => (await tx`select 1 as one`)[0]);

    it('survive a reset in the middle of a statement', async () => {
      const started = new EventEmitter();
      let waiting = 0;
      const dying = Array.from({ length: 8 }, async () => {
        await database.transaction(async (tx) => {
          await tx`select 1`;
          const statement = tx`select pg_sleep(30)`.execute();
          waiting += 1;
          if (waiting === 8) started.emit('all');
          await statement;
        });
      });
      await once(started, 'all');
      for (const socket of sockets) socket.resetAndDestroy();
      const outcomes = await Promise.allSettled(dying);
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
      const after = await Promise.all(Array.from({ length: 16 }, async () => await one()));
      expect(after).toEqual(Array.from({ length: 16 }, () => ({ one: 1 })));
    });

    // The next BEGIN may come between a connection's error and its close: it runs on the next connection.
    it('survive a reset before the first answer', async () => {
      const fresh = openDatabase({ url: throughProxy(), applicationName: 'fresh' });
      try {
        resets = 1;
        await expect(one(fresh)).rejects.toThrow('ECONNRESET');
        expect(await one(fresh)).toEqual({ one: 1 });
      } finally {
        await fresh.close();
      }
    });
  });
});
