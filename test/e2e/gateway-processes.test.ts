import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { LIMITS } from '../../domain/limits';
import { isNodeError, sendSignal } from '../../local/processes';
import { RoleProcess } from '../../local/role-process';
import { depositBody, md5, MERCHANT_API, signingString } from '../support/platform';
import { type Scrape, scrape } from '../support/prometheus';
import { temporaryFolder } from '../support/temporary-folder';
import { newKeys, Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';

const MAIN = path.join(__dirname, '..', '..', 'dist', 'main.js');

type Line = Readonly<Record<string, unknown>>;

/** A gateway of two processes, as deployments run it. */
describe('a gateway of two processes', () => {
  const folder = temporaryFolder();
  const keys = newKeys();
  const started: RoleProcess[] = [];
  /** Set at the end of a test, so that one that fails leaves nothing that sends. */
  let stopping = false;
  let tenant: Tenant;
  let merchant: TestMerchant;

  beforeAll(async () => {
    tenant = await Tenant.create(undefined, { keys });
    const { max } = LIMITS.openDeposits;
    merchant = await tenant.merchant({ maxOpenDeposits: max });
    await tenant.account('THB', { limits: { maxOpenDeposits: max } });
  });
  beforeEach(() => {
    stopping = false;
  });
  afterEach(() => {
    stopping = true;
  });
  afterAll(async () => {
    for (const { record } of started) if (record) sendSignal(record.pid, 'SIGTERM');
    await Promise.all(started.map(({ ended }) => ended));
    await tenant.close();
  });

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<{
    readonly url: string;
    readonly running: RoleProcess;
    readonly lines: () => readonly Line[];
    readonly metrics: () => Promise<Scrape>;
  }> {
    const running = new RoleProcess({
      program: MAIN,
      role: 'gateway',
      name: `gateway-${started.length}`,
      logDir: folder,
      pidDir: folder,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        CAUSEWAY_ENV: 'sandbox',
        DATABASE_URL: tenant.url,
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        GATEWAY_PORT: '0',
        GATEWAY_PROCESSES: '2',
        CAUSEWAY_LOOKUP_KEY: keys.lookup.toString('base64'),
        CAUSEWAY_ENCRYPTION_KEY: keys.encryption.toString('base64'),
        CASHIER_TOKEN_SECRET: randomBytes(32).toString('base64'),
        ...settings,
      },
    });
    started.push(running);
    const url = (await running.started()) ?? '';
    const lines = (): readonly Line[] =>
      readFileSync(running.log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line);
    const served = lines().find(({ msg }) => msg === 'metrics are served');
    return { url, running, lines, metrics: async () => await scrape(String(served?.['url'])) };
  }

  /** Sends a signed request. @returns its status @throws if the connection breaks */
  async function send(
    client: Client,
    method: 'GET' | 'POST',
    to: string,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<number> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const query = new URLSearchParams(fields as Record<string, string>).toString();
    const { statusCode, body } = await client.request({
      method,
      path: `${MERCHANT_API}${to}${method === 'GET' && query !== '' ? `?${query}` : ''}`,
      headers: {
        'content-type': 'application/json',
        'x-api-key': merchant.apiKey,
        'x-timestamp': timestamp,
        'x-signature': md5(signingString(fields, timestamp) + merchant.apiKey),
      },
      body: method === 'POST' ? JSON.stringify(fields) : null,
    });
    await body.dump();
    return statusCode;
  }

  it('gives one merchant the limit of one process, and reports both', async () => {
    const gateway = await start({
      MERCHANT_REQUESTS_AT_ONCE: '40',
      MERCHANT_REQUESTS_PER_SECOND: '1',
    });
    const from = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = new Client(gateway.url);
        const own: number[] = [];
        for (let n = 0; n < 10; n++) own.push(await send(client, 'GET', '/balance', {}));
        await client.close();
        return own;
      }),
    );
    const admitted = statuses.flat().filter((status) => status === 200).length;
    expect(new Set(statuses.flat())).toEqual(new Set([200, 429]));
    expect(admitted).toBeGreaterThanOrEqual(40);
    expect(admitted).toBeLessThanOrEqual(40 + (performance.now() - from) / 1_000);

    const scraped = await gateway.metrics();
    expect(scraped.value('causeway_gateway_processes')).toBe(2);
    expect(scraped.value('causeway_role_ready', { process: 'parent' })).toBe(1);
    // Both answered, and together they may do what one would do alone.
    for (const process of ['1', '2'])
      expect(scraped.value('causeway_merchant_requests_total', { process })).toBeGreaterThan(0);
    expect(scraped.value('causeway_merchant_requests_total')).toBe(100);
    expect(scraped.value('causeway_graph_calls_limit')).toBe(1_000);
    for (const process of ['1', '2', 'parent'])
      expect(scraped.value('process_cpu_seconds_total', { process })).toBeGreaterThan(0);
    expect(new Set(gateway.lines().map(({ process }) => process))).toEqual(new Set(['1', '2', 'parent']));
  });

  it('loses no order when one process is killed, and has two again', async () => {
    const gateway = await start();
    const pidOf = (number: number): number[] =>
      gateway
        .lines()
        .filter(({ msg, of }) => msg === 'a process of the gateway starts' && of === number)
        .map(({ pid }) => Number(pid));
    const outcomes = new Map<string, number | 'cut'>();
    const merchants = Array.from({ length: 8 }, async () => {
      let client = new Client(gateway.url);
      while (!stopping) {
        const body = depositBody({ currency_code: 'THB' });
        const number = body.merchant_order_no;
        try {
          outcomes.set(number, await send(client, 'POST', '/orders/deposit', body));
        } catch {
          outcomes.set(number, 'cut');
          await client.destroy();
          client = new Client(gateway.url);
        }
        // Leaves a core to the process that comes back.
        await sleep(20);
      }
      await client.close();
    });
    const count = (what: number | 'cut'): number => [...outcomes.values()].filter((outcome) => outcome === what).length;
    await until('creates to be answered', () => count(201) >= 20);
    sendSignal(pidOf(1)[0] ?? 0, 'SIGKILL');
    const before = count(201);
    // The other one answers at once, before the first is back.
    await until('more creates to be answered', () => count(201) >= before + 20);
    await until(
      'the process to be back',
      async () => (await gateway.metrics()).value('causeway_gateway_processes') === 2,
    );
    expect(pidOf(1)).toHaveLength(2);
    expect(pidOf(2)).toHaveLength(1);
    stopping = true;
    await Promise.all(merchants);

    // Only connections of the killed process were cut, one order each.
    expect(count('cut')).toBeLessThanOrEqual(8);
    expect(count(201) + count('cut')).toBe(outcomes.size);
    const rows = await tenant.database.sql<{ merchantOrderNo: string }[]>`
      select merchant_order_no from deposit_orders`;
    // By sets: `arrayContaining` compares each pair, minutes for ten thousand orders.
    const kept = new Set(rows.map(({ merchantOrderNo }) => merchantOrderNo));
    expect(kept.size).toBe(rows.length);
    const answered = [...outcomes].filter(([, outcome]) => outcome === 201);
    expect(answered.filter(([number]) => !kept.has(number))).toEqual([]);
    expect([...kept].filter((number) => !outcomes.has(number))).toEqual([]);
    // An order that was cut is there or not; the same number makes it, or says that it is there.
    const again = new Client(gateway.url);
    for (const [number] of [...outcomes].filter(([, outcome]) => outcome === 'cut'))
      expect(
        await send(again, 'POST', '/orders/deposit', depositBody({ currency_code: 'THB', merchant_order_no: number })),
      ).toBe(kept.has(number) ? 409 : 201);
    await again.close();
  });

  it('is not ready at first when it is stopped, then ends; no create is cut', async () => {
    const gateway = await start({ DRAIN_SECONDS: '5' });
    const statuses: number[] = [];
    let closed = 0;
    const merchants = Array.from({ length: 6 }, async () => {
      let client = new Client(gateway.url);
      while (!stopping) {
        const body = depositBody({ currency_code: 'THB' });
        statuses.push(await send(client, 'POST', '/orders/deposit', body));
        const ready = await client.request({ method: 'GET', path: '/health/ready' });
        await ready.body.dump();
        if (ready.statusCode === 503) break;
        // A connection that an answer closed: the next one may reach a process that is not draining yet.
        if (ready.headers['connection'] === 'close') {
          await client.close();
          client = new Client(gateway.url);
        }
      }
      closed += 1;
      // Balancers have not noticed yet: what they still send is served.
      client = new Client(gateway.url);
      statuses.push(await send(client, 'POST', '/orders/deposit', depositBody({ currency_code: 'THB' })));
      await client.close();
    });
    await until('creates to be answered', () => statuses.length >= 20);
    if (gateway.running.record) sendSignal(gateway.running.record.pid, 'SIGTERM');
    await Promise.all(merchants);
    expect(closed).toBe(6);
    expect(statuses.filter((status) => status !== 201)).toEqual([]);
    await expect(gateway.running.ended).resolves.toBe('exit code 0');
    const stopped = gateway.lines().filter(({ msg }) => msg === 'stopping');
    expect(stopped.map(({ process }) => process).sort()).toEqual(['1', '2', 'parent']);
  });

  it('ends its processes when its parent is killed, and frees the port', async () => {
    const gateway = await start();
    if (gateway.running.record) sendSignal(gateway.running.record.pid, 'SIGKILL');
    await gateway.running.ended;
    const isFree = await until('the port to be free', async () => {
      const client = new Client(gateway.url);
      const refused = await client.request({ method: 'GET', path: '/health/live' }).then(
        () => false,
        (error: unknown) => isNodeError(error, 'ECONNREFUSED'),
      );
      await client.destroy();
      return refused;
    });
    expect(isFree).toBe(true);
  });
});
