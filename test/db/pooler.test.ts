import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Database, openDatabase } from '../../db/client';
import { listenToEvents } from '../../db/events/events';
import { requireTimeouts } from '../../db/timeouts';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** A proxy to PostgreSQL that records what clients send: start-up parameters, and names of statements. */
class Wire {
  readonly parameters = new Set<string>();
  readonly named = new Set<string>();
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async to(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const server = createServer();
    const wire = new Wire(server);
    server.on('connection', (client) => {
      const upstream = connect(Number(port || '5432'), hostname);
      for (const socket of [client, upstream]) wire.sockets.add(socket.on('error', () => undefined));
      upstream.pipe(client);
      client.on('close', () => upstream.destroy());
      let said = Buffer.alloc(0);
      let begun = false;
      client.on('data', (piece: Buffer) => {
        upstream.write(piece);
        said = Buffer.concat([said, piece]);
        // The first message has no type byte; all others begin with one.
        for (;;) {
          const head = begun ? 1 : 0;
          const length = said.length < head + 4 ? Infinity : head + said.readUInt32BE(head);
          if (said.length < length) return;
          wire.hear(begun ? said.toString('latin1', 0, 1) : 'start', said.subarray(head + 4, length));
          said = said.subarray(length);
          begun = true;
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  private hear(kind: string, body: Buffer): void {
    const words = body.toString('latin1', kind === 'start' ? 4 : 0).split('\0');
    // Names and values alternate.
    if (kind === 'start')
      for (let n = 0; n < words.length && words[n] !== ''; n += 2) this.parameters.add(words[n] ?? '');
    if (kind === 'P' && words[0] !== '') this.named.add(words[0] ?? '');
  }

  url(of: string): string {
    const url = new URL(of);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('a connection to a pooler in transaction mode', () => {
  let created: TestDatabase;
  const opened: Database[] = [];
  const wires: Wire[] = [];

  beforeAll(async () => {
    created = await createTestDatabase();
  });
  afterAll(async () => {
    for (const database of opened) await database.close();
    for (const wire of wires) wire.close();
    await created.drop();
  });

  async function open(pooler: boolean): Promise<{ database: Database; wire: Wire }> {
    const wire = await Wire.to(created.url);
    const database = openDatabase({
      url: wire.url(created.url),
      applicationName: 'pooled',
      pooler,
    });
    wires.push(wire);
    opened.push(database);
    return { database, wire };
  }

  async function work({ sql, read, measure, transaction }: Database): Promise<unknown[]> {
    const one = 1;
    const rows = await Promise.all([
      ...[sql, read, measure].map(async (pool) => await pool`select ${one}::int as n`),
      transaction(async (tx) => await tx`select ${one}::int as n`, 'isolation level repeatable read'),
    ]);
    return rows.map(([row]) => row as unknown);
  }

  it('prepares no statement, and sets no parameter that poolers refuse', async () => {
    const { database, wire } = await open(true);
    expect(await work(database)).toEqual(Array(4).fill({ n: 1 }));
    // The parameters that every version of pgbouncer accepts.
    const taken = ['user', 'database', 'client_encoding', 'application_name', 'TimeZone'];
    expect([...wire.parameters].filter((name) => !taken.includes(name))).toEqual([]);
    expect([...wire.named]).toEqual([]);

    const direct = await open(false);
    expect(await work(direct.database)).toEqual(Array(4).fill({ n: 1 }));
    expect([...direct.wire.parameters]).toContain('lock_timeout');
    expect(direct.wire.named.size).toBeGreaterThan(0);
  });

  it('does not listen: callers poll', async () => {
    const { database, wire } = await open(true);
    let published = 0;
    await listenToEvents(database, () => published++);
    expect(published).toBe(1);
    expect([...wire.parameters]).toEqual([]);
  });

  it('refuses a role whose database user lacks the timeouts', async () => {
    const { database } = await open(true);
    await expect(requireTimeouts(database.sql)).rejects.toThrow(
      'Sessions have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout',
    );
    const name = database.sql(new URL(created.url).pathname.slice(1));
    for (const limit of ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])
      await database.sql`alter database ${name} set ${database.sql(limit)} = '2s'`;
    const later = await open(true);
    await expect(requireTimeouts(later.database.sql)).resolves.toBeUndefined();
    await expect(requireTimeouts((await open(false)).database.sql)).resolves.toBeUndefined();
  });
});
