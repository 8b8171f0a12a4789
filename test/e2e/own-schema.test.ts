import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { request } from 'undici';
import { freePort } from '../../local/ports';
import { RoleProcess } from '../../local/role-process';
import { createEmptyDatabase } from '../db/schemas';
import type { TestDatabase } from '../support/database';
import { temporaryFolder } from '../support/temporary-folder';

const MAIN = path.join(__dirname, '..', '..', 'dist', 'main.js');
const secret = (): string => randomBytes(32).toString('base64');

describe('a gateway', () => {
  const folder = temporaryFolder();
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createEmptyDatabase();
  });
  afterAll(async () => {
    await empty.drop();
  });

  const start = (databaseUrl: string, processes = 1): RoleProcess =>
    new RoleProcess({
      program: MAIN,
      role: 'gateway',
      logDir: folder,
      pidDir: folder,
      env: {
        ...process.env,
        CAUSEWAY_ENV: 'sandbox',
        DATABASE_URL: databaseUrl,
        GATEWAY_PORT: '0',
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        GATEWAY_PROCESSES: String(processes),
        CAUSEWAY_LOOKUP_KEY: secret(),
        CAUSEWAY_ENCRYPTION_KEY: secret(),
        CASHIER_TOKEN_SECRET: secret(),
      },
    });

  it.each([1, 2])(
    'of %d processes exits on a database without a schema, and names the command to run',
    async (processes) => {
      const gateway = start(empty.url, processes);
      await expect(gateway.ended).resolves.toBe('exit code 1');
      expect(readFileSync(gateway.log, 'utf8')).toContain('run `migrate` first');
    },
  );

  it('answers 503 while the database is unreachable, then checks the schema', async () => {
    const target = new URL(empty.url);
    const port = await freePort();
    const gateway = start(Object.assign(new URL(empty.url), { port: String(port) }).href);
    const url = (await gateway.started()) ?? '';
    const { statusCode } = await request(`${url}/health/ready`);
    expect(statusCode).toBe(503);

    const door = createServer((socket) => {
      const behind = connect(Number(target.port), target.hostname);
      socket.pipe(behind).pipe(socket);
      for (const end of [socket, behind]) end.on('error', () => end.destroy());
    }).listen(port, '127.0.0.1');
    await expect(gateway.ended).resolves.toBe('exit code 1');
    expect(readFileSync(gateway.log, 'utf8')).toContain('run `migrate` first');
    door.close();
  });
});
