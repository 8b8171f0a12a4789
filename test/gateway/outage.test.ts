import { itInFull } from '../support/in-full';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import postgresJs from 'postgres';
import { openDatabase } from '../../db/client';
import { migrate } from '../../db/migrate';
import { Totals } from '../../steps/ledger/totals';
import { buildGraphServer } from '../../graph/server';
import { type Postgres, startPostgres } from '../../local/postgres';
import { readPidFile, signalFamily } from '../../local/processes';
import { type Answer, depositBody, type MerchantClient, Platform } from '../support/platform';
import { freePort } from '../../local/ports';
import { registry } from '../../runtime/metrics';
import { Scrape } from '../support/prometheus';
import { fromSetup, pidFileOf } from '../support/run-folder';
import { ownTime } from '../support/stopwatch';

/** The contract's limit for an answer. */
const PROMISED_MS = 5_000;

const UNAVAILABLE = 'SERVICE_UNAVAILABLE';

describe('an unavailable PostgreSQL', () => {
  const name = `outage-${randomBytes(4).toString('hex')}`;
  const pidFile = pidFileOf(fromSetup('folder'), name);
  let options: Parameters<typeof startPostgres>[0];
  let postgres: Postgres;
  let platform: Platform;
  let operators: FastifyInstance;
  let graphUrl: string;
  let merchant: MerchantClient;

  beforeAll(async () => {
    options = {
      dataDir: path.join(fromSetup('folder'), name),
      port: await freePort(),
      password: randomBytes(16).toString('hex'),
      database: 'causeway',
      log: path.join(fromSetup('folder'), `${name}.log`),
      pidFile,
      durable: false,
    };
    postgres = await startPostgres(options);
    await migrate(postgres.url, 'sandbox');
    platform = await Platform.open({
      patience: 1,
      database: { url: postgres.url, drop: () => Promise.resolve() },
    });
    await platform.account();
    merchant = await platform.merchant();
    operators = await buildGraphServer(platform.tenant.graph, pino({ level: 'silent' }));
    graphUrl = await operators.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await operators.close();
    await platform.close();
    await postgres.stop();
  });

  const signalAll = (signal: NodeJS.Signals): void => {
    const server = readPidFile(pidFile);
    if (server) signalFamily(server, signal);
  };

  /** Each number that was sent, and the status of its create. */
  const sent = new Map<string, number>();

  async function create(): Promise<Answer> {
    const body = depositBody();
    const answer = await merchant.signed('POST', '/orders/deposit', body);
    sent.set(body.merchant_order_no, answer.status);
    return answer;
  }

  async function timed(step: () => Promise<Answer>): Promise<Answer & { ms: number }> {
    const { result, ms } = await ownTime(step);
    return { ...result, ms };
  }

  async function expectUnavailable(): Promise<void> {
    const answers = await Promise.all([
      ...Array.from({ length: 30 }, () => timed(create)),
      timed(() => merchant.signed('GET', '/balance')),
      timed(() => merchant.signed('GET', '/query/deposit/D1')),
      timed(() => merchant.signed('GET', '/query/deposit?merchant_order_no=1')),
      timed(() => platform.notify({ keyId: 'ak_x', secret: 'x' }, {})),
      timed(() => platform.send('GET', '/health/ready')),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        body: { success: false, code: 'SERVICE_UNAVAILABLE', data: null },
      });
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(PROMISED_MS);
    expect(await platform.send('GET', '/health/live')).toMatchObject({ status: 200 });
    expect(await askGraph()).toEqual({ ready: 503, live: 200, asked: 503, code: UNAVAILABLE });
  }

  /** The operators' listener's answers: its health, and an operation with a login. */
  async function askGraph(): Promise<Record<string, unknown>> {
    const [ready, live, answer] = await Promise.all([
      fetch(`${graphUrl}/health/ready`),
      fetch(`${graphUrl}/health/live`),
      fetch(`${graphUrl}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer of-somebody' },
        body: JSON.stringify({ query: '{ me { login } }' }),
      }),
    ]);
    const { errors } = (await answer.json()) as {
      errors: [{ extensions: Record<string, unknown> }];
    };
    const { code } = errors[0].extensions;
    return { ready: ready.status, live: live.status, asked: answer.status, code };
  }

  const readTotals = async (): Promise<Scrape> => new Scrape(await new Totals(platform.tenant.graph.core).text());

  async function expectRecovery(): Promise<void> {
    let answer = await create();
    while (answer.status !== 201) {
      expect(answer.status).toBe(503);
      await sleep(100);
      answer = await create();
    }
    const after = await Promise.all(Array.from({ length: 20 }, create));
    expect(after.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(await platform.send('GET', '/health/ready')).toMatchObject({ status: 200 });
    expect(await askGraph()).toMatchObject({ ready: 200, live: 200, code: 'UNAUTHENTICATED' });
    expect((await readTotals()).distinct('causeway_total_readable')).toEqual([1]);
    expect(await isReadOnly()).toBe(0);
  }

  const isReadOnly = async (): Promise<number | undefined> =>
    new Scrape(await registry.metrics()).value('causeway_postgres_read_only');

  /** Waits until each of the open connections has noticed a change. Only 201 and 503 are ever answered. */
  async function untilAllAre(status: 201 | 503): Promise<void> {
    for (;;) {
      const answers = await Promise.all(Array.from({ length: 20 }, create));
      for (const answer of answers) expect([201, 503]).toContain(answer.status);
      if (answers.every((answer) => answer.status === status)) return;
    }
  }

  /** Runs statements as a server's administrators do, on a connection that may always write. */
  async function administer(...statements: readonly string[]): Promise<void> {
    const admin = postgresJs(postgres.url, { max: 1, onnotice: () => undefined });
    await admin`set default_transaction_read_only = off`;
    for (const statement of statements) await admin.unsafe(statement);
    await admin.end();
  }

  it('leads to 503 within 5 s while frozen, and recovery without help', async () => {
    expect(await create()).toMatchObject({ status: 201 });
    // Some are in flight when the server freezes.
    const caught = Array.from({ length: 40 }, create);
    await sleep(20);
    signalAll('SIGSTOP');
    try {
      for (const { status } of await Promise.all(caught)) expect([201, 503]).toContain(status);
      await expectUnavailable();
      const [scraped] = await Promise.all([readTotals(), expectUnavailable()]);
      expect(scraped.distinct('causeway_total_readable')).toEqual([0]);
    } finally {
      signalAll('SIGCONT');
    }
    await expectRecovery();
  });

  it('leads to 503 within 5 s while stopped, and recovery without help', async () => {
    await postgres.stop();
    await expectUnavailable();
    postgres = await startPostgres(options);
    await expectRecovery();
  });

  it('leads to 503 where new connections find it read-only, and recovery without help', async () => {
    expect(await create()).toMatchObject({ status: 201 });
    await administer(
      'alter database causeway set default_transaction_read_only = on',
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    try {
      await expectUnavailable();
      expect(await isReadOnly()).toBe(1);
    } finally {
      await administer('alter database causeway reset default_transaction_read_only');
    }
    await expectRecovery();
  });

  it('accepts nothing new while it is read-only under open connections', async () => {
    expect(await create()).toMatchObject({ status: 201 });
    await administer('alter system set default_transaction_read_only = on', 'select pg_reload_conf()');
    try {
      // Reads are still answered; nothing new is accepted, and the process reports that it is not ready.
      await untilAllAre(503);
      expect(await isReadOnly()).toBe(1);
      expect(await platform.send('GET', '/health/ready')).toMatchObject({ status: 503 });
      expect(await askGraph()).toMatchObject({ ready: 503, live: 200 });
    } finally {
      await administer('alter system reset default_transaction_read_only', 'select pg_reload_conf()');
    }
    await untilAllAre(201);
    await expectRecovery();
  });

  it('leads to 503 where the primary became a standby, and recovery when it is promoted', async () => {
    await postgres.stop();
    writeFileSync(path.join(options.dataDir, 'cluster', 'standby.signal'), '');
    postgres = await startPostgres(options);
    await expectUnavailable();
    expect(await isReadOnly()).toBe(1);
    const reader = openDatabase({ url: postgres.url, applicationName: 'reader', readsOnly: true });
    // Reads are served there, and writes get no connection that would outlast the failover.
    expect(await reader.sql`select pg_is_in_recovery() as standby`).toEqual([{ standby: true }]);
    await expect(platform.tenant.database.sql`select 1`).rejects.toThrow('CONNECTION_DESTROYED');
    await reader.sql`select pg_promote()`;
    await reader.close();
    await expectRecovery();
  });

  itInFull('loses no order answered 201; those answered 503 can be sent again', async () => {
    const statuses = [...sent.values()];
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(43);
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(90);
    for (const [merchant_order_no, status] of sent) {
      const path = `/query/deposit?merchant_order_no=${merchant_order_no}`;
      const there = (await merchant.signed('GET', path)).status;
      expect(status === 201 ? [200] : [200, 404]).toContain(there);
      const again = await merchant.signed('POST', '/orders/deposit', depositBody({ merchant_order_no }));
      expect(again.status).toBe(there === 200 ? 409 : 201);
    }
  });

  it('is counted in the metrics of failed dependencies', async () => {
    const scraped = new Scrape(await registry.metrics());
    const failures = 'causeway_dependency_failures_total';
    // Frozen: the gateway's deadline or the connect timeout comes first. Stopped: the driver reports it.
    const late = scraped.value(failures, { dependency: 'graph' }) ?? 0;
    const down = scraped.value(failures, { dependency: 'postgres' }) ?? 0;
    expect(late).toBeGreaterThan(0);
    expect(down).toBeGreaterThanOrEqual(30);
    expect(late + down).toBeGreaterThanOrEqual(90);
    const outcome = { operation: 'authenticate', outcome: 'SERVICE_UNAVAILABLE' };
    expect(scraped.value('causeway_graph_operation_duration_seconds_count', outcome)).toBeGreaterThanOrEqual(30);
    expect(scraped.value('causeway_graph_calls_in_flight')).toBe(0);
  });
});
