import { execFile } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { openDatabase } from '../../db/client';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** The first query of postgres.js on a connection: it reads which types are arrays. */
const FIRST_QUESTION = 'typarray';

/** The last message of a server that closes a connection. */
function lastWords(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', 'RProcessInterrupts'];
  const text = Buffer.from(`${fields.join('\0')}\0\0`);
  const message = Buffer.alloc(5);
  message.write('E');
  message.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([message, text]);
}

/** A proxy to PostgreSQL that closes each connection when its first query passes. */
async function endedAtFirstQuestion(url: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const line = createServer((client) => {
    const upstream = connect(Number(port || '5432'), hostname);
    upstream.on('data', (piece) => client.write(piece)).on('error', () => undefined);
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    client.on('data', (piece) => {
      if (piece.includes(FIRST_QUESTION)) client.end(lastWords());
      else upstream.write(piece);
    });
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  return line;
}

describe('a connection that is closed while it opens', () => {
  let created: TestDatabase;
  let line: Server;
  beforeAll(async () => {
    created = await createTestDatabase();
    line = await endedAtFirstQuestion(created.url);
  });
  afterAll(async () => {
    line.close();
    await created.drop();
  });

  // Without patches/, postgres.js 3.4.9 fails here: the failure of its own query has no handler.
  it('fails the statement for which it was opened, and does not end the process', async () => {
    const url = new URL(created.url);
    url.hostname = '127.0.0.1';
    url.port = String((line.address() as AddressInfo).port);
    const script = `
      const sql = require('postgres')(process.env.URL, { max: 1 });
      sql\`select 1\`
        .catch(({ code }) => console.log(code))
        .finally(() => setTimeout(() => process.exit(0), 500));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
      env: { ...process.env, URL: url.href },
    });
    expect(stdout).toBe('57P01\n');
  });
});

describe('a pool whose connections are all open', () => {
  let created: TestDatabase;
  beforeAll(async () => {
    created = await createTestDatabase();
  });
  afterAll(async () => {
    await created.drop();
  });

  // Without patches/, postgres.js uses them in turn, so that each has to plan each statement.
  it('sends consecutive statements through the connection that was used last', async () => {
    const database = openDatabase({ url: created.url, applicationName: 'opening', max: 4 });
    const { sql } = database;
    try {
      const all = await Promise.all(Array.from({ length: 4 }, async () => await sql`select pg_backend_pid() as pid`));
      expect(new Set(all.map(([row]) => row?.['pid'] as number)).size).toBe(4);
      const used = new Set<number>();
      for (let n = 0; n < 8; n++) {
        const [row] = await sql`select pg_backend_pid() as pid`;
        used.add(row?.['pid'] as number);
      }
      expect(used.size).toBe(1);
    } finally {
      await database.close();
    }
  });
});
