import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import postgres from 'postgres';
import { startPostgres, type Postgres } from '../../local/postgres';
import { readPidFile, sendSignal } from '../../local/processes';
import { freePort } from '../../local/ports';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const dataDir = path.join(folder, 'postgres');
const pidFile = path.join(dataDir, 'postgres.pid');
const servers: Postgres[] = [];

async function start(password = 'right'): Promise<Postgres> {
  const log = path.join(folder, 'postgres.log');
  const server = await startPostgres({
    dataDir,
    password,
    log,
    port: await freePort(),
    database: 'trial',
  });
  servers.push(server);
  return server;
}

async function run(server: Postgres, statement: string): Promise<readonly postgres.Row[]> {
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

test('keeps its data over a kill -9 of the server', async () => {
  const first = await start();
  await run(first, 'create table kept as select 1 as one');
  const pid = readPidFile(pidFile)?.pid ?? 0;
  sendSignal(pid, 'SIGKILL');
  expect(await first.ended).toBe('killed by SIGKILL');
  expect(await run(await start(), 'select one from kept')).toMatchObject([{ one: 1 }]);
});

test('stops the server that a killed run left, and takes over its data', async () => {
  const left = readPidFile(pidFile)?.pid;
  const server = await start();
  expect(readPidFile(pidFile)?.pid).not.toBe(left);
  expect(await run(server, 'select one from kept')).toMatchObject([{ one: 1 }]);
  expect(await run(server, 'show fsync')).toMatchObject([{ fsync: 'on' }]);
  expect(await run(server, 'show listen_addresses')).toMatchObject([{ listen_addresses: '127.0.0.1' }]);
});

test('says what to do when its data was created with another password', async () => {
  await expect(start('wrong')).rejects.toThrow('created with another one');
  expect(existsSync(pidFile)).toBe(false);
});

test('makes an incomplete cluster again', async () => {
  rmSync(path.join(dataDir, 'initialised'));
  expect(await run(await start(), "select to_regclass('kept') as kept")).toMatchObject([{ kept: null }]);
});

test('an aborted start leaves no server', async () => {
  await servers.at(-1)?.stop();
  const signal = AbortSignal.abort();
  await expect(
    startPostgres({
      dataDir,
      signal,
      password: 'right',
      database: 'trial',
      port: await freePort(),
      log: path.join(folder, 'postgres.log'),
    }),
  ).rejects.toThrow('aborted');
  expect(existsSync(pidFile)).toBe(false);
});
